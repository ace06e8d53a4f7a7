/// The numeric address of a client.
public enum ClientAddress: Hashable, Sendable {
    /// An IPv4 address, its first byte the most significant.
    case v4(UInt32, port: UInt16)
    /// An IPv6 address, its first byte the most significant.
    case v6(UInt128, port: UInt16)
    /// A peer on a Unix domain socket.
    case unix
}

/// A range of client addresses, such as `10.0.0.0/8`, `2001:db8::/32` or `192.0.2.7`, or every peer on a Unix socket.
public struct ClientNetwork: Hashable, Sendable {
    private enum Family {
        case v4, v6, unix
    }

    private let family: Family
    private let start: UInt128
    private let mask: UInt128

    /// The range that `text` writes: an address, with or without the length of its prefix, or `unix`; nil for others.
    ///
    /// Bits behind the prefix must be 0, because such a range is likely a mistake.
    public init?(_ text: String) {
        if text == "unix" {
            (family, start, mask) = (.unix, 0, 0)
            return
        }
        let bytes = Array(text.utf8)
        let slash = bytes.firstIndex(of: ASCII.slash) ?? bytes.count
        guard let address = ClientAddress(bytes.span.extracting(..<slash)) else { return nil }
        let bits: Int
        switch address {
        case .v4(let value, _): (family, start, bits) = (.v4, UInt128(value), 32)
        case .v6(let value, _): (family, start, bits) = (.v6, value, 128)
        case .unix: return nil
        }
        var length = bits
        if slash < bytes.count {
            guard let given = bytes.span.decimal(slash + 1..<bytes.count, maximum: bits) else { return nil }
            length = given
        }
        let all = bits == 128 ? UInt128.max : UInt128(UInt32.max)
        mask = length == 0 ? 0 : (all << UInt128(bits - length)) & all
        guard start & mask == start else { return nil }
    }

    /// Whether `address` is in the range.
    public func contains(_ address: ClientAddress) -> Bool {
        switch address {
        case .v4(let value, _): family == .v4 && UInt128(value) & mask == start
        case .v6(let value, _): family == .v6 && value & mask == start
        case .unix: family == .unix
        }
    }
}

extension ClientAddress {
    /// Returns the network of the address with prefixes of these lengths, without a port.
    package func network(v4: UInt32, v6: UInt128) -> ClientAddress {
        switch self {
        case .v4(let address, _): .v4(address & ~(UInt32.max >> v4), port: 0)
        case .v6(let address, _): .v6(address & ~(UInt128.max >> v6), port: 0)
        case .unix: .unix
        }
    }

    /// The part of the address that one client can have to itself: all 32 bits of IPv4, and 64 of IPv6.
    package var host: ClientAddress { network(v4: 32, v6: 64) }

    /// The addresses that one site can have: 24 bits of IPv4, and 48 of IPv6.
    package var site: ClientAddress { network(v4: 24, v6: 48) }

    /// The numeric address in `text`, such as `192.0.2.7` or `2001:db8::1`; nil for anything else.
    ///
    /// Decimal numbers have no leading zeros. An IPv4 address that is mapped into IPv6 becomes one of IPv4.
    public init?(_ text: Span<UInt8>, port: UInt16 = 0) {
        if text.firstIndex(of: ASCII.colon, in: text.indices) == nil {
            guard let address = text.ipv4(text.indices) else { return nil }
            self = .v4(address, port: port)
        } else if let address = text.ipv6() {
            self =
                address >> 32 == 0xFFFF
                ? .v4(UInt32(truncatingIfNeeded: address), port: port) : .v6(address, port: port)
        } else {
            return nil
        }
    }
}

extension Span<UInt8> {
    /// The IPv4 address in `range`.
    fileprivate func ipv4(_ range: Range<Int>) -> UInt32? {
        var address: UInt32 = 0
        var start = range.lowerBound
        for part in 0..<4 {
            let dot = firstIndex(of: UInt8(ascii: "."), in: start..<range.upperBound) ?? range.upperBound
            guard part == 3 ? dot == range.upperBound : dot < range.upperBound,
                let byte = decimal(start..<dot, maximum: 255)
            else { return nil }
            address = address << 8 | UInt32(byte)
            start = dot + 1
        }
        return address
    }

    /// The IPv6 address that is all of the text (RFC 4291 §2.2).
    fileprivate func ipv6() -> UInt128? {
        var groups: [UInt16] = []
        /// The number of groups before `::`.
        var gap: Int?
        var start = 0
        if count >= 2, self[0] == ASCII.colon, self[1] == ASCII.colon { (gap, start) = (0, 2) }
        while start < count {
            guard groups.count < 8 else { return nil }
            let end = firstIndex(of: ASCII.colon, in: start..<count) ?? count
            if end == count, groups.count <= 6, let tail = ipv4(start..<end) {
                groups += [UInt16(tail >> 16), UInt16(truncatingIfNeeded: tail)]
                start = count
                break
            }
            guard 1...4 ~= end - start else { return nil }
            var group: UInt16 = 0
            for index in start..<end {
                guard let digit = ASCII.hexValue(self[index]) else { return nil }
                group = group << 4 | UInt16(digit)
            }
            groups.append(group)
            if end == count { break }
            start = end + 1
            if start == count { return nil }
            if self[start] == ASCII.colon {
                guard gap == nil else { return nil }
                (gap, start) = (groups.count, start + 1)
            }
        }
        guard gap == nil ? groups.count == 8 : groups.count < 8 else { return nil }
        let before = gap ?? 8
        var address: UInt128 = 0
        for (index, group) in groups.enumerated() {
            let place = index < before ? index : index + 8 - groups.count
            address |= UInt128(group) << UInt128(16 * (7 - place))
        }
        return address
    }
}

/// The addresses to which an upstream's host name may lead.
public enum AddressPolicy: Sendable {
    /// Any address.
    case any
    /// Public addresses alone, so that the owner of the name cannot reach hosts inside of the network.
    case publicOnly

    package func admits(_ address: ClientAddress) -> Bool {
        switch self {
        case .any: true
        case .publicOnly: address.isPublic
        }
    }
}

// The addresses of upstreams.
extension ClientAddress {
    /// An address from four or sixteen bytes in network order; nil for another number.
    package init?(_ bytes: ArraySlice<UInt8>) {
        let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        switch bytes.count {
        case 4: self = .v4(UInt32(number), port: 0)
        case 16 where number >> 32 == 0xFFFF: self = .v4(UInt32(truncatingIfNeeded: number), port: 0)
        case 16: self = .v6(number, port: 0)
        default: return nil
        }
    }

    /// Whether the address is globally reachable by unicast (RFC 6890), and so is the IPv4 address that it embeds.
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
