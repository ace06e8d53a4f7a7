import JMESPath

extension Shape {
    /// The expressions with the paths of documents that they read, as ``ReadMembers`` tells them.
    package var readings: [(expression: String, path: [String?])] {
        var reader = ShapeReader()
        reader.read(root, of: [])
        return reader.readings
    }
}

/// Follows the expressions of a shape from the root of documents.
private struct ShapeReader {
    private var reader = ReadMembers()
    private(set) var readings: [(expression: String, path: [String?])] = []

    mutating func read(_ node: ShapeNode, of current: [String?]?) {
        let outer = reader.variables
        defer { reader.variables = outer }
        for binding in node.bindings { reader.variables[binding.name] = read(binding.expression, of: current) }
        let value = read(node.source, of: current)
        switch node.content {
        case .open, .openObject: break
        case .scalar(let rules): for expression in rules.expressions { read(expression, of: current) }
        case .object(let properties, let others):
            for property in properties { read(property.node, of: value) }
            if let others { read(others, of: value.map { $0 + [nil] }) }
        case .array(let elements):
            if case .expression(let limit) = elements.limit { read(limit, of: current) }
            read(elements.node, of: value)
        }
    }

    private mutating func read(_ source: ShapeNode.Source, of current: [String?]?) -> [String?]? {
        switch source {
        case .current: return current
        case .path(let names):
            let path = current.map { $0 + names }
            if let path { readings.append((names.joined(separator: "."), path)) }
            return path
        case .expression(let expression), .composition(let expression): return read(expression, of: current)
        case .columns(let columns):
            for column in columns { read(column.expression, of: current) }
            return nil
        }
    }

    @discardableResult
    private mutating func read(_ expression: JMESPath, of current: [String?]?) -> [String?]? {
        let count = reader.paths.count
        defer { readings += reader.paths[count...].map { (expression.text, $0) } }
        return reader.read(expression, of: current)
    }
}
