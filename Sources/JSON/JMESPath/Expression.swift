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
    /// The expression behind each kind of projection; nil if the projection ends the expression.
    case elements(Expression?)
    case values(Expression?)
    case flattened(Expression?)
    case filtered(by: Expression, Expression?)
    /// A slice and what is applied to each of its elements.
    case sliced(Slice, Expression?)
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

    /// A name and the expression of its value.
    struct Member: Sendable {
        let name: String
        let value: Expression
    }

    /// `[start:stop:step]`.
    struct Slice: Sendable {
        let start: Int?
        let stop: Int?
        let step: Int
    }

    /// A comparison.
    enum Comparison: Sendable { case equal, unequal, less, lessOrEqual, greater, greaterOrEqual }

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
