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
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            return try withUnsafePointer(to: &name) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    try connecting(AF_UNIX, $0, socklen_t(MemoryLayout<sockaddr_un>.size), address)
                }
            }
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
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(family, type, 0)
        guard descriptor >= 0 else { throw SystemError("open a socket to \(address)") }
        let socket = Socket(descriptor: descriptor)
        var yes: Int32 = 1
        if family != AF_UNIX {
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        guard connect(descriptor, name, length) == 0 || errno == EINPROGRESS else {
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
