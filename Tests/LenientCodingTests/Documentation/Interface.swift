/// What modules declare, and which of it is said elsewhere.
struct Interface {
    private let declarations: [Declaration]
    /// The lines that say `public` and could not be read.
    let overlooked: [String]
    /// What each type and protocol of the modules conforms to, by its own word.
    private var conformances: [String: Set<String>] = [:]
    /// The names that a protocol asks for.
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

    /// The interface of what users of the library import.
    static func library() async throws -> Interface { try await Aside.run { try shared.get() } }

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

    /// The last part of a type's name, without its parameters.
    private static func name(of head: Declaration.Head) -> String {
        let path = head.rest.prefix { $0.isLetter || $0.isNumber || $0 == "." }
        return String(path.split(separator: ".").last ?? "")
    }

    /// What stands behind the colon of a type's or an extension's first line.
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

    /// Whether what it does is said where a protocol asks for it.
    func isWitness(_ declaration: Declaration) -> Bool {
        guard let owner = declaration.containers.last, owner.isType else { return false }
        let name = declaration.name
        var open = conformances[Self.name(of: owner)] ?? []
        // In an extension of a protocol stands what it does by default.
        if owner.keyword == "extension" { open.insert(Self.name(of: owner)) }
        var seen: Set<String> = []
        while let next = open.popFirst() {
            if requirements[next]?.contains(name) == true { return true }
            if seen.insert(next).inserted { open.formUnion(conformances[next] ?? []) }
        }
        return false
    }
}
