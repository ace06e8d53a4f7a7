import JSONText

/// A compiled expression, or a step of one, which is applied to the current value.
indirect enum Expression: Sendable {
    /// `@`
    case current
    /// `$`
    case root
    case literal(Literal)
    /// `$name`
    case variable(String)
    case member(MemberKey)
    case index(Int)
    /// `a.b`, `a[0]`, `a | b`: each on the result of the one before.
    case sequence([Expression])
    /// A projection, and the expression that is applied to each element; nil if the projection ends the expression.
    ///
    /// The nulls of a projection leave, unless the projection makes a column.
    case projection(Projection, Expression?, keepsNulls: Bool = false)
    case list([Expression])
    case object([Member])
    case or(Expression, Expression)
    case and(Expression, Expression)
    case not(Expression)
    case comparison(Comparison, Expression, Expression)
    case arithmetic(Arithmetic, Expression, Expression)
    case negation(Expression)
    /// The unary `+`.
    case plus(Expression)
    case ternary(Expression, then: Expression, else: Expression)
    case bound([Member], in: Expression)
    /// A call with the values of its arguments, and the `&expression` among them.
    case call(Function, [Expression], each: Expression?)
    /// The regular expression of `match` and `replace_pattern`, in the place of an `&expression`.
    case pattern(any JMESPattern)

    /// A name and the expression of its value.
    struct Member: Sendable {
        let name: String
        let value: Expression
    }

    /// The elements to which an expression is applied.
    enum Projection: Sendable {
        case elements
        case values
        case flattened
        case filtered(by: Expression)
        /// `[start:stop:step]`
        case sliced(start: Int?, stop: Int?, step: Int)
    }

    /// A comparison.
    enum Comparison: String, Sendable {
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    /// An operation on two numbers.
    enum Arithmetic: String, Sendable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
        case remainder = "%"
        case divideWhole = "//"
    }
}

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
            case .object: .object(node.distinct.map { ($0.key.string ?? "", Literal($0.value)) })
            }
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

/// The form that the result of an expression has for every document, unless the result is null.
package indirect enum ExpressionResult: Sendable {
    /// Nothing is known.
    case anything
    /// A Boolean, a number or a string.
    case scalar
    /// An object, with the names of its members if they are known.
    case object([String]?)
    /// An array, and what its elements are.
    case array(ExpressionResult)
}

extension Expression {
    /// The form of the result for a current value of any form.
    var result: ExpressionResult {
        switch self {
        case .not, .comparison, .arithmetic, .negation, .plus: .scalar
        case .list(let elements): .array(elements.count == 1 ? elements[0].result : .anything)
        case .object(let members): .object(members.map(\.name))
        // A slice of a text is a text.
        case .projection(.sliced, _, _): .anything
        case .projection(_, let next, _): .array(next?.result ?? .anything)
        case .sequence(let steps): steps.last?.result ?? .anything
        case .bound(_, let body): body.result
        case .literal(let literal): literal.result
        case .call(let function, _, let each): function.result(each)
        case .current, .root, .variable, .member, .index, .or, .and, .ternary, .pattern: .anything
        }
    }
}

extension Literal {
    fileprivate var result: ExpressionResult {
        switch self {
        case .null: .anything
        case .bool, .number, .string: .scalar
        case .array: .array(.anything)
        case .object(let members): .object(members.map(\.key))
        }
    }
}

extension Function {
    fileprivate func result(_ each: Expression?) -> ExpressionResult {
        switch self {
        case .lookup, .max, .min, .maxBy, .minBy, .notNull, .parseJSON, .reverse: .anything
        case .map: .array(each?.result ?? .anything)
        case .items, .keys, .match, .values, .sort, .sortBy, .split, .toArray, .zip: .array(.anything)
        case .fromItems, .groupBy, .indexBy, .merge: .object(nil)
        default: .scalar
        }
    }
}
