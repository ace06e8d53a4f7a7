public import HTTPCore

/// The addresses to which an upstream's host name may lead.
public enum AddressPolicy: Sendable {
    /// Any address.
    case any
    /// Only public ones, so that whoever controls the name cannot reach what is inside of the network.
    case publicOnly

    func admits(_ address: ClientAddress) -> Bool {
        switch self {
        case .any: true
        case .publicOnly: address.isPublic
        }
    }
}

// The addresses of upstreams.
extension ClientAddress {
    /// An address from four or sixteen bytes in network order; nil for another number.
    init?(_ bytes: ArraySlice<UInt8>) {
        let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        switch bytes.count {
        case 4: self = .v4(UInt32(number), port: 0)
        case 16 where number >> 32 == 0xFFFF: self = .v4(UInt32(truncatingIfNeeded: number), port: 0)
        case 16: self = .v6(number, port: 0)
        default: return nil
        }
    }

    /// Whether the address is globally reachable by unicast (RFC 6890), in IPv6 also by what it embeds.
    public var isPublic: Bool {
        if case .v6(let number, _) = self, let (_, shift) = Self.embeddings.first(where: { $0.range.contains(self) }) {
            return ClientAddress.v4(UInt32(truncatingIfNeeded: number >> UInt128(shift)), port: 0).isPublic
        }
        return !Self.special.contains { $0.contains(self) }
    }

    /// IANA's special-purpose registries, multicast, and site-local addresses.
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "::/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2001:2::/48",
        "2001:10::/28", "2001:db8::/32", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ].compactMap { ClientNetwork($0) }

    /// The ranges of IPv6 that stand for addresses of IPv4: translated (RFC 2765), NAT64 (RFC 6052) and 6to4; with the number
    /// of bits behind that address.
    private static let embeddings: [(range: ClientNetwork, shift: Int)] = [
        ("::ffff:0:0:0/96", 0), ("64:ff9b::/96", 0), ("2002::/16", 80),
    ].compactMap { range, shift in ClientNetwork(range).map { ($0, shift) } }
}
