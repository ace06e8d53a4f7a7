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
    /// The decimal number in `range`, without leading zeros and at most `maximum`; nil for anything else.
    func decimal(_ range: Range<Int>, maximum: Int) -> Int? {
        guard 1...5 ~= range.count, range.count == 1 || self[range.lowerBound] != ASCII.zero else { return nil }
        var value = 0
        for index in range {
            guard ASCII.isDigit(self[index]) else { return nil }
            value = value * 10 + Int(self[index] - ASCII.zero)
        }
        return value <= maximum ? value : nil
    }

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
