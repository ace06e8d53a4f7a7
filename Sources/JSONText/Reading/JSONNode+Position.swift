extension JSONNode {
    /// The value's place on the tape: small enough to keep where a whole node is too large.
    @inlinable package var position: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: index) }
    }

    /// The key or value of the same document at `position`.
    @inlinable @inline(__always)
    package func node(at position: UInt32) -> JSONNode { JSONNode(source: source, tape: tape, index: Int(position)) }

    /// Of an array or object, the place of its first element or key; it is `nextPosition` when there is none.
    @inlinable package var firstPosition: UInt32 {
        @inline(__always) get {
            UInt32(truncatingIfNeeded: kind == .object ? members.node.index : elements.node.index)
        }
    }

    /// The place behind the value and all that is in it.
    @inlinable package var nextPosition: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: next) }
    }

    /// Of a key, its value.
    @inlinable package var valueOfKey: JSONNode {
        @inline(__always) get { JSONNode(source: source, tape: tape, index: index + 1) }
    }

    /// Whether two strings stand in the source with the same bytes.
    @inlinable @inline(__always)
    package func hasText(of other: JSONNode) -> Bool {
        guard word >> 32 == other.word >> 32 else { return false }
        let left = UnsafeRawPointer(source + offset)
        let right = UnsafeRawPointer(source + other.offset)
        let length = length
        // The last word overlaps the one before it: loops over single bytes would be mispredicted.
        if length >= 8 {
            var index = 0
            while index < length &- 8 {
                guard Self.areEqual(left, right, at: index, as: UInt64.self) else { return false }
                index &+= 8
            }
            return Self.areEqual(left, right, at: length &- 8, as: UInt64.self)
        }
        if length >= 4 {
            return Self.areEqual(left, right, at: 0, as: UInt32.self)
                && Self.areEqual(left, right, at: length &- 4, as: UInt32.self)
        }
        return (0..<length).allSatisfy { Self.areEqual(left, right, at: $0, as: UInt8.self) }
    }

    @inlinable @inline(__always)
    static func areEqual<Word: FixedWidthInteger & BitwiseCopyable>(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, at index: Int, as type: Word.Type
    ) -> Bool {
        left.loadUnaligned(fromByteOffset: index, as: type) == right.loadUnaligned(fromByteOffset: index, as: type)
    }
}
