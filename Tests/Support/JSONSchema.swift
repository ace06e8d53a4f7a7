import Foundation

/// A JSON Schema (draft 2020-12) of the keywords that the tests' schemas use.
///
/// `type`, `enum`, `minimum`, `maximum`, `properties`, `required`, `additionalProperties: false`, `items`, and `$ref` to
/// `$defs`. Another keyword is an error, so no rule of a schema is skipped.
package struct JSONSchema: Sendable {
    private let text: Data

    /// Reads a schema from a file.
    package init(file: String) throws { text = try Data(contentsOf: URL(fileURLWithPath: file)) }

    /// Returns what a document has that the schema forbids, or lacks that it demands: a path and a reason each.
    package func faults(in document: some Collection<UInt8>) throws -> [String] {
        guard let root = try JSONSerialization.jsonObject(with: text) as? [String: Any] else {
            throw Failure("the schema is not an object")
        }
        let value = try JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)
        return try Check(root: root).faults(in: value, root, at: "$")
    }
}

private struct Check {
    let root: [String: Any]
    private static let annotations: Set = ["$comment", "$defs"]

    init(root: [String: Any]) { self.root = root }

    func faults(in value: Any, _ schema: [String: Any], at path: String) throws -> [String] {
        try schema.filter { !Self.annotations.contains($0.key) }.flatMap { keyword, rule in
            try faults(in: value, keyword, rule, schema, at: path)
        }
    }

    private func faults(
        in value: Any, _ keyword: String, _ rule: Any, _ schema: [String: Any], at path: String
    ) throws -> [String] {
        let members = value as? [String: Any]
        switch (keyword, rule) {
        case ("$ref", let reference as String):
            guard reference.hasPrefix("#/$defs/"), let definitions = root["$defs"] as? [String: Any],
                let target = definitions[String(reference.dropFirst("#/$defs/".count))] as? [String: Any]
            else { throw Failure("\(path): there is no \(reference)") }
            return try faults(in: value, target, at: path)
        case ("type", let type as String):
            return try Self.has(value, type) ? [] : ["\(path): \(value) is not of type \(type)"]
        case ("enum", let words as [String]):
            let word = value as? String
            return word.map(words.contains) == true ? [] : ["\(path): \(value) is none of \(words)"]
        case ("minimum", let least as NSNumber):
            let number = value as? NSNumber
            return number.map { $0.doubleValue < least.doubleValue } == true ? ["\(path): \(value) < \(least)"] : []
        case ("maximum", let greatest as NSNumber):
            let number = value as? NSNumber
            return number.map { $0.doubleValue > greatest.doubleValue } == true
                ? ["\(path): \(value) > \(greatest)"] : []
        case ("required", let names as [String]):
            return names.filter { members.map { $0.keys } != nil && members?[$0] == nil }.map {
                "\(path).\($0): missing"
            }
        case ("properties", let properties as [String: [String: Any]]):
            return try properties.flatMap { name, schema in
                try members?[name].map { try faults(in: $0, schema, at: "\(path).\(name)") } ?? []
            }
        case ("additionalProperties", let isAllowed as Bool) where !isAllowed:
            let properties = schema["properties"] as? [String: Any] ?? [:]
            return (members ?? [:]).keys.filter { properties[$0] == nil }.map { "\(path).\($0): unknown" }
        case ("items", let schema as [String: Any]):
            return try (value as? [Any] ?? []).enumerated().flatMap { index, element in
                try faults(in: element, schema, at: "\(path)[\(index)]")
            }
        default: throw Failure("\(path): the keyword \(keyword) is not known")
        }
    }

    private static func has(_ value: Any, _ type: String) throws -> Bool {
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "number", "integer":
            guard let number = value as? NSNumber, !isBoolean(number) else { return false }
            return type == "number" || number.doubleValue == number.doubleValue.rounded()
        default: throw Failure("the type \(type) is not known")
        }
    }

    private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
