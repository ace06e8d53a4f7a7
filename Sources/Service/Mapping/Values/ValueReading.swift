import JMESPath
import JSONText
import Records

extension JMESValue {
    /// A string of at most 100 bytes, which no date exceeds; nil for other values.
    var shortText: String? { text(atMost: 100) }

    /// A string of at most so many bytes as it is written; nil for other values.
    func text(atMost maximum: Int) -> String? {
        switch self {
        case .node(let node): node.isString && node.text.count <= maximum ? node.string : nil
        case .string(let text): text.utf8.count <= maximum ? text : nil
        default: nil
        }
    }

    /// Passes the bytes of a string of at most 100 bytes to `body`; returns nil for other values.
    func withShortText<Result>(_ body: (Span<UInt8>) -> Result?) -> Result? {
        if case .node(let node) = self, node.kind == .string {
            return node.text.count <= 100 ? body(node.text.span) : nil
        }
        return shortText.flatMap { body($0.utf8.span) }
    }

    /// The number that a string spells, spaces around it allowed; nil for other values.
    var spelledNumber: String? {
        if case .node(let node) = self, node.kind == .string {
            return node.numericText.map { String(decoding: $0, as: UTF8.self) }
        }
        guard let text = string else { return nil }
        let isOther: (UInt8) -> Bool = { $0 != UInt8(ascii: " ") }
        guard let first = text.utf8.firstIndex(where: isOther), let last = text.utf8.lastIndex(where: isOther)
        else { return nil }
        let number = String(text[first...last])
        return NumberText.isNumber(number) ? number : nil
    }

    /// Passes the digits of a number to `body`; returns nil for other values.
    func withDigits<Result>(_ body: (DecimalText) -> Result?) -> Result? {
        kind == .number ? withNumber { body(DecimalText($0)) } : nil
    }
}

extension JMESValue {
    /// The steps that comparing with a value of the configuration may take.
    private static let comparingSteps = 1_000_000

    /// Returns whether the value equals one of the configuration; false if that takes too many steps.
    func isEqual(to other: JMESValue) -> Bool {
        var context = JMESContext(root: .null, maximumSteps: Self.comparingSteps)
        return (try? isEqual(to: other, in: &context)) ?? false
    }

    /// A value of the configuration, whose depth bounds the recursion.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let text): self = .number(text)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JMESValue($0) })
        case .object(let members): self = .object(members.map { Member($0.key, JMESValue($0.value)) })
        }
    }
}
