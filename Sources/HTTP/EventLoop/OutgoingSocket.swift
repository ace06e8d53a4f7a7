// Unsafe: addresses pass to the kernel as `sockaddr` pointers to locals, or to getaddrinfo's list, which is freed when its
// call returns. No pointer leaves its function.
import CSystem
import Glibc

extension Socket {
    /// Begins to connect to a numeric address or a path; the socket is writable once the attempt has ended.
    /// - Throws: `SystemError` if the address is not numeric, or the attempt fails at once.
    package static func connecting(to address: SocketAddress) throws -> Socket {
        switch address {
        case .unix(let path):
            return try ListeningSocket.withSocketAddress(path) { try connecting(AF_UNIX, $0, $1, address) }
        case .network(let host, let port):
            var hints = addrinfo()
            hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var found: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(host, String(port), &hints, &found)
            defer { freeaddrinfo(found) }
            guard code == 0, let info = found?.pointee, let name = info.ai_addr else {
                throw SystemError("connect to \(address)", code: EADDRNOTAVAIL)
            }
            return try connecting(info.ai_family, name, info.ai_addrlen, address)
        case .inherited: throw SystemError("connect to \(address)", code: EADDRNOTAVAIL)
        }
    }

    private static func connecting(
        _ family: Int32, _ name: UnsafePointer<sockaddr>, _ length: socklen_t, _ address: SocketAddress
    ) throws -> Socket {
        let socket = try ListeningSocket.newSocket(family, "open a socket to \(address)")
        if family != AF_UNIX { ListeningSocket.enable(TCP_NODELAY, level: Int32(IPPROTO_TCP), socket.descriptor) }
        guard connect(socket.descriptor, name, length) == 0 || errno == EINPROGRESS else {
            throw SystemError("connect to \(address)")
        }
        return socket
    }

    /// Returns why the attempt to connect to `address`, which has ended, failed; nil if the socket is connected.
    package func connectionError(to address: SocketAddress) -> SystemError? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == 0 ? nil : SystemError("connect to \(address)", code: code)
    }
}
