/// Columns: arrays whose elements at one index belong together, as in `zip` and in the rows of a shape.
extension Expression {
    /// The expression with projections that keep their nulls, so that no value moves to another row.
    var column: Expression {
        switch self {
        case .projection(let projection, let next, _): return .projection(projection, next, keepsNulls: true)
        case .sequence(var steps):
            // The arrays that a flattening joins are columns; that one of them is absent adds no row.
            var isJoined = false
            for index in steps.indices.reversed() {
                guard case .projection(let projection, let next, _) = steps[index] else { break }
                steps[index] = .projection(projection, isJoined ? next?.column : next, keepsNulls: !isJoined)
                isJoined = if case .flattened = projection { true } else { false }
            }
            return .sequence(steps)
        // A column of nulls is none.
        case .or(let left, let right): return .ternary(left, then: left.column, else: right.column)
        case .and(let left, let right): return .and(left, right.column)
        case .ternary(let condition, let then, let other):
            return .ternary(condition, then: then.column, else: other.column)
        case .bound(let members, let body): return .bound(members, in: body.column)
        case .call(let function, let arguments, let each) where function == .reverse || function == .notNull:
            return .call(function, arguments.map(\.column), each: each)
        default: return self
        }
    }

    /// Whether a column leaves elements out by a condition.
    fileprivate var isFiltered: Bool {
        switch self {
        case .projection(.filtered, _, _): true
        case .sequence(let steps):
            steps.reversed().prefix { if case .projection = $0 { true } else { false } }.contains(where: \.isFiltered)
        case .ternary(_, let then, let other): then.isFiltered || other.isFiltered
        case .and(_, let value), .bound(_, let value): value.isFiltered
        case .call(.reverse, let arguments, _), .call(.notNull, let arguments, _):
            arguments.contains(where: \.isFiltered)
        default: false
        }
    }

    /// Whether nulls of an array leave where the expression ends in a projection.
    fileprivate var dropsNulls: Bool {
        switch self {
        case .projection(_, _, let keepsNulls): !keepsNulls
        case .sequence(let steps): steps.last?.dropsNulls == true
        case .call(.reverse, let arguments, _), .call(.notNull, let arguments, _):
            arguments.contains(where: \.dropsNulls)
        default: false
        }
    }

    /// Whether the value is that of one of these variables.
    fileprivate func isVariable(_ names: Set<String>) -> Bool {
        switch self {
        case .variable(let name): names.contains(name)
        case .call(.reverse, let arguments, _), .call(.notNull, let arguments, _):
            arguments.contains { $0.isVariable(names) }
        default: false
        }
    }
}

extension JMESPath {
    /// The expression as a column, whose projections keep their nulls.
    package var column: JMESPath { JMESPath(text: text, variables: variables, expression: expression.column) }

    /// Whether a column leaves elements out by a condition, so that the others move to other rows.
    package var isFilteredColumn: Bool { expression.isFiltered }

    /// Whether the nulls of the array that the expression makes have left.
    package var dropsNulls: Bool { expression.dropsNulls }

    /// Whether the expression is one of these variables.
    package func isVariable(_ names: Set<String>) -> Bool { expression.isVariable(names) }
}
