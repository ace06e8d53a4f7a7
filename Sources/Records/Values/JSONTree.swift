import FoundationEssentials
package import JSONText

/// A type that can be any JSON value, built from the leaves up.
package protocol JSONTree: Decodable {
    /// Why a scalar cannot be such a value.
    associatedtype LeafFailure: Error

    /// The value of a scalar.
    static func leaf(_ scalar: JSONScalar) throws(LeafFailure) -> Self
    /// The value of an array.
    static func branch(_ elements: [Self]) -> Self
    /// The value of an object, whose keys may stand more than once.
    static func branch(_ members: [(key: String, value: Self)]) -> Self
}

extension JSONTree {
    /// The value of a node, built without recursion: a document may be deeper than the stack.
    package static func tree(of root: JSONNode) throws(LeafFailure) -> Self {
        if let scalars = try scalars(root) { return branch(scalars) }
        var open: [OpenBranch<Self>] = []
        var finished = try begin(root, &open)
        while let last = open.indices.last {
            if let value = finished { open[last].add(value) }
            if let next = open[last].next() {
                finished = try begin(next, &open)
            } else {
                finished = open.removeLast().value
            }
        }
        // The loop ends with the value of the outermost branch, or never began because the root is a scalar.
        return finished.unsafelyUnwrapped
    }

    /// The elements of an array that holds nothing but scalars, as most do; nil for everything else.
    private static func scalars(_ node: JSONNode) throws(LeafFailure) -> [Self]? {
        guard node.kind == .array else { return nil }
        var values: [Self] = []
        values.reserveCapacity(node.count)
        for element in node.elements {
            guard let scalar = JSONScalar(element) else { return nil }
            values.append(try leaf(scalar))
        }
        return values
    }

    /// The value of a scalar; nil for a container, which is opened.
    private static func begin(_ node: JSONNode, _ open: inout [OpenBranch<Self>]) throws(LeafFailure) -> Self? {
        if let scalar = JSONScalar(node) { return try leaf(scalar) }
        open.append(OpenBranch(node))
        return nil
    }

    /// Decodes a value of any kind.
    ///
    /// - Throws: `DecodingError`, for values nested deeper than `TreeLevel.maximumDepth` too where the decoder is not
    ///   this module's own: each level takes room on the stack then.
    package static func tree(from decoder: any Decoder) throws -> Self {
        if let node = try decoder.documentNode() { return try tree(of: node) }
        let level = TreeLevel.current
        if level.expectsScalar, let scalar = try JSONScalar(from: decoder) { return try leaf(scalar) }
        if level.expectsObject, decoder.isObject { return try object(from: decoder, level) }
        if let array = try array(from: decoder, level) { return array }
        if !level.expectsScalar, let scalar = try JSONScalar(from: decoder) { return try leaf(scalar) }
        return try object(from: decoder, level)
    }

    /// Decodes an array; nil where there is none.
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

    /// Decodes an object as a dictionary: its keys are data, which no decoder converts.
    private static func object(from decoder: any Decoder, _ level: TreeLevel) throws -> Self {
        try TreeLevel.$current.withValue(level.inside(isObject: true, decoder)) {
            let members = try decoder.singleValueContainer().decode([String: Self].self)
            return branch(members.sorted { $0.key < $1.key })
        }
    }
}

extension Decoder {
    /// Whether the decoder stands at an object; to be asked where one is likely, as no is said with an error.
    fileprivate var isObject: Bool { (try? container(keyedBy: RawCodingKey.self)) != nil }
}

/// An array or object whose elements or members are being gathered.
private struct OpenBranch<Tree: JSONTree> {
    private var rest: JSONNode.Elements
    private var restOfMembers: JSONNode.Members
    private let isObject: Bool
    /// The key of the member whose value comes next.
    private var key = ""
    private var elements: [Tree] = []
    private var members: [(key: String, value: Tree)] = []

    package init(_ node: JSONNode) {
        rest = node.elements
        restOfMembers = node.members
        isObject = node.kind == .object
        if isObject { members.reserveCapacity(node.count) } else { elements.reserveCapacity(node.count) }
    }

    package mutating func next() -> JSONNode? {
        guard isObject else { return rest.next() }
        guard let member = restOfMembers.next() else { return nil }
        key = member.key.string ?? ""
        return member.value
    }

    package mutating func add(_ value: Tree) {
        if isObject { members.append((key, value)) } else { elements.append(value) }
    }

    package var value: Tree { isObject ? .branch(members) : .branch(elements) }
}

/// A JSON value that holds no others.
package enum JSONScalar {
    case null
    case bool(Bool)
    /// The number's text.
    case number(String)
    case string(String)

    /// The scalar that `node` is; nil for arrays and objects.
    package init?(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .integer, .number: self = .number(String(decoding: node.text, as: UTF8.self))
        case .string, .escapedString: self = .string(node.string ?? "")
        case .array, .object: return nil
        }
    }

    /// The scalar that `decoder` stands at; nil where it stands at none.
    ///
    /// Every question that is answered with no costs an error, whose path is as long as the value is deep: frequent
    /// kinds come first, and none is asked for twice.
    package init?(from decoder: any Decoder) throws {
        if let node = try decoder.documentNode() {
            self.init(node)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try container.decodeUnlessMistyped(String.self) {
            self = .string(text)
        } else if let value = try container.decodeUnlessMistyped(Bool.self) {
            self = .bool(value)
        } else if let text = try container.decodeNumberText() {
            self = .number(text)
        } else {
            return nil
        }
    }
}

extension SingleValueDecodingContainer {
    /// Decodes a value; nil when there is one of another kind.
    fileprivate func decodeUnlessMistyped<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        do {
            return try decode(type)
        } catch DecodingError.typeMismatch {
            return nil
        }
    }

    /// Decodes a number as the text that keeps most of it; nil where there is none.
    fileprivate func decodeNumberText() throws -> String? {
        if let value = decodeIfPossible(Int64.self) {
            // An integer has no sign for zero.
            if value == 0, let zero = decodeIfPossible(Double.self), zero.sign == .minus { return "-0" }
            return String(value)
        }
        guard let double = try decodeUnlessMistyped(Double.self) else { return nil }
        if let value = decodeIfPossible(UInt64.self) { return String(value) }
        return NumberSpelling.text(double, decodeIfPossible(Decimal.self))
    }

    /// Decodes a value; nil when that fails: decoders differ in how they say that a number does not fit.
    private func decodeIfPossible<Value: Decodable>(_ type: Value.Type) -> Value? { try? decode(type) }
}
