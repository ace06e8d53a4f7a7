import API
import JMESPath
import JSONText
import Records

/// Compiles the JSON of a shape, and collects its faults with their paths.
struct ShapeCompiler {
    /// How deep shapes may nest: the levels that reading and writing recurse through.
    static let maximumDepth = 64

    /// The names and values that a shape gets from the shapes around it.
    struct Scope {
        var steps: [ShapeNode.Step] = []
        /// The names that expressions may use with `$`.
        var variables: Set<String>
        /// The variables that `let` gives to projections, whose nulls have left.
        var projections: Set<String> = []
        var place: String?
        /// The form that the current value has for every document.
        var value = ExpressionResult.anything
    }

    let faults = KeyReader.Faults()
    private(set) var nodes: [ShapeNode?] = []
    /// The names that expressions use with `$`, those that `let` gives included.
    private(set) var usedVariables: Set<String> = []
    private(set) var warnings: [String] = []
    private let parameters: Set<String>

    init(parameters: Set<String>) { self.parameters = parameters }

    /// Returns the node of a shape; nil if the shape is none, with a fault noted.
    mutating func node(_ shape: JSONValue, at path: String, in outer: Scope) -> ShapeNode? {
        let number = nodes.count
        nodes.append(nil)
        guard outer.steps.count < Self.maximumDepth else {
            faults.note(path, "shapes nest at most \(Self.maximumDepth) levels deep")
            return nil
        }
        guard shape.members != nil || shape.stringValue != nil else {
            faults.note(path, "must be a shape, or an expression as a text, not \(shape.kindName)")
            return nil
        }
        let words = shape.members == nil ? ["from": shape] : shape
        var scope = outer
        let bindings = bindings(KeyReader(words, at: path, variables: scope.variables, faults), &scope)
        let keys = KeyReader(words, at: path, variables: scope.variables, faults)
        checkNames(keys)
        var source = source(keys, &scope)
        let kind = ShapeKind(keys)
        let content = content(keys, kind, at: path, in: scope)
        if case .open = content, case .expression(let expression) = source {
            switch expression.result {
            case .array, .object: source = .composition(expression)
            case .anything, .scalar: break
            }
        }
        let replacements = kind.isStructure ? rules(keys, of: ["absent", "map"], at: path, in: scope) : nil
        let node = ShapeNode(
            number: number, steps: scope.steps, source: source, place: scope.place, bindings: bindings,
            replacements: replacements?.isEmpty == false ? replacements : nil, content: content,
            keepsNulls: kind.keepsNulls, fallback: keys["default"]?.text, isOptional: keys.flag("optional"),
            annotations: ["title", "description", "examples", "default"].compactMap { key in
                keys[key].map { JSONValue.Member(key, $0) }
            })
        nodes[number] = node
        return node
    }

    /// Keywords of JSON Schema that no shape has, and how a shape says the same.
    private static let foreign: [String: String] = {
        let alternatives = "an expression chooses: \"from\": \"a || b\""
        return [
            "oneOf": alternatives, "anyOf": alternatives, "if": "an expression chooses: \"from\": \"a ? b : c\"",
            "allOf": "write all keywords side by side", "not": "write \"absent\" for values that mean none",
            "$ref": "write the shape in its place", "const": "write \"enum\" with one value",
            "nullable": "write \"nulls\": \"keep\"", "prefixItems": "write \"properties\" with \"[0]\", \"[1]\"",
        ]
    }()

    private func checkNames(_ keys: KeyReader) {
        let known = ShapeKind.keys + ScalarRules.keys
        for key in keys.members.map(\.key) where !known.contains(key) {
            let nearest = NearestName.closest(to: key, among: known) ?? "from"
            let advice = Self.foreign[key] ?? "did you mean \"\(nearest)\"?"
            keys.note(key, "there is no keyword \"\(key)\"; \(advice)")
        }
        for key in ["title", "description"] { _ = keys.text(key) }
        _ = keys.array("examples")
    }
}

// MARK: Expressions

extension ShapeCompiler {
    /// Compiles the expression that a key has; nil, with a fault noted, if it has none.
    mutating func expression(_ keys: KeyReader, _ key: String) -> JMESPath? {
        guard let expression = keys.text(key).flatMap({ keys.expression($0, key) }) else { return nil }
        use(expression)
        return expression
    }

    /// Notes the variables that an expression uses.
    mutating func use(_ expression: JMESPath) {
        usedVariables.formUnion(expression.variables)
    }

    private mutating func named(_ keys: KeyReader) -> [ShapeNode.NamedExpression] {
        keys.members.compactMap { member in
            expression(keys, member.key).map { ShapeNode.NamedExpression(name: member.key, expression: $0) }
        }
    }

    /// Compiles the names that `let` gives; the expressions see those of the shapes around.
    private mutating func bindings(_ keys: KeyReader, _ scope: inout Scope) -> [ShapeNode.NamedExpression] {
        guard let names = keys.object("let") else { return [] }
        for name in names.members.map(\.key) {
            if parameters.contains(name) { names.note(name, "is a parameter of the route; choose another name") }
            if !name.isIdentifier { names.note(name, "must have letters, digits and _, and no digit first") }
            scope.variables.insert(name)
        }
        let values = named(names)
        scope.projections.subtract(values.map(\.name))
        scope.projections.formUnion(values.filter { $0.expression.dropsNulls }.map(\.name))
        return values
    }

    /// Compiles `from`, and enters into the scope where its value comes from and what it is.
    private mutating func source(_ keys: KeyReader, _ scope: inout Scope) -> ShapeNode.Source {
        if keys["from"]?.members != nil, let named = keys.object("from").map({ named($0) }) {
            let columns = named.map { ShapeNode.NamedExpression(name: $0.name, expression: $0.expression.column) }
            for column in columns where column.expression.isFilteredColumn {
                warnings.append(
                    "the column \"\(column.name)\" filters its elements, so that others move to their rows: "
                        + column.expression.text)
            }
            for column in columns where column.expression.isVariable(scope.projections) {
                warnings.append(
                    "the column \"\(column.name)\" is a name of `let`, whose nulls have left, so that others move to "
                        + "their rows: write the projection in place of \(column.expression.text)")
            }
            if keys["from"] == [:] { keys.note("from", "must name at least one column") }
            if keys["items"] == nil { keys.note("from", "makes an array of objects: add \"items\"") }
            scope.place = columns.map(\.expression.text).joined(separator: ", ")
            scope.value = .array(.object(columns.map(\.name)))
            return .columns(columns)
        }
        guard keys["from"] != nil, let expression = expression(keys, "from") else { return .current }
        scope.place = expression.text
        guard let names = expression.memberNames else {
            scope.value = expression.result
            return .expression(expression)
        }
        guard let first = names.first else { return .current }
        switch scope.value {
        case .object(let known?) where !known.contains(first):
            let hint = Quotation.hint(first, among: known)
            keys.note("from", "can never have a value: the object has no member \"\(first)\"\(hint)")
        case .scalar, .array: keys.note("from", "can never have a value: the current value is no object")
        case .anything, .object: break
        }
        scope.value = .anything
        return .path(names)
    }
}

extension JMESPath {
    /// The names of a path of members alone; nil for other expressions.
    fileprivate var memberNames: [String]? {
        guard let steps = memberPath else { return nil }
        let names = steps.compactMap { step in
            if case .member(let name) = step { name } else { nil }
        }
        return names.count == steps.count ? names : nil
    }
}

extension String {
    fileprivate var isIdentifier: Bool {
        guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else { return false }
        return utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
    }
}
