import JSONText

/// A value that stands in an expression.
indirect enum Literal: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([Literal])
    case object([(key: String, value: Literal)])

    /// A copy of a node.
    init(_ node: JSONNode) {
        let value = JMESValue.node(node)
        self =
            switch value.kind {
            case .null: .null
            case .boolean: .bool(value.bool ?? false)
            case .number: .number(value.numberText ?? "0")
            case .string: .string(value.string ?? "")
            case .array: .array(node.elements.map(Literal.init))
            case .object: .object(value.members.map { ($0.key, Literal($0.value)) })
            }
    }

    private init(_ value: JMESValue) {
        if case .node(let node) = value { self.init(node) } else { self = .null }
    }

    /// The value.
    var value: JMESValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(members.map { JMESValue.Member($0.key, $0.value.value) })
        }
    }

    /// The levels of arrays and objects.
    var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }

    /// The number of values in it.
    var count: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        default: 1
        }
    }
}
