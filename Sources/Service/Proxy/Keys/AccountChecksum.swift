import Synchronization

/// A checksum of the account at an upstream, which separates the documents of accounts in the cache; 0 without an account.
package final class AccountChecksum: Sendable {
    private let stored: Atomic<UInt64>

    init(_ credentials: Credentials) { stored = Atomic(Self.checksum(of: credentials)) }

    package var value: UInt64 { stored.load(ordering: .relaxed) }

    /// Takes over other credentials, perhaps of another account.
    func take(_ credentials: Credentials) { stored.store(Self.checksum(of: credentials), ordering: .relaxed) }

    private static func checksum(of credentials: Credentials) -> UInt64 {
        credentials.account.isEmpty ? 0 : DocumentKey.address(credentials.account)
    }
}
