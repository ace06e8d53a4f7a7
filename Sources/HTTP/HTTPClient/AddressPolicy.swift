// Unsafe: `inet_pton` gets pointers to an array of this file with the length that it needs, for the duration of the call.
import Glibc

/// The addresses to which an upstream's host name may lead.
public enum AddressPolicy: Sendable {
    /// Any address.
    case any
    /// Only public ones, so that whoever controls the name cannot reach what is inside of the network.
    case publicOnly

    func admits(_ address: IPAddress) -> Bool {
        switch self {
        case .any: true
        case .publicOnly: address.isPublic
        }
    }
}

/// An address of IPv4 or IPv6.
public struct IPAddress: Sendable, Hashable {
    /// Four or sixteen bytes, in network order.
    private let bytes: [UInt8]

    /// An address from four or sixteen bytes in network order; nil for another number.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// The address that `text` writes as `127.0.0.1` or `::1`; nil for anything else.
    public init?(_ text: String) {
        let isIPv6 = text.contains(":")
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
        self.bytes = bytes
    }

    /// Whether the address is globally reachable by unicast (RFC 6890), in IPv6 also by what it embeds.
    public var isPublic: Bool {
        for (range, offset) in Self.embeddings where range.contains(self) {
            return IPAddress(Array(bytes[offset..<offset + 4]))?.isPublic == true
        }
        return !Self.special.contains { $0.contains(self) }
    }
}

extension IPAddress {
    private struct Range: Sendable {
        let start: [UInt8]
        let length: Int

        /// The range that `text` writes as `10.0.0.0/8`.
        init?(_ text: String) {
            let parts = text.split(separator: "/")
            guard parts.count == 2, let start = IPAddress(String(parts[0])), let length = Int(parts[1]) else {
                return nil
            }
            (self.start, self.length) = (start.bytes, length)
        }

        func contains(_ address: IPAddress) -> Bool {
            guard address.bytes.count == start.count else { return false }
            for index in 0..<(length + 7) / 8 {
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, length - index * 8))
                if (address.bytes[index] ^ start[index]) & mask != 0 { return false }
            }
            return true
        }
    }

    /// IANA's special-purpose registries, multicast, and site-local addresses.
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "::/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2001:2::/48",
        "2001:10::/28", "2001:db8::/32", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ].compactMap { Range($0) }

    /// The ranges of IPv6 that stand for addresses of IPv4: mapped, translated (RFC 2765), NAT64 (RFC 6052) and 6to4; with
    /// their offset.
    private static let embeddings = [
        ("::ffff:0:0/96", 12), ("::ffff:0:0:0/96", 12), ("64:ff9b::/96", 12), ("2002::/16", 2),
    ].compactMap { range, offset in Range(range).map { ($0, offset) } }
}
