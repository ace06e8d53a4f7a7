import JSONText

/// The functions on numbers.
extension Function {
    /// `abs`, `avg`, `ceil`, `floor`, `sum` and `to_number`.
    func number(_ value: JMESValue, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        try context.work(value.kind == .array ? 0 : value.textSize / 16)
        switch self {
        case .abs: return value.numberText?.hasPrefix("-") == true ? try value.negated() : value
        case .ceil, .floor:
            if case .node(let node) = value, node.kind == .integer { return value }
            return JMESNumber(value).rounded(up: self == .ceil).value
        case .toNumber:
            if value.kind == .number { return value }
            guard let text = value.string, NumberText.isNumber(text) else { return .null }
            return .number(text)
        default: break
        }
        var sum = JMESNumber.decimal(Decimal(0))
        var count = 0
        for element in value.elements ?? [] {
            try context.work(4 + element.textSize / 16)
            guard element.kind == .number else { throw .type("\(rawValue)()", takes: "numbers", not: element) }
            sum = try JMESNumber.compute(.add, sum, JMESNumber(element))
            count += 1
        }
        if self == .sum { return sum.value }
        if count == 0 { return .null }
        return try JMESNumber.compute(.divide, sum, .decimal(Decimal(Int128(count)))).value
    }
}
