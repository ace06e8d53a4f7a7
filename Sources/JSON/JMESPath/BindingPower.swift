/// How strongly operators bind what stands to their left; none below `projectionEnd` continues a projection.
enum BindingPower {
    static let none = 0
    static let pipe = 1
    static let ternary = 2
    static let or = 3
    static let and = 4
    static let comparison = 5
    static let sum = 6
    static let product = 7
    static let flatten = 9
    static let projectionEnd = 10
    static let star = 20
    static let filter = 21
    // Weaker than the dot, unlike in jmespath.py, where `!a.b` is the member of a Boolean, which is always null.
    static let not = 30
    static let dot = 40
    static let bracket = 55
}

extension Token {
    /// The power of an operator; `none` for other tokens.
    var power: Int {
        switch symbol {
        case .pipe: BindingPower.pipe
        case .question: BindingPower.ternary
        case .or: BindingPower.or
        case .and: BindingPower.and
        case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual: BindingPower.comparison
        case .plus, .minus: BindingPower.sum
        case .star, .times, .divide, .divideWhole, .remainder: BindingPower.product
        case .flatten: BindingPower.flatten
        case .filter: BindingPower.filter
        case .dot: BindingPower.dot
        case .openBracket: BindingPower.bracket
        default: BindingPower.none
        }
    }
}
