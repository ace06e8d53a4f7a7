// Unsafe: texts are passed to C with their lengths, inside `withContiguousStorageIfAvailable`.
import CScan
import HTTPCore

/// A text that equals another one if both have the same bytes.
///
/// Swift's texts are also equal if they are canonically equivalent, as the Kelvin sign and the letter K are: an upstream
/// can answer the two in different ways.
package struct ByteText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ByteText, right: ByteText) -> Bool { areEqual(left.text, right.text) }

    package func hash(into hasher: inout Hasher) { Self.hash(text, into: &hasher) }

    static func areEqual(_ left: String, _ right: String) -> Bool {
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

    static func hash(_ text: String, into hasher: inout Hasher) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { for byte in text.utf8 { hasher.combine(byte) } }
        // No text has this byte: the texts of two properties do not run into each other.
        hasher.combine(0xFF as UInt8)
    }
}

/// What an upstream was asked for, and how its errors are read: two keys are equal exactly when all of that is.
///
/// A target is made from a query whose numbers are rounded and whose parameters have one order, so `37.80` and `37.8` in
/// requests of clients lead to one key. Keys of upstreams are not part of it: their place in a target is `{key}`, and a
/// digest stands for the account. A client's own key can be in a target, a field or a body: a digest stands for them, too.
package struct DocumentKey: Hashable, Sendable {
    /// The name of the upstream.
    package let upstream: String
    /// A checksum of all that the requests to its address have in common, with a digest of its account.
    package let address: UInt64
    /// The SHA-256 of all of it, in hexadecimal digits.
    package let digest: String
    private let hash: Int

    /// The key of a request to `upstream` at `address`; `target` is the path and the query, with all else that the document
    /// depends on.
    package init(upstream: String, address: UInt64, target: String) {
        self.init(
            upstream: upstream, address: address, digest: SecureHash.sha256(of: "\(upstream)\n\(address)\n\(target)"))
    }

    /// The key of a document that was kept.
    package init(upstream: String, address: UInt64, digest: String) {
        (self.upstream, self.address, self.digest) = (upstream, address, digest)
        var hasher = Hasher()
        ByteText.hash(digest, into: &hasher)
        hash = hasher.finalize()
    }

    /// The bytes of its texts.
    package var size: Int { upstream.utf8.count + digest.utf8.count }

    package static func == (left: DocumentKey, right: DocumentKey) -> Bool {
        left.hash == right.hash && left.address == right.address && ByteText.areEqual(left.digest, right.digest)
            && ByteText.areEqual(left.upstream, right.upstream)
    }

    /// Returns the checksum of an address.
    package static func address(_ text: String) -> UInt64 {
        let bytes = Array(text.utf8)
        return weir_checksum(bytes, bytes.count)
    }

    // The text was hashed when the key was made; each look-up hashes eight bytes only.
    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
