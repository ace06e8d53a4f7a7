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
        nodes = compiler.nodes.compactMap(\.self)
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
