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
        case .projection(_, let next): .array(next?.result ?? .anything)
        case .sequence(let steps): steps.last?.result ?? .anything
        case .bound(_, let body): body.result
        case .literal(let literal): literal.result
        case .call(let function, _, let each): function.result(each)
        case .current, .root, .variable, .member, .index, .or, .and, .ternary: .anything
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
        case .max, .min, .maxBy, .minBy, .notNull, .reverse: .anything
        case .map: .array(each?.result ?? .anything)
        case .items, .keys, .values, .sort, .sortBy, .split, .toArray, .zip: .array(.anything)
        case .fromItems, .groupBy, .merge: .object(nil)
        default: .scalar
        }
    }
}
