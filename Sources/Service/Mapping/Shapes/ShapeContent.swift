import API
import JMESPath
import JSONText
import Records

/// The content that a shape makes: an object, an array, or neither.
struct ShapeKind {
    /// The keywords that are read here and by the compiler.
    static let keys = [
        "from", "let", "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "uniqueItems",
        "nulls",
        "default", "optional", "title", "description", "examples",
    ]

    /// Whether nulls leave; see `nulls`.
    private enum Nulls: String, CaseIterable { case keep, drop }

    let isArray: Bool
    let isObject: Bool
    /// Whether null is written where the value is null.
    let keepsNulls: Bool
    /// Whether the shape has rules for a scalar.
    let isScalar: Bool

    /// Whether the shape makes an object or an array.
    var isStructure: Bool { isArray || isObject }

    /// Reads `type` and `nulls`, and notes what contradicts them.
    init(_ keys: KeyReader) {
        let types = keys["type"]?.elements ?? keys["type"].map { [$0] } ?? []
        let type = types.first { $0 != "null" }?.stringValue
        let (isArray, isObject) = (
            keys["items"] != nil || type == "array",
            keys["properties"] != nil || keys["additionalProperties"] != nil || type == "object"
        )
        (self.isArray, self.isObject) = (isArray, isObject)
        let nulls = keys.choice("nulls", Nulls.self)
        keepsNulls = nulls == .keep || types.contains("null")
        isScalar = ScalarRules.keys.contains { keys[$0] != nil }
        if nulls == .drop, types.contains("null") { keys.note("nulls", "must be keep: the type has null") }
        let name = isArray ? "array" : "object"
        if isArray, isObject { keys.note("items", "makes an array: leave out \"properties\" and the like") }
        if isArray || isObject {
            if let type, type != name, !(isArray && isObject) {
                keys.note("type", "must be \"\(name)\" beside the other keywords")
            }
            for key in ScalarRules.keys where keys[key] != nil && !["type", "absent", "map"].contains(key) {
                keys.note(key, "is a rule of scalars, and the shape makes an \(name)")
            }
            if let value = keys["default"], isArray ? value.elements == nil : value.members == nil {
                keys.note("default", "must be an \(name), not \(value.kindName)")
            }
        }
        for (key, other) in [
            ("minItems", "items"), ("maxItems", "items"), ("uniqueItems", "items"), ("required", "properties"),
        ]
        where keys[key] != nil && keys[other] == nil && !(isArray && other == "items") {
            keys.note(key, "needs \"\(other)\"")
        }
    }
}

extension ShapeCompiler {
    /// Compiles what becomes of the value.
    mutating func content(
        _ keys: KeyReader, _ kind: ShapeKind, at path: String, in scope: Scope
    ) -> ShapeNode.Content {
        if kind.isArray { return array(keys, kind, at: path, in: scope) }
        if kind.isObject { return object(keys, at: path, in: scope) }
        return kind.isScalar ? .scalar(rules(keys, of: ScalarRules.keys, at: path, in: scope)) : .open
    }

    /// Compiles those rules of a scalar that are among `names`.
    mutating func rules(_ keys: KeyReader, of names: [String], at path: String, in scope: Scope) -> ScalarRules {
        let members = keys.members.filter { names.contains($0.key) }
        let rules = ScalarRules(.object(members), at: path, variables: scope.variables) { faults.note($0, $1) }
        for expression in rules.expressions { use(expression) }
        return rules
    }

    private mutating func object(_ keys: KeyReader, at path: String, in scope: Scope) -> ShapeNode.Content {
        var scope = scope
        switch scope.value {
        case .anything, .object: break
        case .scalar, .array:
            // Properties read any value, such as a row that is an array.
            if keys["properties"] != nil { break }
            let key = ["additionalProperties", "type"].first { keys[$0] != nil }
            keys.note(key ?? "type", "can never have a value: the value of \"from\" is no object")
            scope.value = .anything
        }
        let (value, others) = (keys.object("properties"), keys["additionalProperties"])
        if value == nil, others == nil { return .openObject }
        let names = value?.members.map(\.key) ?? []
        let required = required(keys, names)
        var properties: [ShapeNode.Property] = []
        for member in value?.members ?? [] {
            if properties.contains(where: { $0.name == member.key }) {
                value?.note(member.key, "appears more than once; keep one of them")
            }
            var inner = scope
            inner.steps.append(.member(member.key))
            guard let node = node(member.value, at: "\(path).properties.\(member.key)", in: inner) else { continue }
            let key = JSONValue.string(member.key).text + [UInt8(ascii: ":")]
            properties.append(
                ShapeNode.Property(
                    name: member.key, key: key, node: node, isRequired: required.contains(member.key)))
        }
        guard let others, others != false else { return .object(properties, others: nil) }
        scope.steps.append(.key)
        scope.value = .anything
        let shape = others == true ? [:] : others
        return .object(properties, others: node(shape, at: "\(path).additionalProperties", in: scope))
    }

    private func required(_ keys: KeyReader, _ known: [String]) -> Set<String> {
        let names = keys.array("required") ?? []
        for (index, name) in names.enumerated() where !known.contains(name.stringValue ?? "") && !known.isEmpty {
            let hint = name.stringValue.map { Quotation.hint($0, among: known) } ?? ""
            keys.note("required[\(index)]", "must be the name of a property\(hint)")
        }
        return Set(names.compactMap(\.stringValue))
    }

    private mutating func array(
        _ keys: KeyReader, _ kind: ShapeKind, at path: String, in scope: Scope
    ) -> ShapeNode.Content {
        var inner = scope
        inner.steps.append(.element)
        if case .array(let element) = scope.value { inner.value = element }
        guard let node = node(keys["items"] ?? [:], at: "\(path).items", in: inner) else { return .open }
        if let least = keys["minItems"]?.intValue, let most = keys["maxItems"]?.intValue, least > most {
            keys.note("minItems", "must be at most maxItems, which is \(most)")
        }
        return .array(
            ShapeNode.Elements(
                node: node, minimum: limit(keys, "minItems"), limit: limit(keys, "maxItems"),
                areUnique: keys.flag("uniqueItems"),
                keepsNulls: kind.keepsNulls || node.keepsNulls))
    }

    private mutating func limit(_ keys: KeyReader, _ key: String) -> ShapeNode.Elements.Limit {
        guard let value = keys[key] else { return .none }
        if let number = value.intValue, number >= 0 { return .number(number) }
        guard let text = value.stringValue, text.first == "(", text.last == ")" else {
            keys.note(key, "must be a whole number, or an expression in parentheses")
            return .none
        }
        guard let expression = keys.expression(String(text.dropFirst().dropLast()), key) else { return .none }
        use(expression)
        return .expression(expression)
    }
}
