// Unsafe: socket addresses pass to the kernel as `sockaddr` pointers to locals or to getaddrinfo's list, which is freed
// when its call returns. No pointer leaves its function.
import CSystem
import Glibc
public import HTTPCore

/// A socket that accepts connections.
public final class ListeningSocket: Sendable {
    /// The result of `accept`.
    public enum Accepted: Sendable {
        /// A connection, and the address of its other end.
        case connection(Socket, ClientAddress)
        /// No connection is waiting, or the client has reset it.
        case none
        /// The process or the system is out of file descriptors or memory: try again later.
        case exhausted
    }

    let socket: Socket
    /// The address, with the port that the system chose if 0 was requested.
    public let address: SocketAddress

    private init(socket: Socket, address: SocketAddress) {
        self.socket = socket
        self.address = address
    }

    /// Accepts the next waiting connection.
    public func accept() -> Accepted {
        var peer = weir_peer()
        let descriptor = weir_accept(socket.descriptor, &peer)
        if descriptor >= 0 { return .connection(Socket(descriptor: descriptor), ClientAddress(peer)) }
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        default: return .none
        }
    }

    /// Opens `count` sockets on one address, one for each event loop.
    ///
    /// On a network address each has a queue of its own (SO_REUSEPORT); on a path, or inherited, they share one socket.
    /// `mode` are the permissions of the file at a path, such as 0o660; nil leaves them to the umask.
    /// - Throws: `SystemError` if the address is in use, not permitted or not local, or a descriptor does not listen.
    public static func open(
        _ address: SocketAddress, count: Int, mode: UInt32? = nil, backlog: Int32 = 1024
    ) throws -> [ListeningSocket] {
        switch address {
        case .unix(let path):
            let socket = try openUnix(path: path, address: address, mode: mode, backlog: backlog)
            return (0..<count).map { _ in ListeningSocket(socket: socket, address: address) }
        case .inherited(let number):
            let socket = try inherit(number)
            return (0..<count).map { _ in ListeningSocket(socket: socket, address: address) }
        case .network(let host, let port):
            var sockets = [try openNetwork(host: host, port: port, backlog: backlog, claims: true)]
            guard case .network(_, let chosen) = sockets[0].address else { return sockets }
            for _ in 1..<max(count, 1) {
                sockets.append(try openNetwork(host: host, port: chosen, backlog: backlog, claims: false))
            }
            return sockets
        }
    }

    /// Opens a socket as `openOnce` does.
    ///
    /// Two processes that begin to listen in the same microseconds can both be refused, so each tries again.
    private static func openNetwork(
        host: String, port: UInt16, backlog: Int32, claims: Bool
    ) throws -> ListeningSocket {
        for _ in 0..<3 {
            do {
                return try openOnce(host: host, port: port, backlog: backlog, claims: claims)
            } catch let error as SystemError where error.code == EADDRINUSE {
                usleep(.random(in: 1000...10_000))
            }
        }
        return try openOnce(host: host, port: port, backlog: backlog, claims: claims)
    }

    /// Opens a socket that listens and lets others listen at its port (SO_REUSEPORT).
    ///
    /// One that `claims` the port begins to listen without that option, so it fails if any other socket listens there.
    private static func openOnce(host: String, port: UInt16, backlog: Int32, claims: Bool) throws -> ListeningSocket {
        let requested = SocketAddress.network(host: host, port: port)
        return try AddressList.with(host, port, flags: AI_PASSIVE | AI_NUMERICSERV) { info, code in
            guard let info = info?.pointee else {
                throw SystemError("find an address for \(requested)", code: code == EAI_SYSTEM ? errno : EADDRNOTAVAIL)
            }
            let socket = try newSocket(info.ai_family, "open a socket for \(requested)")
            enable(SO_REUSEADDR, level: SOL_SOCKET, socket.descriptor)
            if !claims { enable(SO_REUSEPORT, level: SOL_SOCKET, socket.descriptor) }
            // Connections inherit it. A response is written in one piece, so nothing needs to be coalesced.
            enable(TCP_NODELAY, level: Int32(IPPROTO_TCP), socket.descriptor)
            guard bind(socket.descriptor, info.ai_addr, info.ai_addrlen) == 0,
                listen(socket.descriptor, backlog) == 0
            else { throw SystemError("listen on \(requested)") }
            if claims { enable(SO_REUSEPORT, level: SOL_SOCKET, socket.descriptor) }
            return ListeningSocket(socket: socket, address: .network(host: host, port: boundPort(of: socket) ?? port))
        }
    }

    /// Takes over a socket that another process has opened and that listens.
    private static func inherit(_ number: Int32) throws -> Socket {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else {
            throw SystemError("listen on fd:\(number)", code: listens == 1 ? errno : ENOTSOCK)
        }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        enable(TCP_NODELAY, level: Int32(IPPROTO_TCP), number)
        return Socket(descriptor: number)
    }

    private static func openUnix(
        path: String, address: SocketAddress, mode: UInt32?, backlog: Int32
    ) throws -> Socket {
        let socket = try newSocket(AF_UNIX, "open a socket for \(address)")
        try removeStaleSocket(path: path)
        let isBound = withSocketAddress(path) { bind(socket.descriptor, $0, $1) == 0 }
        // Before it listens, so that no one connects whom the mode keeps out.
        let hasMode = isBound && (mode.map { chmod(path, $0) == 0 } ?? true)
        guard hasMode, listen(socket.descriptor, backlog) == 0 else { throw SystemError("listen on \(address)") }
        return socket
    }

    /// Removes the socket file that a killed process left; throws if a process accepts connections there.
    private static func removeStaleSocket(path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let probe = try newSocket(AF_UNIX, "open a socket for unix:\(path)")
        if withSocketAddress(path, { connect(probe.descriptor, $0, $1) == 0 }) {
            throw SystemError("listen on unix:\(path)", code: EADDRINUSE)
        }
        if errno == ECONNREFUSED { unlink(path) }
    }

    static func newSocket(_ family: Int32, _ action: String) throws -> Socket {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(family, type, 0)
        guard descriptor >= 0 else { throw SystemError(action) }
        return Socket(descriptor: descriptor)
    }

    static func enable(_ option: Int32, level: Int32, _ descriptor: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func boundPort(of socket: Socket) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let name = bytes.bindMemory(to: sockaddr.self).baseAddress,
                getsockname(socket.descriptor, name, &length) == 0
            else { return nil }
            // sin_port and sin6_port have the same offset; network byte order.
            return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }

    /// Calls `body` with the address of a path and its size.
    static func withSocketAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
    ) rethrows -> Result {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return try withUnsafePointer(to: &name) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The addresses that the system finds for a host name, with its hosts file and DNS.
enum AddressList {
    /// Calls `body` with the first address, nil if there is none, and with the result of getaddrinfo.
    static func with<Result, Failure: Error>(
        _ host: String, _ port: UInt16? = nil, flags: Int32 = 0,
        _ body: (UnsafeMutablePointer<addrinfo>?, _ code: Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var hints = addrinfo()
        (hints.ai_flags, hints.ai_socktype) = (flags, Int32(SOCK_STREAM.rawValue))
        var first: UnsafeMutablePointer<addrinfo>?
        let service = port.map { "\($0)" }
        let code = getaddrinfo(host, service, &hints, &first)
        defer { freeaddrinfo(first) }
        return try body(code == 0 ? first : nil, code)
    }

    /// The numeric form of an address; nil if it has none.
    static func text(_ entry: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size = socklen_t(text.count)
        guard let address = entry.ai_addr,
            getnameinfo(address, entry.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension ClientAddress {
    /// The address of the other end of an accepted connection; IPv4 also if it came mapped into IPv6.
    fileprivate init(_ peer: weir_peer) {
        switch Int32(peer.family) {
        case AF_INET: self = .v4(UInt32(truncatingIfNeeded: peer.low), port: peer.port)
        case AF_INET6 where peer.high == 0 && peer.low >> 32 == 0xFFFF:
            self = .v4(UInt32(truncatingIfNeeded: peer.low), port: peer.port)
        case AF_INET6: self = .v6(UInt128(peer.high) << 64 | UInt128(peer.low), port: peer.port)
        default: self = .unix
        }
    }
}

extension SocketAddress {
    /// Whether a process cannot listen at both addresses: they are one, or one is every address of its family.
    ///
    /// Host names with one port are looked up, for as long as DNS takes. A name that is not found overlaps itself alone.
    public func overlaps(_ other: SocketAddress) -> Bool {
        guard case .network(let host, let port) = self, case .network(let otherHost, port) = other, host != otherHost
        else { return self == other && !usesFreePort }
        func numeric(_ host: String) -> String? {
            AddressList.with(host, flags: AI_PASSIVE) { first, _ in first.flatMap { AddressList.text($0.pointee) } }
        }
        guard !usesFreePort, let first = numeric(host), let second = numeric(otherHost)
        else { return false }
        // A socket at `::` takes IPv4 too.
        let hasIPv6 = [first, second].contains { $0.contains(":") }
        return first == second || first == "::" || second == "::"
            || !hasIPv6 && (first == "0.0.0.0" || second == "0.0.0.0")
    }

    private var usesFreePort: Bool {
        if case .network(_, port: 0) = self { true } else { false }
    }
}
