import JMESPath
import Records

/// The JSON that a request POSTs, whose texts are templates: one that is an expression alone becomes the typed value.
indirect enum RequestBody: Sendable {
    case constant(JSONValue)
    case text(RequestTemplate)
    case array([RequestBody])
    case object([(key: String, value: RequestBody)])

    /// The most bytes of a text, such as a query of GraphQL.
    private static let maximumBytes = 1 << 20

    /// Reads the templates, whose expressions may name `names`; `note` takes the place of each fault, and its detail.
    init(
        _ json: JSONValue, _ names: TemplateNames, at place: String = "",
        _ note: (_ place: String, _ detail: String) -> Void
    ) {
        switch json {
        case .array(let elements):
            self = .array(
                elements.enumerated().map { RequestBody($1, names, at: "\(place)[\($0)]", note) })
        case .object(let members):
            self = .object(members.map { ($0.key, RequestBody($0.value, names, at: "\(place).\($0.key)", note)) })
        case .string(let text):
            self = .constant(json)
            do throws(RequestTemplate.Fault) {
                self = .text(try RequestTemplate(text, names: names))
            } catch {
                note(place, error.detail + (error.detail.contains("{{") ? "" : "; write {{ for a brace"))
            }
        default: self = .constant(json)
        }
    }

    /// The templates of all texts.
    var templates: [RequestTemplate] {
        switch self {
        case .constant: []
        case .text(let template): [template]
        case .array(let elements): elements.flatMap(\.templates)
        case .object(let members): members.flatMap(\.value.templates)
        }
    }

    /// Returns the JSON with the values of its templates; a text with a parameter that is null is null.
    func filled(_ values: TemplateValues) throws(RequestTemplate.Fault) -> JSONValue {
        switch self {
        case .constant(let json): return json
        case .text(let template):
            if let value = try template.value(values) { return value.json }
            let text = try template.text(values, allowing: nil, maximumBytes: Self.maximumBytes)
            return text.map { .string($0) } ?? .null
        case .array(let elements):
            return .array(try elements.map { element throws(RequestTemplate.Fault) in try element.filled(values) })
        case .object(let members):
            return .object(
                try members.map { member throws(RequestTemplate.Fault) in
                    .init(member.key, try member.value.filled(values))
                })
        }
    }
}
