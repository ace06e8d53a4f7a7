import JSONText

extension JMESPath {
    /// The members of the current value that the expression names; members of other values are left out.
    package var namedMembers: [String] { expression.namedMembers }
}

extension Expression {
    fileprivate var namedMembers: [String] {
        switch self {
        case .member(let key): [key.text]
        case .sequence(let steps): steps.first?.namedMembers ?? []
        case .not(let value), .negation(let value), .plus(let value): value.namedMembers
        case .or(let first, let second), .and(let first, let second), .comparison(_, let first, let second),
            .arithmetic(_, let first, let second):
            first.namedMembers + second.namedMembers
        case .ternary(let condition, let first, let second):
            condition.namedMembers + first.namedMembers + second.namedMembers
        case .list(let values), .call(_, let values, _): values.flatMap(\.namedMembers)
        case .object(let members): members.flatMap(\.value.namedMembers)
        case .bound(let members, let body): members.flatMap(\.value.namedMembers) + body.namedMembers
        case .current, .root, .literal, .variable, .index, .projection: []
        }
    }
}
