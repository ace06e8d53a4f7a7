public import Contracts
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

    /// Makes the answer of a parsed document.
    ///
    /// Stops when the parser's options say so, see `JSONOptions.isExpired`.
    public func answer(
        _ root: JSONNode, parameters: [String: JMESValue] = [:], form: Form = Form()
    ) throws(ShapeFailure) -> ShapedDocument {
        try answer(.node(root), in: root, parameters: parameters, form: form)
    }
}

extension Shape {
    /// Reads a document and makes its answer.
    ///
    /// - Throws: `JSONSyntaxError` if `document` is not JSON, or if the time passes; otherwise ``ShapeFailure``.
    public func normalize(
        _ document: [UInt8], parameters: [String: JMESValue] = [:], form: Form = Form(),
        options: JSONOptions = JSONOptions()
    ) throws -> ShapedDocument {
        var parser = JSONParser(options: options.forUpstream)
        let answer = try parser.withDocument(document) { root in
            let result = Result { try self.answer(root, parameters: parameters, form: form) }
            // A reading that ran out of time fails without a fault of the document.
            try options.checkTime(for: document)
            return try result.get()
        }
        let repairs = DriftReport(parser.textRepairs)
        if repairs.isEmpty { return answer }
        var drift = answer.drift
        drift.merge(repairs)
        return ShapedDocument(body: answer.body, drift: drift)
    }

    /// Makes the answer of the value `current`, whose nodes are those of `root` or live as long.
    private func answer(
        _ current: JMESValue, in root: JSONNode, parameters: [String: JMESValue], form: Form
    ) throws(ShapeFailure) -> ShapedDocument {
        var context = JMESContext(root: current, maximumOutput: 2 * ShapeRun.maximumBytes) { root.isExpired }
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
