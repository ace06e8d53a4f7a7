import JSONText

/// The places that a value may have in a document, before there is one.
package indirect enum ReadValue: Sendable {
    /// A value at a path: the names from the root on, nil for any member. Elements of an array have the path of their array.
    case path([String?])
    /// An object that the expression makes; nil for any name.
    case object([(name: String?, value: ReadValue)])
    /// One of several values; of none, if the value is not in the document.
    case either([ReadValue])

    /// One of the values, at most 32 of them.
    static func oneOf(_ values: [ReadValue]) -> ReadValue {
        .either(Array(values.flatMap { if case .either(let inner) = $0 { inner } else { [$0] } }.prefix(32)))
    }
}

/// Finds the members of documents that expressions read, before there is a document.
package struct ReadMembers {
    /// The functions whose results are members of their first argument, or have these as elements.
    private static let ofMembers: Set = ["items", "keys", "lookup", "values"]
    /// The functions that make an object with elements of their first argument, or of these.
    private static let ofMaps: Set = ["from_items", "group_by", "index_by"]

    /// The values of variables, without `$`.
    package var variables: [String: ReadValue] = [:]
    /// The paths that were read.
    package private(set) var paths: [[String?]] = []

    /// The name, in a path, of the place of a scalar in rows that are arrays; the rows have the path of their array.
    package static func column(_ index: Int) -> String { "[\(index)]" }

    /// The name, behind a path, that says of the value that integers alone are read.
    package static let integer = "[integer]"

    /// A reader that has read nothing.
    package init() {}

    /// Notes the members that an expression reads of a value, and returns the result.
    @discardableResult
    package mutating func read(_ expression: JMESPath, of current: ReadValue) -> ReadValue {
        read(expression.expression, of: current)
    }

    /// Notes that a member of a value is read, nil for all members, and returns the member.
    package mutating func step(_ name: String?, of current: ReadValue) -> ReadValue {
        switch current {
        case .path(let path):
            paths.append(path + [name])
            return .path(path + [name])
        case .object(let members):
            return .oneOf(members.filter { name == nil || $0.name == nil || $0.name == name }.map(\.value))
        case .either(let values): return .oneOf(values.map { step(name, of: $0) })
        }
    }

    private mutating func read(_ expression: Expression, of current: ReadValue) -> ReadValue {
        switch expression {
        case .current: return current
        case .index(let index):
            if case .path(let path) = current { paths.append(path + [Self.column(index)]) }
            return current
        case .root: return variables["$"] ?? .path([])
        case .literal, .pattern: return .either([])
        case .variable(let name): return variables[name] ?? .either([])
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
        case .not(let value), .negation(let value), .plus(let value): return read(value, of: current)
        case .comparison(_, let first, let second), .arithmetic(_, let first, let second):
            return either([first, second], of: current)
        case .or(let first, let second): return either([first, second], of: current)
        case .and(let condition, let value):
            _ = read(condition, of: current)
            return read(value, of: current)
        case .ternary(let condition, let first, let second):
            _ = read(condition, of: current)
            return either([first, second], of: current)
        case .list(let values): return either(values, of: current)
        case .object(let members): return .object(members.map { ($0.name, read($0.value, of: current)) })
        case .bound(let members, let body):
            let outer = variables
            defer { variables = outer }
            for member in members { variables[member.name] = read(member.value, of: current) }
            return read(body, of: current)
        case .call(let function, let arguments, let each):
            let values = arguments.map { read($0, of: current) }
            let first = values.first ?? .either([])
            let result = each.map { read($0, of: first) }
            if function == .map { return result ?? .either([]) }
            if Self.ofMembers.contains(function.rawValue) { return step(nil, of: first) }
            return Self.ofMaps.contains(function.rawValue) ? .object([(nil, first)]) : .oneOf(values)
        }
    }

    private mutating func read(_ next: Expression?, of current: ReadValue) -> ReadValue {
        next.map { read($0, of: current) } ?? current
    }

    /// Reads all expressions, and returns their results as one.
    private mutating func either(_ expressions: [Expression], of current: ReadValue) -> ReadValue {
        .oneOf(expressions.map { read($0, of: current) })
    }
}

extension JMESPath {
    /// The members of the current value that the expression names.
    package var namedMembers: [String] {
        var reader = ReadMembers()
        reader.read(self, of: .path([]))
        return reader.paths.compactMap { $0.first ?? nil }.filter { !$0.hasPrefix("[") }
    }
}
