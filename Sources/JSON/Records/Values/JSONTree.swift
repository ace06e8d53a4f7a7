package import JSONText

/// A type that can represent any JSON value and is built from the leaves up.
package protocol JSONTree: Decodable {
    /// The error for a scalar that the type cannot represent.
    associatedtype LeafFailure: Error

    /// The value of a scalar.
    static func leaf(_ scalar: JSONScalar) throws(LeafFailure) -> Self
    /// The value of an array.
    static func branch(_ elements: [Self]) -> Self
    /// The value of an object, in which a key may appear more than once.
    static func branch(_ members: [(key: String, value: Self)]) -> Self
}

extension JSONTree {
    /// The value of a node.
    ///
    /// Recurses through the outer levels, which are all that most documents have: `foldTree` takes nearly twice as long.
    package static func tree(of root: JSONNode) throws(LeafFailure) -> Self {
        var isLossy = false
        return try tree(of: root, &isLossy)
    }

    /// The value of a node; sets `isLossy` if U+FFFD replaces a lone surrogate.
    static func tree(of root: JSONNode, _ isLossy: inout Bool) throws(LeafFailure) -> Self {
        try tree(of: root, levels: 16, &isLossy)
    }

    private static func tree(of node: JSONNode, levels: Int, _ isLossy: inout Bool) throws(LeafFailure) -> Self {
        if let scalar = JSONScalar(node, &isLossy) { return try leaf(scalar) }
        if levels == 0 {
            return try foldTree(
                node, { node throws(LeafFailure) in try part(of: node, &isLossy) }, array: branch, object: branch)
        }
        if node.kind == .array {
            var elements: [Self] = []
            elements.reserveCapacity(node.count)
            for element in node.elements { elements.append(try tree(of: element, levels: levels - 1, &isLossy)) }
            return branch(elements)
        }
        var members: [(key: String, value: Self)] = []
        members.reserveCapacity(node.count)
        for (key, value) in node.members {
            members.append((key.string(&isLossy) ?? "", try tree(of: value, levels: levels - 1, &isLossy)))
        }
        return branch(members)
    }

    private static func part(
        of node: JSONNode, _ isLossy: inout Bool
    ) throws(LeafFailure) -> TreePart<JSONNode, Self> {
        if let scalar = JSONScalar(node, &isLossy) { return .leaf(try leaf(scalar)) }
        if node.kind == .array {
            var elements: [JSONNode] = []
            elements.reserveCapacity(node.count)
            for element in node.elements { elements.append(element) }
            return .array(elements)
        }
        var members: [(key: String, value: JSONNode)] = []
        members.reserveCapacity(node.count)
        for (key, value) in node.members { members.append((key.string(&isLossy) ?? "", value)) }
        return .object(members)
    }

    /// Decodes a value of any type.
    ///
    /// - Throws: `DecodingError`; from decoders other than this library's own also for values nested deeper than
    ///   `TreeLevel.maximumDepth`, because they recurse.
    package static func tree(from decoder: any Decoder) throws -> Self {
        if let document = decoder as? any DocumentDecoder {
            var isLossy = false
            let tree = try tree(of: document.documentNode(), levels: 16, &isLossy)
            if isLossy { try document.noteLoneSurrogate() }
            return tree
        }
        let level = TreeLevel.current
        if level.expectsScalar, let scalar = try JSONScalar(from: decoder) { return try leaf(scalar) }
        if level.expectsObject, decoder.isObject { return try object(from: decoder, level) }
        if let array = try array(from: decoder, level) { return array }
        if !level.expectsScalar, let scalar = try JSONScalar(from: decoder) { return try leaf(scalar) }
        return try object(from: decoder, level)
    }

    /// Decodes an array; returns nil for a value of another type.
    private static func array(from decoder: any Decoder, _ level: TreeLevel) throws -> Self? {
        let unkeyed: any UnkeyedDecodingContainer
        do {
            unkeyed = try decoder.unkeyedContainer()
        } catch DecodingError.typeMismatch {
            return nil
        }
        return try TreeLevel.$current.withValue(level.inside(isObject: false, decoder)) {
            var container = unkeyed
            var elements: [Self] = []
            while !container.isAtEnd { elements.append(try container.decode(Self.self)) }
            return branch(elements)
        }
    }

    /// Decodes an object as a dictionary, whose keys no decoder converts.
    private static func object(from decoder: any Decoder, _ level: TreeLevel) throws -> Self {
        try TreeLevel.$current.withValue(level.inside(isObject: true, decoder)) {
            let members = try decoder.singleValueContainer().decode([String: Self].self)
            return branch(members.sorted { $0.key < $1.key })
        }
    }
}

extension Decoder {
    /// Whether the value is an object.
    ///
    /// Expensive if it is not, because decoders answer with an error.
    fileprivate var isObject: Bool { (try? container(keyedBy: RawCodingKey.self)) != nil }
}

/// A value of a tree: a leaf, or the values that it contains.
package enum TreePart<Source, Target> {
    case leaf(Target)
    case array([Source])
    case object([(key: String, value: Source)])
}

/// Converts a tree of one type into one of another, from the leaves up.
///
/// It does not recurse, because a document may nest deeper than the stack allows.
package func foldTree<Source, Target, Failure: Error>(
    _ root: Source, _ part: (Source) throws(Failure) -> TreePart<Source, Target>, array: ([Target]) -> Target,
    object: ([(key: String, value: Target)]) -> Target
) throws(Failure) -> Target {
    var open: [OpenPart<Source, Target>] = []
    var finished: Target?
    var next: Source? = root
    while true {
        if let source = next {
            switch try part(source) {
            case .leaf(let value): finished = value
            case .array(let elements): open.append(OpenPart(elements: elements))
            case .object(let members): open.append(OpenPart(members: members))
            }
        }
        if let value = finished {
            guard let last = open.indices.last else { return value }
            open[last].append(value)
            finished = nil
        }
        // `open` is not empty: a leaf at the root has returned.
        let last = open.count - 1
        next = open[last].next
        if next == nil {
            let part = open.removeLast()
            finished = part.isObject ? object(part.targetMembers) : array(part.targetElements)
        }
    }
}

/// An array or an object whose elements or members are being converted.
private struct OpenPart<Source, Target> {
    let isObject: Bool
    private var elements: [Source] = []
    private var members: [(key: String, value: Source)] = []
    private(set) var targetElements: [Target] = []
    private(set) var targetMembers: [(key: String, value: Target)] = []

    init(elements: [Source]) {
        isObject = false
        self.elements = elements
        targetElements.reserveCapacity(elements.count)
    }

    init(members: [(key: String, value: Source)]) {
        isObject = true
        self.members = members
        targetMembers.reserveCapacity(members.count)
    }

    var next: Source? {
        if isObject { return targetMembers.count < members.count ? members[targetMembers.count].value : nil }
        return targetElements.count < elements.count ? elements[targetElements.count] : nil
    }

    mutating func append(_ value: Target) {
        if isObject {
            targetMembers.append((members[targetMembers.count].key, value))
        } else {
            targetElements.append(value)
        }
    }
}

/// Compares two trees without recursion.
///
/// `pairs` returns the pairs that remain to be compared, or nil if two values differ.
package func areEqualTrees<Tree>(_ left: Tree, _ right: Tree, _ pairs: (Tree, Tree) -> [(Tree, Tree)]?) -> Bool {
    guard var open = pairs(left, right) else { return false }
    while let (left, right) = open.popLast() {
        guard let inner = pairs(left, right) else { return false }
        open += inner
    }
    return true
}

/// Visits a tree without recursion; `visit` returns the values to visit next.
package func visitTree<Tree>(_ root: Tree, _ visit: (Tree) -> [Tree]) {
    var open = [root]
    while let tree = open.popLast() { open += visit(tree) }
}
