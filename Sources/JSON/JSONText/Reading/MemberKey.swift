import CScan

/// The key of a member that is looked up in many objects.
///
/// Unsafe: compares keys through pointers; the array of bytes is alive meanwhile.
package struct MemberKey: Sendable {
    /// The key.
    package let text: String
    private let bytes: [UInt8]
    /// The upper half of the tape's word of an equal key without escapes.
    private let tag: UInt64

    /// The key `text`.
    package init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
        tag = Tape.word(.string, length: min(bytes.count, Tape.maximumLength), offset: 0) >> 32
    }

    /// Returns the value of the last member of this key; nil if there is none or `object` is no object.
    package func value(in object: JSONNode) -> JSONNode? {
        guard object.kind == .object else { return nil }
        var found: JSONNode?
        var key = object.firstChild
        let end = object.next
        bytes.withUnsafeBufferPointer { bytes in
            while key.index < end {
                let value = key.valueOfKey
                if key.word >> 32 == tag {
                    guard let start = bytes.baseAddress, !bytes.isEmpty else {
                        found = value
                        key = JSONNode(value, index: value.next)
                        continue
                    }
                    if weir_equal(key.source + key.offset, start, bytes.count) { found = value }
                } else if key.kind == .escapedString, key.equals(text) {
                    found = value
                }
                key = JSONNode(value, index: value.next)
            }
        }
        return found
    }
}

/// A text that equals another one if both have the same bytes.
///
/// Swift's texts are also equal if they are canonically equivalent, as the Kelvin sign and the letter K are; JSON tells the
/// two apart, and an upstream can answer them in different ways.
package struct Name: Hashable, Sendable {
    package let text: String

    package init(text: String) { self.text = text }

    /// Returns whether two texts have the same bytes.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        let count = left.utf8.count
        guard count == right.utf8.count else { return false }
        let isSame = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return weir_equal(left, right, count)
            }
        }
        return (isSame ?? nil) ?? left.utf8.elementsEqual(right.utf8)
    }

    package static func == (left: Name, right: Name) -> Bool { areEqual(left.text, right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        // The pointer is only valid in the closure; the hasher takes all bytes at once.
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No text has this byte: the texts of two properties do not run into each other.
        hasher.combine(0xFF as UInt8)
    }
}
