import CScan

/// What an upstream was asked for: two keys are equal exactly when the requests to the upstream are.
///
/// A target is made from a query whose numbers are rounded and whose parameters have one order, so `37.80` and `37.8` in
/// requests of clients lead to one key. Keys of upstreams are not part of it: their place in a target is `{key}`, and a
/// digest stands for the account.
package struct DocumentKey: Hashable, Sendable {
    /// The name of the upstream.
    package let upstream: String
    /// A checksum of its dialect, its base URL, its Unix socket and a digest of its account: a URL can contain a key.
    package let address: UInt64
    /// The path and the query.
    package let target: String
    private let hash: Int

    package init(upstream: String, address: UInt64, target: String) {
        (self.upstream, self.address, self.target) = (upstream, address, target)
        var hasher = Hasher()
        hasher.combine(address)
        hasher.combine(target)
        hash = hasher.finalize()
    }

    /// The bytes of its texts.
    package var size: Int { upstream.utf8.count + target.utf8.count }

    package static func == (left: DocumentKey, right: DocumentKey) -> Bool {
        left.hash == right.hash && left.address == right.address && left.target == right.target
            && left.upstream == right.upstream
    }

    /// Returns the checksum of an address.
    package static func address(_ text: String) -> UInt64 {
        let bytes = Array(text.utf8)
        return weir_checksum(bytes, bytes.count)
    }

    // The text was hashed when the key was made; each look-up hashes eight bytes only.
    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
