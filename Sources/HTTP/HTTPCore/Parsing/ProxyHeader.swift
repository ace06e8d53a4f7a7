/// The header that a proxy sends before the bytes of a connection, to name its client: PROXY protocol, versions 1 and 2.
///
/// Source: `doc/proxy-protocol.txt` of haproxy/haproxy, sections 2.1 and 2.2.
public enum ProxyHeader: Equatable, Sendable {
    /// The header is incomplete.
    case incomplete
    /// The header takes `length` bytes; without a client, the connection is the proxy's own or of an unknown kind.
    case complete(client: ClientAddress?, length: Int)
    /// The bytes are no header; the connection must be dropped.
    case malformed

    /// The longest line of version 1, with its CRLF.
    private static let maximumLine = 107
    /// The longest header of version 2 that is accepted: addresses of Unix sockets, and room for extensions.
    private static let maximumBlock = 4096
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]

    /// Reads the header at the start of `bytes`.
    public init(_ bytes: Span<UInt8>) {
        guard bytes.count > 0 else {
            self = .incomplete
            return
        }
        self = bytes[0] == Self.signature[0] ? Self.version2(bytes) : Self.version1(bytes)
    }

    private static func version1(_ bytes: Span<UInt8>) -> ProxyHeader {
        let name = Array("PROXY ".utf8)
        for index in 0..<min(name.count, bytes.count) where bytes[index] != name[index] { return .malformed }
        let limit = min(bytes.count, maximumLine)
        guard let end = bytes.firstIndex(of: ASCII.carriageReturn, in: 0..<limit), end + 1 < limit else {
            return bytes.count < maximumLine ? .incomplete : .malformed
        }
        guard bytes[end + 1] == ASCII.lineFeed else { return .malformed }
        var words: [Range<Int>] = []
        var start = name.count
        while start <= end {
            let space = bytes.firstIndex(of: ASCII.space, in: start..<end) ?? end
            words.append(start..<space)
            start = space + 1
        }
        guard let family = words.first else { return .malformed }
        if bytes.equals(family, "UNKNOWN") { return .complete(client: nil, length: end + 2) }
        guard words.count == 5, let port = bytes.decimal(words[3], maximum: 65_535),
            bytes.decimal(words[4], maximum: 65_535) != nil,
            let client = ClientAddress(bytes.extracting(words[1]), port: UInt16(port)),
            ClientAddress(bytes.extracting(words[2])) != nil
        else { return .malformed }
        let isIPv6 = bytes.firstIndex(of: ASCII.colon, in: words[1]) != nil
        guard bytes.equals(family, isIPv6 ? "TCP6" : "TCP4") else { return .malformed }
        return .complete(client: client, length: end + 2)
    }

    private static func version2(_ bytes: Span<UInt8>) -> ProxyHeader {
        for index in 0..<min(signature.count, bytes.count) where bytes[index] != signature[index] { return .malformed }
        guard bytes.count >= 16 else { return .incomplete }
        let size = Int(bytes.number(14..<16))
        let (version, command) = (bytes[12] >> 4, bytes[12] & 0xF)
        let (family, transport) = (bytes[13] >> 4, bytes[13] & 0xF)
        guard version == 2, command <= 1, family <= 3, transport <= 2, size <= maximumBlock else { return .malformed }
        guard bytes.count >= 16 + size else { return .incomplete }
        let length = 16 + size
        guard command == 1, transport == 1 else { return .complete(client: nil, length: length) }
        switch family {
        case 1:
            guard size >= 12 else { return .malformed }
            let port = UInt16(bytes.number(24..<26))
            return .complete(client: .v4(UInt32(bytes.number(16..<20)), port: port), length: length)
        case 2:
            guard size >= 36 else { return .malformed }
            let (address, port) = (bytes.number(16..<32), UInt16(bytes.number(48..<50)))
            let isMapped = address >> 32 == 0xFFFF
            let v4 = ClientAddress.v4(UInt32(truncatingIfNeeded: address), port: port)
            return .complete(client: isMapped ? v4 : .v6(address, port: port), length: length)
        case 3: return size >= 216 ? .complete(client: .unix, length: length) : .malformed
        default: return .complete(client: nil, length: length)
        }
    }
}

extension Span<UInt8> {
    /// The number in `range`, its first byte the most significant.
    fileprivate func number(_ range: Range<Int>) -> UInt128 {
        var number: UInt128 = 0
        for index in range { number = number << 8 | UInt128(self[index]) }
        return number
    }
}
