/// A JSON value that a generator puts together, printed as recorded answers are: two spaces a level.
enum GeneratedValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case text(String)
    case scalar(String)
    case array([GeneratedValue])
    case object([(String, GeneratedValue)])

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .scalar("\(value)") }
    init(floatLiteral value: Double) { self = .scalar("\(value)") }
    init(booleanLiteral value: Bool) { self = .scalar("\(value)") }
    init(nilLiteral: ()) { self = .scalar("null") }
    init(arrayLiteral elements: GeneratedValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, GeneratedValue)...) { self = .object(elements) }

    init(_ value: Int) { self.init(integerLiteral: value) }
    init(_ value: Double) { self.init(floatLiteral: value) }
    init(_ value: Bool) { self.init(booleanLiteral: value) }

    /// The value in several lines.
    var prettyPrinted: [UInt8] {
        var bytes: [UInt8] = []
        print(to: &bytes, indentation: "\n")
        return bytes
    }

    /// The value in one line.
    var compact: [UInt8] {
        var bytes: [UInt8] = []
        print(to: &bytes, indentation: nil)
        return bytes
    }

    private func print(to bytes: inout [UInt8], indentation: String?) {
        let inner = indentation.map { $0 + "  " }
        switch self {
        case .scalar(let text): bytes += text.utf8
        case .text(let text): Self.print(text, to: &bytes)
        case .array(let elements):
            bytes += "[".utf8
            for (index, element) in elements.enumerated() {
                bytes += ((index > 0 ? "," : "") + (inner ?? "")).utf8
                element.print(to: &bytes, indentation: inner)
            }
            bytes += ((elements.isEmpty ? "" : indentation ?? "") + "]").utf8
        case .object(let members):
            bytes += "{".utf8
            for (index, member) in members.enumerated() {
                bytes += ((index > 0 ? "," : "") + (inner ?? "")).utf8
                Self.print(member.0, to: &bytes)
                bytes += (inner == nil ? ":" : ": ").utf8
                member.1.print(to: &bytes, indentation: inner)
            }
            bytes += ((members.isEmpty ? "" : indentation ?? "") + "}").utf8
        }
    }

    private static func print(_ text: String, to bytes: inout [UInt8]) {
        bytes += "\"".utf8
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            default: bytes.append(byte)
            }
        }
        bytes += "\"".utf8
    }
}
