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
