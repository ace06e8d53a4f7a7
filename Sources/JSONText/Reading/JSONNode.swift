/// A value in a parsed document: a place on the tape.
///
/// Valid only inside the closure that was given its root.
///
///     let titles = try parser.withDocument(bytes) { root in
///         root["alerts"]?.elements.compactMap { $0["title"]?.string } ?? []
///     }
@frozen
public struct JSONNode {
    /// What a value is.
    ///
    /// Numbers and strings come in two kinds, by what reading them takes.
    ///
    ///     switch node.kind {
    ///     case .string, .escapedString: print("a string")
    ///     default: print("something else")
    ///     }
    @frozen
    public enum Kind: UInt8, Sendable {
        /// `null`.
        case null
        /// `false`.
        case `false`
        /// `true`.
        case `true`
        /// A number without fraction and exponent.
        case integer
        /// A number with a fraction or an exponent.
        case number
        /// A string whose text stands in the source as it is.
        case string
        /// A string with escapes.
        case escapedString
        /// An array.
        case array
        /// An object.
        case object
    }

    @usableFromInline let source: UnsafePointer<UInt8>
    @usableFromInline let tape: UnsafePointer<UInt64>
    @usableFromInline let index: Int

    @inlinable
    init(source: UnsafePointer<UInt8>, tape: UnsafePointer<UInt64>, index: Int) {
        self.source = source
        self.tape = tape
        self.index = index
    }

    /// The value at another place of the same tape.
    @inlinable @inline(__always)
    init(_ other: JSONNode, index: Int) {
        source = other.source
        tape = other.tape
        self.index = index
    }

    @inlinable var word: UInt64 { @inline(__always) get { tape[index] } }
    @inlinable var length: Int { @inline(__always) get { Int(word >> 32 & 0x0FFF_FFFF) } }

    /// What the value is.
    ///
    ///     node.kind == .object
    @inlinable public var kind: Kind {
        // The parser writes no other kinds.
        @inline(__always) get { unsafeBitCast(UInt8(truncatingIfNeeded: word >> 60), to: Kind.self) }
    }

    /// Where the value's text begins in the document, in bytes; for a string, after the quote.
    ///
    ///     root["title"]?.offset  // 10 in {"title":"Wind"}
    @inlinable public var offset: Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }

    /// Whether the value is `null`.
    ///
    ///     node.isNull  // true of null
    @inlinable public var isNull: Bool { kind == .null }

    /// Whether the value is a number.
    ///
    ///     node.isNumber  // true of 12 and of 1e3
    @inlinable public var isNumber: Bool { kind == .integer || kind == .number }

    /// Whether the value is a string.
    ///
    ///     node.isString  // true of "Wind"
    @inlinable public var isString: Bool { kind == .string || kind == .escapedString }

    /// Whether the value is an array or an object, the last two kinds.
    @inlinable var isContainer: Bool { @inline(__always) get { word >> 60 >= 7 } }

    /// The end of the source, which the container around the root knows.
    @inlinable var sourceEnd: UnsafePointer<UInt8> { source + Int(truncatingIfNeeded: tape[1] >> 32) }

    /// Whether so many bytes can be read from where the text begins, whatever they are.
    @inlinable
    package func isReadable(for length: Int) -> Bool { offset &+ length <= Int(truncatingIfNeeded: tape[1] >> 32) }

    /// The number of elements or members; of a scalar, 0.
    ///
    ///     node.count  // 2 of [1,2]
    @inlinable public var count: Int { isContainer ? length : 0 }

    /// The tape index of the value that follows this one.
    @inlinable var next: Int {
        @inline(__always) get {
            isContainer
                ? Int(truncatingIfNeeded: tape[index + 1] & 0xFFFF_FFFF) : index + 1
        }
    }

    /// The value's text as it stands in the source; a string's without the quotes, its escapes as they are.
    ///
    ///     String(decoding: node.text, as: UTF8.self)  // Wind of "Wind", [1,2] of [1,2]
    @inlinable public var text: UnsafeBufferPointer<UInt8> {
        @inline(__always) get {
            let end = isContainer ? Int(truncatingIfNeeded: tape[index + 1] >> 32) : offset + length
            return UnsafeBufferPointer(start: source + offset, count: end - offset)
        }
    }

    /// `true` or `false`; nil for any other kind.
    ///
    ///     node.bool  // true of true, nil of "true"
    @inlinable public var bool: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The number as the nearest double; nil for other kinds and for numbers beyond the range of doubles.
    ///
    /// A number too small to be told from 0 is 0. `NaN` and infinities come only where a leniency lets them in.
    ///
    ///     node.double  // 51.61 of 51.61
    @inlinable public var double: Double? { isNumber ? NumberText.double(text, before: offset) : nil }

    /// The number as an integer when it is one (`10`, `10.0`, `1e1`); nil otherwise and where it does not fit.
    ///
    ///     node.int64  // 10 of 10.0, nil of 10.5
    @inlinable public var int64: Int64? { isNumber ? NumberText.integer(text) : nil }

    /// The number as an unsigned integer when it is one; nil otherwise and where it does not fit.
    ///
    ///     node.uint64  // 18446744073709551615 of that, nil of -1
    @inlinable public var uint64: UInt64? { isNumber ? NumberText.integer(text) : nil }

    /// The number as it is spelled, for types of other ranges such as Decimal and Int128; nil for other kinds, and for
    /// what is no number of JSON's grammar though a leniency let it in.
    ///
    ///     node.numberText.flatMap { Decimal(string: $0) }  // 0.1 of 0.10
    public var numberText: String? {
        isNumber && !NumberText.isNone(text) ? String(decoding: text, as: UTF8.self) : nil
    }
}

extension JSONNode {
    /// The members of an object in the order of the document, duplicates included; of other kinds, none.
    ///
    ///     for (key, value) in root.members { print(key.string ?? "", value.kind) }
    @inlinable public var members: Members { Members(kind == .object ? self : nil, of: self) }

    /// The elements of an array in order; of other kinds, none.
    ///
    ///     let sum = root.elements.reduce(0) { $0 + ($1.double ?? 0) }
    @inlinable public var elements: Elements { Elements(kind == .array ? self : nil, of: self) }

    /// Whether an object may have a member called `key`, without looking at its members.
    ///
    /// False is certain; true is wrong now and then. False for other kinds.
    ///
    ///     let isPossible = Array("title".utf8).withUnsafeBufferPointer { root.mayHaveMember($0) }
    @inlinable
    public func mayHaveMember(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard kind == .object else { return false }
        guard let first = key.baseAddress else { return tape[index + 2] & 1 != 0 }
        return tape[index + 2] & KeyBloom.bit(first, length: key.count) != 0
    }

    private func mayHaveMember(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { mayHaveMember($0) }
    }

    /// The value of the last member called `key`, as in ECMAScript; nil when there is none or this is no object.
    ///
    ///     root["user"]?["name"]?.string  // "Ann" of {"user":{"name":"Ann"}}
    public subscript(key: String) -> JSONNode? {
        guard mayHaveMember(key) else { return nil }
        var found: JSONNode?
        for (name, value) in members where name.equals(key) { found = value }
        return found
    }

    /// The members of an object: keys and values.
    ///
    ///     let keys = root.members.compactMap { key, _ in key.string }
    @frozen
    public struct Members: Sequence, IteratorProtocol {
        @usableFromInline var node: JSONNode
        @usableFromInline let end: Int

        @inlinable
        init(_ object: JSONNode?, of node: JSONNode) {
            self.node = JSONNode(source: node.source, tape: node.tape, index: node.index + 3)
            end = object?.next ?? 0
        }

        /// The next key and value.
        @inlinable
        public mutating func next() -> (key: JSONNode, value: JSONNode)? {
            guard node.index < end else { return nil }
            let key = node
            let value = JSONNode(source: node.source, tape: node.tape, index: node.index + 1)
            node = JSONNode(source: node.source, tape: node.tape, index: value.next)
            return (key, value)
        }
    }

    /// The elements of an array.
    ///
    ///     for element in root.elements { print(element.kind) }
    @frozen
    public struct Elements: Sequence, IteratorProtocol {
        @usableFromInline var node: JSONNode
        @usableFromInline let end: Int

        @inlinable
        init(_ array: JSONNode?, of node: JSONNode) {
            self.node = JSONNode(source: node.source, tape: node.tape, index: node.index + 3)
            end = array?.next ?? 0
        }

        /// The next element.
        @inlinable
        public mutating func next() -> JSONNode? {
            guard node.index < end else { return nil }
            let element = node
            node = JSONNode(source: node.source, tape: node.tape, index: element.next)
            return element
        }
    }
}
