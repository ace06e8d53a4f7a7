import Configuration
import Contracts
import JMESPath
import JSONText
import Mapping
import Records

/// How an upstream's document becomes an answer: a shape, or an edit.
enum AnswerRules: Sendable {
    case shape(Shape, text: String)
    case edit(DocumentEdit, text: String)

    /// Compiles a shape; nil with a fault.
    ///
    /// `note` takes the place below the shape and the detail of each fault.
    init?(answer: JSONValue, parameters: Set<String>, note: (_ place: String, _ detail: String) -> Void) {
        guard let shape = Shape(answer, parameters: parameters, note: note) else { return nil }
        self = .shape(shape, text: String(decoding: answer.text, as: UTF8.self))
    }

    /// Compiles an edit; `note` takes the place below the edit and the detail of each fault.
    init(edit settings: EditConfiguration, note: (_ place: String, _ detail: String) -> Void) {
        let edit = DocumentEdit(
            keys: settings.keys == "keep" ? .keep : .camel, exempt: settings.exempt ?? [], keep: settings.keep,
            remove: settings.remove ?? [],
            rename: (settings.rename ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            nulls: settings.nulls == "drop" ? .drop : .keep
        ) { note($0.path, $0.text) }
        self = .edit(edit, text: String(decoding: settings.json?.text ?? [], as: UTF8.self))
    }

    /// The document in camelCase.
    static let standard = AnswerRules(edit: EditConfiguration()) { _, _ in }

    /// The document as it is, in strict JSON.
    static let verbatim = AnswerRules(edit: EditConfiguration(keys: "keep")) { _, _ in }

    /// The text of the rules: equal rules make equal answers.
    var text: String {
        switch self {
        case .shape(_, let text), .edit(_, let text): text
        }
    }

    /// The parameters on which answers depend.
    var parameters: Set<String> {
        switch self {
        case .shape(let shape, _): shape.usedParameters
        case .edit: []
        }
    }

    var hasDates: Bool {
        switch self {
        case .shape(let shape, _): shape.hasDates
        case .edit: false
        }
    }

    /// The JSON Schema of answers.
    var schema: JSONValue {
        switch self {
        case .shape(let shape, _): shape.schemaOfSelections
        case .edit: .object([])
        }
    }

    /// The paths of `fields` that answers never have, with the nearest one that they can have.
    func unknown(_ fields: [String]) -> [(path: String, nearest: String?)] {
        switch self {
        case .shape(let shape, _): shape.unknownFields(fields)
        case .edit: []
        }
    }

    /// Returns the answer that the document `root` becomes.
    func answer(_ root: JSONNode, _ form: MappedForm) throws -> ShapedDocument {
        switch self {
        case .shape(let shape, _):
            let selection = try form.fields.map { paths throws(FieldSelection.UnknownFields) in
                try shape.selection(of: paths)
            }
            return try shape.answer(
                root, parameters: form.parameters.mapValues(\.value),
                form: Shape.Form(dates: form.dates, fields: selection))
        case .edit(let edit, _):
            var transform = edit.makeTransform()
            let body = transform.bytes(of: root)
            let drift = DriftReport(transform)
            return ShapedDocument(body: try form.fields.map { try Self.selecting($0, of: body) } ?? body, drift: drift)
        }
    }

    /// Reads a document and makes its answer.
    ///
    /// `inspect` may refuse the document; its result is passed on.
    func read<Found>(
        _ text: [UInt8], _ form: MappedForm, _ options: JSONOptions, inspect: (JSONNode) throws -> Found
    ) throws -> (answer: ShapedDocument, found: Found) {
        var parser = JSONParser(options: options.forUpstream)
        let (answer, found) = try parser.withDocument(text) { root in
            let found = try inspect(root)
            let answer = Result { try self.answer(root, form) }
            // A reading that ran out of time fails without a fault of the document.
            try options.checkTime(for: text)
            return (try answer.get(), found)
        }
        let repairs = DriftReport(parser.textRepairs)
        if repairs.isEmpty { return (answer, found) }
        var drift = answer.drift
        drift.merge(repairs)
        return (ShapedDocument(body: answer.body, drift: drift), found)
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
    var parameters: [String: ParameterValue] = [:]
    /// The paths to keep; nil for all.
    var fields: [String]?
    /// The form of dates; nil for that of the rules.
    var dates: DateForm?
    var explanation = Explanation.none
    /// The unknown parameters that are passed on.
    var others: [(name: String, value: String)] = []
}
