import TestSupport

/// The declarations of modules.
struct Interface {
    private let declarations: [Declaration]
    /// The lines with `public` that could not be parsed.
    let overlooked: [String]
    /// The protocols to which each type and protocol declares conformance.
    private var conformances: [String: Set<String>] = [:]
    /// The names of the requirements of each protocol.
    private var requirements = Self.standardRequirements

    private static let standardRequirements: [String: Set<String>] = [
        "Decodable": ["init(from:)"], "Encodable": ["encode(to:)"], "Codable": ["init(from:)", "encode(to:)"],
        "Equatable": ["=="], "Hashable": ["==", "hash(into:)"], "Comparable": ["<"],
        "CustomStringConvertible": ["description"], "OptionSet": ["rawValue", "init(rawValue:)"],
        "CodingKey": ["stringValue", "intValue", "init(stringValue:)", "init(intValue:)"],
        "IteratorProtocol": ["next()"], "ExpressibleByNilLiteral": ["init(nilLiteral:)"],
        "ExpressibleByBooleanLiteral": ["init(booleanLiteral:)"],
        "ExpressibleByIntegerLiteral": ["init(integerLiteral:)"],
        "ExpressibleByFloatLiteral": ["init(floatLiteral:)"], "ExpressibleByStringLiteral": ["init(stringLiteral:)"],
        "ExpressibleByArrayLiteral": ["init(arrayLiteral:)"],
        "ExpressibleByDictionaryLiteral": ["init(dictionaryLiteral:)"],
    ]

    /// Returns the interface of the modules that users of the library import.
    static func library() async throws -> Interface { try await WorkQueue.documentation.run { try shared.get() } }

    private static let shared = Result {
        Interface(try ["LenientCoding", "Records", "CivilDates", "JSONText"].flatMap { try SourceFile.all(of: $0) })
    }

    init(_ files: [SourceFile]) {
        declarations = files.flatMap { $0.declarations() }
        overlooked = files.flatMap { $0.overlooked() }
        for declaration in declarations {
            if declaration.head.isType {
                conformances[Self.name(of: declaration.head), default: []].formUnion(Self.parents(declaration))
            }
            guard declaration.isRequirement, let owner = declaration.containers.last else { continue }
            requirements[Self.name(of: owner), default: []].insert(declaration.name)
        }
    }

    var publicDeclarations: [Declaration] { declarations.filter(\.isPublic) }

    /// Returns the last component of a type's name, without its generic parameters.
    private static func name(of head: Declaration.Head) -> String {
        let path = head.rest.prefix { $0.isLetter || $0.isNumber || $0 == "." }
        return String(path.split(separator: ".").last ?? "")
    }

    /// Returns the names after the colon in the first line of a type or an extension.
    private static func parents(_ declaration: Declaration) -> [String] {
        let head = declaration.signature.prefix { $0 != "{" }
        let unbound = head.firstRange(of: " where ").map { head[..<$0.lowerBound] } ?? head
        var depth = 0
        let colon = unbound.firstIndex { character in
            depth += character == "<" ? 1 : character == ">" ? -1 : 0
            return depth == 0 && character == ":"
        }
        guard let colon else { return [] }
        return unbound[colon...].dropFirst().split(separator: ",").map { part in
            String(part.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber })
        }
    }

    /// Whether the declaration implements a requirement of a protocol.
    func isWitness(_ declaration: Declaration) -> Bool {
        guard let owner = declaration.containers.last, owner.isType else { return false }
        let name = declaration.name
        var open = conformances[Self.name(of: owner)] ?? []
        // A protocol extension contains default implementations.
        if owner.keyword == "extension" { open.insert(Self.name(of: owner)) }
        var seen: Set<String> = []
        while let next = open.popFirst() {
            if requirements[next]?.contains(name) == true { return true }
            if seen.insert(next).inserted { open.formUnion(conformances[next] ?? []) }
        }
        return false
    }
}

extension WorkQueue {
    /// The queue on which sources are parsed and type-checked.
    static let documentation = WorkQueue("documentation")
}
