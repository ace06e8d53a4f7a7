import JMESPath
import JSONText
import Records

/// The value of a configured parameter.
enum ParameterValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number, as JSON text in its shortest form.
    case number(String)
    case text(String)
    case list([ParameterValue])

    /// The value of a setting, such as a default; nil for an object.
    init?(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let text): self = .number(Self.shortest(text))
        case .string(let text): self = .text(text)
        case .array(let elements):
            let values = elements.compactMap { ParameterValue($0) }
            guard values.count == elements.count else { return nil }
            self = .list(values)
        case .object: return nil
        }
    }

    /// Returns a number in its shortest form: `4.5` for `4.50`, `100` for `1e2`; one with more digits than a double keeps them.
    static func shortest(_ text: String) -> String {
        let digits = text.utf8.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isInteger = !text.utf8.contains { [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0) }
        guard !isInteger, digits <= 15, let value = Double(text), value.isFinite, value != 0 else { return text }
        return String(decoding: JSONWriter.bytes(expecting: 32) { $0.write(value) }, as: UTF8.self)
    }

    /// The value for expressions.
    var value: JMESValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): .number(text)
        case .text(let text): .string(text)
        case .list(let values): .array(values.map(\.value))
        }
    }

    /// The value as JSON.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): .number(text)
        case .text(let text): .string(text)
        case .list(let values): .array(values.map(\.json))
        }
    }
}
