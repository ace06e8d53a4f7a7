import API
import HTTPCore
import JMESPath
import JSONText
import Mapping
import Proxy
import Records
import Settings

/// How an upstream's document becomes an answer: a shape, or an edit.
struct AnswerRules: Sendable {
    private enum Content: Sendable {
        case shape(Shape)
        case edit(DocumentEdit)
    }

    private let content: Content
    /// The text of the rules: equal rules make equal answers.
    let text: String

    /// Compiles a shape; nil with a fault.
    ///
    /// `note` takes the place below the shape and the detail of each fault.
    init?(answer: JSONValue, parameters: Set<String>, note: (_ place: String, _ detail: String) -> Void) {
        guard let shape = Shape(answer, parameters: parameters, note: note) else { return nil }
        (content, text) = (.shape(shape), String(decoding: answer.text, as: UTF8.self))
    }

    /// Compiles an edit; `note` takes the place below the edit and the detail of each fault.
    init(edit settings: EditConfiguration, note: (_ place: String, _ detail: String) -> Void) {
        let edit = DocumentEdit(
            keys: settings.keys == "keep" ? .keep : .camel, exempt: settings.exempt ?? [], keep: settings.keep,
            remove: settings.remove ?? [],
            rename: (settings.rename ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            nulls: settings.nulls == "drop" ? .drop : .keep
        ) { note($0.path, $0.text) }
        (content, text) = (.edit(edit), String(decoding: settings.json?.text ?? [], as: UTF8.self))
    }

    /// The document in camelCase.
    static let standard = AnswerRules(edit: EditConfiguration()) { _, _ in }

    /// The document as it is, in strict JSON.
    static let verbatim = AnswerRules(edit: EditConfiguration(keys: "keep")) { _, _ in }

    /// The shape; nil for an edit.
    private var shape: Shape? { if case .shape(let shape) = content { shape } else { nil } }

    /// The parameters on which answers depend.
    var parameters: Set<String> { shape?.usedParameters ?? [] }

    var hasDates: Bool { shape?.hasDates ?? false }

    /// The expressions of values by their paths in answers.
    var origins: [String: String] { shape?.origins ?? [:] }

    /// Warnings about words of the rules that are probably not meant.
    var warnings: [String] { shape?.warnings ?? [] }

    /// The JSON Schema of answers; of whole ones, it has the members that are required.
    func schema(isWhole: Bool) -> JSONValue { (isWhole ? shape?.schema : shape?.schemaOfSelections) ?? [:] }

    /// The members of documents that the rules read.
    var readings: [(expression: String, path: [String?])] {
        switch content {
        case .shape(let shape): shape.readings
        case .edit(let edit): edit.readings
        }
    }

    /// Throws for paths of `fields` that answers never have.
    func check(_ fields: [String]) throws(FieldSelection.UnknownFields) { _ = try shape?.selection(of: fields) }

    /// Returns the answer that the document `root` becomes.
    func answer(_ root: JSONNode, _ form: MappedForm) throws -> ShapedDocument {
        switch content {
        case .shape(let shape):
            let selection = try form.fields.map { paths throws(FieldSelection.UnknownFields) in
                try shape.selection(of: paths)
            }
            return try shape.answer(
                root, parameters: form.parameters.mapValues { JMESValue($0) },
                form: Shape.Form(dates: form.dates, fields: selection))
        case .edit(let edit):
            var transform = edit.makeTransform()
            let body = transform.bytes(of: root)
            let drift = DriftReport(transform)
            return ShapedDocument(body: try form.fields.map { try Self.selecting($0, of: body) } ?? body, drift: drift)
        }
    }

    /// Reads a document and makes its answer.
    func read(_ text: [UInt8], _ form: MappedForm, _ options: JSONOptions) throws -> ShapedDocument {
        try ShapedDocument.read(text, options) { (try answer($0, form), ()) }.answer
    }

    /// Returns a document with the members alone that `fields` names.
    static func selecting(_ fields: [String], of body: [UInt8]) throws -> [UInt8] {
        var selection = try DocumentEdit.selecting(fields: fields).makeTransform()
        var parser = JSONParser()
        return try parser.withDocument(body) { selection.bytes(of: $0) }
    }
}

/// The form in which a client wants the answer of a configured route.
struct MappedForm: Sendable {
    /// The parameters with their defaults.
    var parameters: [String: JSONValue] = [:]
    /// The paths to keep; nil for all.
    var fields: [String]?
    /// The form of dates; nil for that of the rules.
    var dates: DateForm?
    var explanation = Explanation.none
    /// The unknown parameters that are passed on.
    var others: [(name: String, value: String)] = []

    /// Returns a value of the configuration with the members alone that the client wants.
    func selecting(of value: [UInt8]) -> [UInt8] {
        fields.flatMap { try? AnswerRules.selecting($0, of: value) } ?? value
    }

    /// Everything that tells forms from each other, of answers and of parts.
    struct Key: Hashable, Sendable {
        /// The name of the route; nil for a part, whose documents all routes share.
        let route: String?
        /// The rules of the entries of `fetch`, by their checksums.
        private var rules: [UInt64] = []
        /// The values of the parameters that the rules use, as JSON.
        private var parameters: [String: [UInt8]] = [:]
        var dates: DateForm?
        var fields: [Name]?
        /// The path and the query of the request, if the answer has a link that repeats them.
        var page: [Name] = []

        init(route: String?) { self.route = route }

        /// Takes the rules of a list, and the values of parameters that they use.
        mutating func take(_ list: FetchList, _ values: [String: JSONValue]) {
            rules = list.fetches.map(\.checksum)
            let used = Set(list.fetches.flatMap(\.usedParameters))
            parameters = values.filter { used.contains($0.key) }.mapValues { Array($0.text) }
        }

        /// The bytes of its texts and collections.
        var textBytes: Int {
            let texts = ((fields ?? []) + page).reduce(0) { $0 + 16 + $1.text.utf8.count }
            return texts + 8 * rules.count + parameters.reduce(0) { $0 + 64 + $1.value.count }
        }
    }
}

/// The parameters `fields`, `dates` and `explain` of a configured route.
struct MappedShaping: Sendable {
    /// The names of all of them.
    static let names = [ShapingParameters.fieldsName, ShapingParameters.datesName, ShapingParameters.explainName]

    private let fields: Parameter<[String]>?
    private let dates: Parameter<DateForm>?
    private let explain: Parameter<Explanation>?

    /// The parameters of answers by `rules`, of which a route has those with these names, or all.
    init(_ rules: AnswerRules, _ names: [String]?, showsUpstream: Bool) {
        let names = names ?? Self.names
        func parameter<Value>(_ name: String, _ parameter: @autoclosure () -> Parameter<Value>) -> Parameter<Value>? {
            names.contains(name) ? parameter() : nil
        }
        explain = parameter(ShapingParameters.explainName, ShapingParameters.explain(showsUpstream: showsUpstream))
        fields = parameter(
            ShapingParameters.fieldsName,
            Parameter(
                ShapingParameters.fieldsName,
                .paths { paths throws(FieldSelection.UnknownFields) in try rules.check(paths) }, orElse: "all",
                "The fields to keep, by their names in the answer."))
        dates =
            rules.hasDates
            ? parameter(
                ShapingParameters.datesName, ShapingParameters.dates(orElse: "as the route writes them")) : nil
    }

    var hasFields: Bool { fields != nil }

    var hasExplain: Bool { explain != nil }

    var specs: [ParameterSpec] { [fields?.spec, dates?.spec, explain?.spec].compactMap(\.self) }

    func read(_ parameters: inout Parameters) -> MappedForm {
        var form = MappedForm()
        form.fields = fields.flatMap { parameters.read($0) }
        form.dates = dates.flatMap { parameters.read($0) }
        form.explanation = explain.flatMap { parameters.read($0) } ?? .none
        return form
    }
}

extension JMESPath {
    /// The expression with each path of the root that it reads.
    var readings: [(expression: String, path: [String?])] {
        var reader = ReadMembers()
        reader.read(self, of: .path([]))
        return reader.paths.map { (text, $0) }
    }
}

/// Where the next page of a list starts, and the parameter of the route that asks for the page.
struct NextPageRule: Sendable {
    private enum Source: Sendable {
        case document(ResponseExpression)
        case field(String)
    }

    /// The setting as JSON: equal texts are equal rules.
    let text: String
    let parameter: String
    private let source: Source
    private let member: String?

    /// Reads the setting of a route with parameters called `names`.
    init?(
        _ setting: NextConfiguration, names: Set<String>, inQuery: Set<String>, _ note: SettingNotes<NextConfiguration>
    ) {
        text = String(decoding: setting.json?.text ?? [], as: UTF8.self)
        parameter = setting.parameter
        member = setting.member
        if !inQuery.contains(parameter) {
            let hint = Quotation.hint(parameter, among: inQuery.sorted())
            note(
                \.parameter,
                "names \(Quotation.quote(parameter)), which is no parameter in the query of the route\(hint)")
        }
        switch (setting.from, setting.header) {
        case (let text?, nil):
            guard let expression = ResponseExpression(text, names, { note(\.from, $0) }) else { return nil }
            source = .document(expression)
        case (nil, let header?):
            if !MappedRequest.isFieldName(header) { note(\.header, "must be the name of a header field") }
            source = .field(header.lowercased())
        default:
            note(\.self, "must have either from or header")
            return nil
        }
    }

    init?(_ setting: PagesConfiguration, names: Set<String>, _ note: SettingNotes<PagesConfiguration>) {
        (text, parameter) = (String(decoding: setting.json?.text ?? [], as: UTF8.self), setting.parameter)
        let isLink = setting.next == "Link"
        let expression = isLink ? nil : ResponseExpression(setting.next, names) { note(\.next, $0) }
        if !isLink, expression == nil { return nil }
        (source, member) = expression.map { (.document($0), nil) } ?? (.field("link"), parameter)
    }

    var fields: [String] {
        switch source {
        case .field(let name): [name]
        case .document(let expression): expression.fields
        }
    }

    /// The parameters on which the value depends.
    var parameters: Set<String> { if case .document(let value) = source { value.path.variables } else { [] } }

    /// The members of documents that the rule reads.
    var readings: [(expression: String, path: [String?])] {
        if case .document(let expression) = source { expression.path.readings } else { [] }
    }

    /// Returns the value of the parameter for the next page; nil on the last page.
    /// - Throws: The failure of the expression, whose value must be a text, a number, null or false.
    func value(
        _ root: JSONNode, _ headers: HeaderFields, _ parameters: [String: JSONValue]
    ) throws(JMESFailure) -> String? {
        let text: String?
        switch source {
        case .field("link"): text = headers.values("Link").lazy.compactMap(WebLink.next).first
        case .field(let name): text = headers[name]
        case .document(let expression):
            let value = try expression.value(root, headers, parameters)
            text = value.string ?? value.numberText
            if text == nil, !value.isNull, value.bool != false { throw .invalidType("a page takes a text or a number") }
        }
        guard let text, !text.isEmpty else { return nil }
        guard let member else { return text }
        let query = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
        let pairs = query.prefix { $0 != "#" }.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
        let pair = pairs.first { $0.first.map { PercentCoding.decodeLeniently($0) } == member }
        return pair.flatMap { $0.count == 2 ? PercentCoding.decodeLeniently($0[1]) : nil }
    }

    /// Returns the link to the same request for the next page.
    func link(to value: String, _ question: MappedQuestion) -> String {
        WebLink.next(path: question.rawPath, question.pairs, parameter, value)
    }
}
