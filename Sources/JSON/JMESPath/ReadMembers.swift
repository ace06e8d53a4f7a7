import JSONText

/// Finds the members of documents that expressions read, before there is a document.
///
/// A path has the names from the root on, nil for any member; elements of an array have the path of their array.
package struct ReadMembers {
    /// The paths of the values of variables, without `$`.
    package var variables: [String: [String?]] = [:]
    /// The paths that were read.
    package private(set) var paths: [[String?]] = []

    /// A reader that has read nothing.
    package init() {}

    /// Notes the members that an expression reads of the value at a path; returns the path of the result, nil if it has none.
    @discardableResult
    package mutating func read(_ expression: JMESPath, of current: [String?]?) -> [String?]? {
        read(expression.expression, of: current)
    }

    private mutating func step(_ name: String?, of current: [String?]?) -> [String?]? {
        guard let current else { return nil }
        paths.append(current + [name])
        return current + [name]
    }

    private mutating func read(_ expression: Expression, of current: [String?]?) -> [String?]? {
        switch expression {
        case .current, .index: return current
        case .root: return []
        case .literal, .pattern: return nil
        case .variable(let name): return variables[name] ?? nil
        case .member(let key): return step(key.text, of: current)
        case .sequence(let steps): return steps.reduce(current) { read($1, of: $0) }
        case .projection(let projection, let next, _):
            switch projection {
            case .values: return read(next, of: step(nil, of: current))
            case .filtered(let condition):
                _ = read(condition, of: current)
                return read(next, of: current)
            case .elements, .flattened, .sliced: return read(next, of: current)
            }
        case .not(let value), .negation(let value), .plus(let value): return either([value], of: current)
        case .or(let first, let second), .comparison(_, let first, let second), .arithmetic(_, let first, let second):
            return either([first, second], of: current)
        case .and(let condition, let value): return either([value, condition], of: current)
        case .ternary(let condition, let first, let second): return either([first, second, condition], of: current)
        case .list(let values): return either(values, of: current)
        case .object(let members):
            _ = either(members.map(\.value), of: current)
            return nil
        case .bound(let members, let body):
            let outer = variables
            defer { variables = outer }
            for member in members { variables[member.name] = read(member.value, of: current) }
            return read(body, of: current)
        case .call(let function, let arguments, let each):
            let array = either(arguments, of: current)
            let result = each.map { read($0, of: array) } ?? nil
            return function == .map ? result : array
        }
    }

    private mutating func read(_ next: Expression?, of current: [String?]?) -> [String?]? {
        next.map { read($0, of: current) } ?? current
    }

    /// Reads all expressions, and returns the path of the first result that has one.
    private mutating func either(_ expressions: [Expression], of current: [String?]?) -> [String?]? {
        expressions.map { read($0, of: current) }.compactMap(\.self).first
    }
}

extension JMESPath {
    /// The members of the current value that the expression names.
    package var namedMembers: [String] {
        var reader = ReadMembers()
        reader.read(self, of: [])
        return reader.paths.compactMap { $0.first ?? nil }
    }
}
