import CScan

/// A value in a parsed document.
///
/// A node is a place on the document's tape. It is valid only inside the closure that was given the root.
///
///     let titles = try parser.withDocument(bytes) { root in
///         root["alerts"]?.elements.compactMap { $0["title"]?.string } ?? []
///     }
///
/// Unsafe: reads the tape and the source through pointers without bounds checks. `JSONParser` keeps both alive while
/// nodes can be used, and the offsets and lengths on the tape come from the parser.
@frozen
public struct JSONNode {
    /// The kind of a value.
    ///
    /// Numbers and strings have two kinds each, which differ in what reading them takes.
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
        /// A string without escapes.
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

    /// The key or value at another index of the same tape.
    @inlinable @inline(__always)
    init(_ other: JSONNode, index: Int) { self.init(source: other.source, tape: other.tape, index: index) }

    @inlinable var word: UInt64 { @inline(__always) get { tape[index] } }
    /// The length of the text, or the number of elements or members.
    @inlinable var length: Int { @inline(__always) get { Int(word >> 32 & 0x0FFF_FFFF) } }

    /// The kind of the value.
    @inlinable public var kind: Kind {
        // The parser writes no other kinds.
        @inline(__always) get { unsafeBitCast(UInt8(truncatingIfNeeded: word >> 60), to: Kind.self) }
    }

    /// The offset in bytes of the value's text in the document, after the quote of a string.
    @inlinable public var offset: Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }

    /// Whether the value is `null`.
    @inlinable public var isNull: Bool { kind == .null }
    /// Whether the value is a number.
    @inlinable public var isNumber: Bool { kind == .integer || kind == .number }
    /// Whether the value is a string.
    @inlinable public var isString: Bool { kind == .string || kind == .escapedString }
    /// Whether the value is an array or an object, which are the last two kinds.
    @inlinable var isContainer: Bool { @inline(__always) get { word >> 60 >= 7 } }

    /// The number of elements or members; 0 for a scalar.
    @inlinable public var count: Int { isContainer ? length : 0 }

    /// The value's text as it is in the source; a string's without the quotes and with its escapes.
    ///
    ///     String(decoding: node.text, as: UTF8.self)  // Wind for "Wind", [1, 2] for [1, 2]
    @inlinable public var text: UnsafeBufferPointer<UInt8> {
        @inline(__always) get {
            let end = isContainer ? Int(truncatingIfNeeded: tape[index + 1] >> 32) : offset + length
            return UnsafeBufferPointer(start: source + offset, count: end - offset)
        }
    }

    /// The end of the source, which the container around the root knows.
    @inlinable var sourceEnd: UnsafePointer<UInt8> { source + Int(truncatingIfNeeded: tape[1] >> 32) }

    /// Returns whether `length` bytes of the source can be read from the start of the value's text.
    @inlinable
    package func isReadable(for length: Int) -> Bool { offset &+ length <= Int(truncatingIfNeeded: tape[1] >> 32) }

    /// Whether reading the document must stop; see `JSONOptions.isExpired`.
    package var isExpired: Bool { Tape.isExpired(at: tape) }

    /// `true` or `false`; nil for other kinds.
    @inlinable public var bool: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }
}

// MARK: Numbers

extension JSONNode {
    /// The number as the nearest double; nil for other kinds and for numbers beyond the range of doubles.
    ///
    /// A number too small to be told from 0 is 0. NaN and infinities come only with `JSONLeniency.notANumber`.
    @inlinable @inline(__always) public var double: Double? {
        isNumber ? NumberText.double(text, before: offset) : nil
    }

    /// Whether the value is NaN or an infinity, which come only with `JSONLeniency.notANumber`.
    package var isNonFinite: Bool { kind == .number && NumberText.isNonFinite(text) }

    /// The number as an integer if it equals one (`10`, `10.0`, `1e1`) that fits; otherwise nil.
    ///
    ///     node.int64  // 10 for 10.0, nil for 10.5
    @inlinable public var int64: Int64? { isNumber ? NumberText.integer(text) : nil }

    /// The number as an unsigned integer if it equals one that fits; otherwise nil.
    @inlinable public var uint64: UInt64? { isNumber ? NumberText.integer(text) : nil }

    /// The number's text, for types of other ranges such as Decimal; nil for other kinds and for non-finite literals.
    ///
    ///     node.numberText.flatMap { Decimal(string: $0) }  // 0.1 for 0.10
    public var numberText: String? {
        isNumber && !NumberText.isNonFinite(text) ? String(decoding: text, as: UTF8.self) : nil
    }

    /// The number in JSON's grammar that the string holds, spaces around it allowed; nil if it holds none.
    ///
    ///     node.numericText.map { String(decoding: $0, as: UTF8.self) }  // "12.50" for " 12.50"
    public var numericText: UnsafeBufferPointer<UInt8>? {
        kind == .string ? NumberText.spelled(in: text) : nil
    }

    /// The number that the string holds as a double; nil if it holds none or one beyond the range of doubles.
    public var numericStringAsDouble: Double? { numericText.flatMap { NumberText.double($0, before: 0) } }

    /// The integer that the string holds; nil if it holds none, a fraction, or an integer that does not fit.
    public var numericStringAsInt64: Int64? { numericText.flatMap(NumberText.integer) }
}

// MARK: Strings

extension JSONNode {
    /// The string with its escapes resolved; nil for other kinds.
    ///
    /// A lone surrogate becomes U+FFFD.
    public var string: String? {
        switch kind {
        // The parser has checked the UTF-8.
        case .string: String(copying: UTF8Span(unchecked: text.span))
        case .escapedString: withUnescaped { text, _ in String(copying: UTF8Span(unchecked: text.span)) }
        default: nil
        }
    }

    /// The string with its escapes resolved; nil for other kinds and for a string with a lone surrogate.
    package var wellFormedString: String? {
        guard kind == .escapedString else { return string }
        return withUnescaped { text, isLossy in isLossy ? nil : String(copying: UTF8Span(unchecked: text.span)) }
    }

    /// The string with its escapes resolved; nil for other kinds.
    ///
    /// Sets `isLossy` if U+FFFD replaces a lone surrogate.
    package func string(_ isLossy: inout Bool) -> String? {
        guard kind == .escapedString else { return string }
        return withUnescaped { text, hasLoneSurrogate in
            if hasLoneSurrogate { isLossy = true }
            return String(copying: UTF8Span(unchecked: text.span))
        }
    }

    /// Whether the value is a string with an escaped lone surrogate, which no Unicode text can hold.
    package var hasLoneSurrogate: Bool { kind == .escapedString && withUnescaped { _, isLossy in isLossy } }

    /// Returns whether the value is a string with the bytes of `other`, its escapes resolved.
    ///
    ///     root["title"]?.equals("Wind")  // true
    public func equals(_ other: String) -> Bool {
        // Compares bytes: for `String ==`, the composed and the decomposed é are one key.
        var other = other
        return other.withUTF8 { equals($0) }
    }

    private func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        switch kind {
        case .string:
            guard length == other.count, let start = other.baseAddress else { return length == other.count }
            return weir_equal(source + offset, start, length)
        case .escapedString: return withUnescaped { text, _ in text.elementsEqual(other) }
        default: return false
        }
    }

    /// Returns whether both are the same place of one document.
    package func isIdentical(to other: JSONNode) -> Bool { tape == other.tape && index == other.index }

    /// Passes the bytes of a string to `body`, its escapes resolved.
    package func withString<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        kind == .escapedString ? withUnescaped { text, _ in body(text) } : body(text)
    }

    /// Returns whether both values are strings with the same bytes, their escapes resolved.
    package func hasString(of other: JSONNode) -> Bool {
        if kind == .string, other.kind == .string { return hasText(of: other) }
        return other.isString && other.withUnescaped { text, _ in equals(text) }
    }

    /// Returns whether two objects have keys with the same bytes in the source, in the same order.
    package func hasKeys(of other: JSONNode) -> Bool {
        guard count == other.count else { return false }
        var others = other.members
        for (key, _) in members {
            guard let (other, _) = others.next(), key.hasText(of: other) else { return false }
        }
        return true
    }

    private func hasText(of other: JSONNode) -> Bool {
        word >> 32 == other.word >> 32 && weir_equal(source + offset, other.source + other.offset, length)
    }

    /// The bytes of a string with its escapes resolved.
    var unescaped: [UInt8] { withUnescaped { text, _ in Array(text) } }

    /// Passes the string's bytes to `body` with their escapes resolved, and whether U+FFFD replaces a lone surrogate.
    private func withUnescaped<Result>(_ body: (UnsafeBufferPointer<UInt8>, Bool) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length + EscapedText.slack) { room in
            // The room is never empty, so it has an address.
            guard let start = room.baseAddress else { return body(UnsafeBufferPointer(room), false) }
            var hasLoneSurrogate = false
            let end = EscapedText.resolve(
                source + offset, source + (offset + length), into: start, &hasLoneSurrogate)
            return body(UnsafeBufferPointer(start: start, count: end - start), hasLoneSurrogate)
        }
    }
}

// MARK: Elements and members

extension JSONNode {
    /// The members of an object in the order of the document, duplicates included; none for other kinds.
    ///
    ///     for (key, value) in root.members { print(key.string ?? "", value.kind) }
    @inlinable public var members: Members { Members(self) }

    /// The elements of an array in order; none for other kinds.
    ///
    ///     let sum = root.elements.reduce(0) { $0 + ($1.double ?? 0) }
    @inlinable public var elements: Elements { Elements(self) }

    /// The value of the last member called `key`, as in ECMAScript; nil if there is none or the value is no object.
    ///
    ///     root["user"]?["name"]?.string  // "Ann" for {"user":{"name":"Ann"}}
    public subscript(key: String) -> JSONNode? {
        var count = 0
        return member(called: key, &count)
    }

    /// Returns the same, and adds the number of members called `key` to `count`.
    package func member(called key: String, _ count: inout Int) -> JSONNode? {
        var key = key
        return key.withUTF8 { key in
            var found: JSONNode?
            for (name, value) in members where name.equals(key) {
                found = value
                count += 1
            }
            return found
        }
    }

    /// The members of an object: keys and values.
    @frozen
    public struct Members: Sequence, IteratorProtocol {
        @usableFromInline var key: JSONNode
        @usableFromInline let end: Int

        @inlinable
        init(_ node: JSONNode) {
            key = node.firstChild
            end = node.kind == .object ? node.next : 0
        }

        /// Returns the next key and value.
        @inlinable
        public mutating func next() -> (key: JSONNode, value: JSONNode)? {
            guard key.index < end else { return nil }
            let (key, value) = (key, key.valueOfKey)
            self.key = JSONNode(value, index: value.next)
            return (key, value)
        }
    }

    /// The elements of an array.
    @frozen
    public struct Elements: Sequence, IteratorProtocol {
        @usableFromInline var node: JSONNode
        @usableFromInline let end: Int

        @inlinable
        init(_ node: JSONNode) {
            self.node = node.firstChild
            end = node.kind == .array ? node.next : 0
        }

        /// Returns the next element.
        @inlinable
        public mutating func next() -> JSONNode? {
            guard node.index < end else { return nil }
            let element = node
            node = JSONNode(element, index: element.next)
            return element
        }
    }
}

// MARK: Positions on the tape

extension JSONNode {
    /// The tape index behind the value and everything in it.
    @inlinable var next: Int {
        @inline(__always) get { isContainer ? Int(truncatingIfNeeded: tape[index + 1] & 0xFFFF_FFFF) : index + 1 }
    }

    /// The first element or key of a container.
    @inlinable var firstChild: JSONNode {
        @inline(__always) get { JSONNode(self, index: index + 2) }
    }

    /// The value of a key.
    @inlinable package var valueOfKey: JSONNode {
        @inline(__always) get { JSONNode(self, index: index + 1) }
    }

    /// The tape index of the value, for readers that keep many positions of one document.
    @inlinable package var position: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: index) }
    }

    /// The position of a container's first element or key, which is `nextPosition` if there is none.
    @inlinable package var firstPosition: UInt32 {
        @inline(__always) get { firstChild.position }
    }

    /// The position behind the value and everything in it.
    @inlinable package var nextPosition: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: next) }
    }

    /// Returns the key or value of the same document at `position`.
    @inlinable @inline(__always)
    package func node(at position: UInt32) -> JSONNode { JSONNode(self, index: Int(position)) }
}
