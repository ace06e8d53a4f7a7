// Unsafe: passes an array with its length to C, for the duration of the call.
import CScan
import HTTPCore
import JSONText

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

    /// The key of a document that is not kept, of which nothing is looked up.
    static let unkept = DocumentKey(upstream: "", address: 0, digest: "")

    /// The key of a document that was kept.
    package init(upstream: String, address: UInt64, digest: String) {
        (self.upstream, self.address, self.digest) = (upstream, address, digest)
        var hasher = Hasher()
        Name(text: digest).hash(into: &hasher)
        hash = hasher.finalize()
    }

    /// The bytes of its texts.
    package var size: Int { upstream.utf8.count + digest.utf8.count }

    package static func == (left: DocumentKey, right: DocumentKey) -> Bool {
        left.hash == right.hash && left.address == right.address && Name.areEqual(left.digest, right.digest)
            && Name.areEqual(left.upstream, right.upstream)
    }

    /// Returns the checksum of an address.
    package static func address(_ text: String) -> UInt64 {
        let bytes = Array(text.utf8)
        return weir_checksum(bytes, bytes.count)
    }

    // The text was hashed when the key was made; each look-up hashes eight bytes only.
    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
