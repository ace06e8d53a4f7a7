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
    case projection(Projection, Expression?)
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
