/// The address that a server listens at: `HOST:PORT`, `unix:PATH`, or `fd:NUMBER` for a socket that listens already.
public enum SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host name or numeric address (IPv6 without its brackets) and a port; port 0 asks the system for a free one.
    case network(host: String, port: UInt16)
    /// The path of a Unix domain socket, at most 107 bytes.
    case unix(path: String)
    /// The number of a descriptor that the process has inherited, such as 3 from systemd's socket activation.
    case inherited(Int32)

    /// The address in `HOST:PORT`, `:PORT` (every IPv4 address), `unix:PATH` or `fd:NUMBER`, a number from 3 on; nil if the
    /// text has none of these forms.
    public init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty, path.utf8.count <= 107, !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
            return
        }
        if text.hasPrefix("fd:") {
            let digits = text.dropFirst(3)
            guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int32(digits), number >= 3 else {
                return nil
            }
            self = .inherited(number)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        // UInt16's initializer accepts a sign.
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(digits) else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("[") {
            guard host.hasSuffix("]"), host.count > 2 else { return nil }
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.utf8.contains(0), host.utf8.count <= 255 else { return nil }
        self = .network(host: host.isEmpty ? "0.0.0.0" : String(host), port: port)
    }

    /// The text form, which `init` reads.
    public var description: String {
        switch self {
        case .network(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        case .inherited(let number): "fd:\(number)"
        }
    }
}
