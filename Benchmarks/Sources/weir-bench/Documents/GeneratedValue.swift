/// A JSON value from which the generators build documents.
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

    /// The value as JSON, indented by two spaces per level as the recorded Twitter answer is.
    var prettyPrinted: [UInt8] {
        var bytes: [UInt8] = []
        print(to: &bytes, indentation: "\n")
        return bytes
    }

    /// The value as JSON without white space.
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

// Random content of generated documents.
extension SplitMix64 {
    /// Returns true in `percent` of a hundred cases.
    mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// Returns an integer in `range`.
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Returns a number in `range`, rounded to `places` decimals.
    mutating func decimal(_ range: ClosedRange<Double>, places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (Double.random(in: range, using: &self) * scale).rounded() / scale
    }

    /// Returns one of `elements`, which are not empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }
}
