public import API
public import JMESPath
public import JSONText
public import Records

/// A compiled `answer`: a JSON Schema that says where each value comes from.
///
///     let shape = Shape(["properties": ["title": "name"]], parameters: []) { path, detail in print(path, detail) }
///     let answer = try shape?.normalize(Array(#"{"name":"Wind"}"#.utf8))  // {"title":"Wind"}
public struct Shape: Sendable {
    /// The parameters of the route on which an answer depends.
    public let usedParameters: Set<String>
    /// Warnings about words of the shape that are probably not meant.
    public let warnings: [String]
    let root: ShapeNode
    let nodes: [ShapeNode]

    /// Compiles a shape, whose expressions may name `parameters`, or returns nil.
    ///
    /// `note` gets every fault, with its path below the shape, such as `.properties.time.from`.
    public init?(
        _ schema: JSONValue, parameters: Set<String>, note: (_ path: String, _ detail: String) -> Void
    ) {
        var compiler = ShapeCompiler(parameters: parameters)
        let root = compiler.node(schema, at: "", in: ShapeCompiler.Scope(variables: parameters))
        for fault in compiler.faults.all { note(fault.path, fault.detail) }
        guard compiler.faults.all.isEmpty, let root else { return nil }
        self.root = root
        (nodes, warnings) = (compiler.nodes.compactMap(\.self), compiler.warnings)
        usedParameters = compiler.usedVariables.intersection(parameters)
    }
}

extension Shape {
    /// The form of an answer that a client wants.
    public struct Form: Sendable {
        /// The form of dates; nil for that of the shape.
        public var dates: DateForm?
        /// The fields to keep, which ``Shape/selection(of:)`` makes; nil for all.
        public var fields: FieldSelection?

        /// All fields, in the form of the shape.
        public init(dates: DateForm? = nil, fields: FieldSelection? = nil) {
            (self.dates, self.fields) = (dates, fields)
        }
    }

    /// Reads a document and makes its answer.
    ///
    /// - Throws: `JSONSyntaxError` if `document` is not JSON, or if the time passes; otherwise ``ShapeFailure``.
    public func normalize(
        _ document: [UInt8], parameters: [String: JMESValue] = [:], form: Form = Form(),
        options: JSONOptions = JSONOptions()
    ) throws -> ShapedDocument {
        try ShapedDocument.read(document, options) { root in
            (try answer(root, parameters: parameters, form: form), ())
        }.answer
    }

    /// Makes the answer of a parsed document.
    ///
    /// Stops when the parser's options say so, see `JSONOptions.isExpired`.
    public func answer(
        _ root: JSONNode, parameters: [String: JMESValue] = [:], form: Form = Form()
    ) throws(ShapeFailure) -> ShapedDocument {
        let current = JMESValue.node(root)
        // Values that are only passed on take steps, too.
        var context = JMESContext(
            root: current, maximumSteps: 20_000_000 + 4 * root.text.count, maximumOutput: 2 * ShapeRun.maximumBytes
        ) { root.isExpired }
        for (name, value) in parameters where usedParameters.contains(name) { context.bind(name, to: value) }
        var run = ShapeRun(root: root, dates: form.dates, context: context, nodes: nodes.count)
        let extent = form.fields.map { FieldExtent.part($0.root) } ?? .whole
        var failure: ShapeFailure?
        let body = JSONWriter.bytes(expecting: root.text.count / 2) { writer in
            do throws(ShapeFailure) {
                if try run.write(self.root, of: current, extent, to: &writer) { return }
                let node = run.culprit ?? self.root
                failure = .noValue(
                    path: node.path(nil).text, expression: node.place, reason: run.drift.loss ?? .missing)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return ShapedDocument(body: body, drift: run.drift.report(nodes))
    }
}

/// Why a shape makes no answer of a document.
public enum ShapeFailure: UnusableDocument, Sendable, Equatable {
    /// The root has no value, because `expression` finds none, or one that is dropped for `reason`.
    ///
    /// `path` is the place in the answer, empty for the root.
    case noValue(path: String, expression: String?, reason: DriftReport.Reason)
    /// The answer, or the work for it, exceeds a limit.
    case limit(String)
    /// The deadline has passed, or nobody waits for the answer; see `JSONOptions.isExpired`.
    case expired

    /// The limit that an expression exceeds.
    init(_ failure: JMESFailure) { self = failure == .expired ? .expired : .limit("\(failure)") }

    /// The failure in one line.
    public var description: String {
        switch self {
        case .noValue(let path, let expression, let reason):
            let place = path.isEmpty ? "the answer" : "\"\(path)\", which is required"
            let isAbsent = reason == .missing || reason == .null
            let cause = isAbsent ? "finds none" : "finds one that is dropped (\(reason.rawValue))"
            return "the document has no value for \(place)" + (expression.map { ": \($0) \(cause)" } ?? "")
        case .limit(let limit): return "the answer exceeds a limit: \(limit)"
        case .expired: return "the time for the answer has passed"
        }
    }
}

extension Shape {
    /// The JSON Schema of answers, for OpenAPI; `required` has the members that every answer has.
    public var schema: JSONValue { root.schema(requiring: true) }

    /// The JSON Schema of answers of which clients select fields, so that none is required.
    public var schemaOfSelections: JSONValue { root.schema(requiring: false) }

    /// The expressions of values by their paths in answers, such as `data.temp` by `hourly[].temperature`.
    public var origins: [String: String] {
        Dictionary(nodes.compactMap { node in node.place.map { (node.path(nil).text, $0) } }) { first, _ in first }
    }

    /// Whether an answer can have dates.
    public var hasDates: Bool {
        nodes.contains { node in
            if case .scalar(let rules) = node.content { rules.hasDates } else { false }
        }
    }
}

extension ShapeNode {
    /// The schema of the values that the node makes.
    fileprivate func schema(requiring: Bool) -> JSONValue {
        var members: [JSONValue.Member] = []
        switch content {
        case .open: break
        case .openObject: members = [.init("type", "object")]
        case .scalar(let rules): members = rules.schema
        case .object(let properties, let others):
            members = [.init("type", "object")]
            if !properties.isEmpty {
                let schemas = properties.map { property in
                    JSONValue.Member(property.name, property.node.schema(requiring: requiring))
                }
                members.append(.init("properties", .object(schemas)))
            }
            let required = properties.filter { $0.isRequired || $0.node.alwaysHasValue }.map(\.name)
            if requiring, !required.isEmpty {
                members.append(.init("required", .array(required.map { .string($0) })))
            }
            if let others {
                members.append(.init("additionalProperties", others.schema(requiring: requiring)))
            }
        case .array(let elements):
            var element = elements.node.schema(requiring: requiring)
            if elements.keepsNulls { element = element.acceptingNull }
            members = [.init("type", "array"), .init("items", element)]
            for (key, limit) in [("minItems", elements.minimum), ("maxItems", elements.limit)] {
                if case .number(let limit) = limit { members.append(.init(key, .number("\(limit)"))) }
            }
            if elements.areUnique { members.append(.init("uniqueItems", true)) }
        }
        let schema = JSONValue.object(members + annotations.filter { note in !members.contains { $0.key == note.key } })
        return keepsNulls ? schema.acceptingNull : schema
    }

    /// Whether there is a value, or null, for every object around the node.
    fileprivate var alwaysHasValue: Bool {
        if fallback != nil { return true }
        guard case .current = source, replacements == nil, case .object(let properties, _) = content else {
            return false
        }
        return properties.contains { $0.node.alwaysHasValue }
            && properties.allSatisfy { !$0.isRequired || $0.node.alwaysHasValue }
    }
}

extension JSONValue {
    /// The schema with null as another type, if it names types, and as another value of `enum`.
    fileprivate var acceptingNull: JSONValue {
        var schema = self
        switch schema["type"] {
        case .string(let name)?: schema["type"] = [.string(name), "null"]
        case .array(let names)? where !names.contains("null"): schema["type"] = .array(names + ["null"])
        default: break
        }
        if let choices = schema["anyOf"]?.elements { schema["anyOf"] = .array(choices + [["type": "null"]]) }
        if let values = schema["enum"]?.elements, !values.contains(.null) { schema["enum"] = .array(values + [.null]) }
        return schema
    }
}

extension Shape {
    /// The expressions with the paths of documents that they read, as ``ReadMembers`` tells them.
    package var readings: [(expression: String, path: [String?])] {
        var reader = ShapeReader()
        reader.read(root, of: .path([]))
        return reader.readings
    }
}

/// Follows the expressions of a shape from the root of documents.
private struct ShapeReader {
    private var reader = ReadMembers()
    private(set) var readings: [(expression: String, path: [String?])] = []

    mutating func read(_ node: ShapeNode, of current: ReadValue) {
        let outer = reader.variables
        defer { reader.variables = outer }
        for binding in node.bindings { reader.variables[binding.name] = read(binding.expression, of: current) }
        let value = read(node.source, of: current)
        switch node.content {
        case .open, .openObject: break
        case .scalar(let rules):
            for expression in rules.expressions { read(expression, of: current) }
            if rules.isInteger { note(ReadMembers.integer, of: value, node.place ?? "@") }
        case .object(let properties, let others):
            for property in properties { read(property.node, of: value) }
            if let others { read(others, of: step([nil], of: value, as: "*")) }
        case .array(let elements):
            for case .expression(let limit) in [elements.minimum, elements.limit] { read(limit, of: current) }
            read(elements.node, of: value)
        }
    }

    private mutating func read(_ source: ShapeNode.Source, of current: ReadValue) -> ReadValue {
        switch source {
        case .current: return current
        case .path(let names): return step(names, of: current, as: names.joined(separator: "."))
        case .expression(let expression), .composition(let expression): return read(expression, of: current)
        case .columns(let columns): return .object(columns.map { ($0.name, read($0.expression, of: current)) })
        }
    }

    /// Notes how a value is read, as a name behind its path.
    private mutating func note(_ word: String, of value: ReadValue, _ text: String) {
        switch value {
        case .path(let path): readings.append((text, path + [word]))
        case .either(let values): for value in values { note(word, of: value, text) }
        case .object: break
        }
    }

    private mutating func step(_ names: [String?], of current: ReadValue, as text: String) -> ReadValue {
        noting(text) { reader in names.reduce(current) { reader.step($1, of: $0) } }
    }

    @discardableResult
    private mutating func read(_ expression: JMESPath, of current: ReadValue) -> ReadValue {
        noting(expression.text) { $0.read(expression, of: current) }
    }

    private mutating func noting(_ text: String, _ read: (inout ReadMembers) -> ReadValue) -> ReadValue {
        let count = reader.paths.count
        defer { readings += reader.paths[count...].map { (text, $0) } }
        return read(&reader)
    }
}
