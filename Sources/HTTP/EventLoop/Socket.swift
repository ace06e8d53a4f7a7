// Unsafe: `receive` and `send` give the kernel pointers into the caller's array, inside `withUnsafe…` only, with the
// count of the same buffer. Addresses pass as `sockaddr` pointers to locals, or to getaddrinfo's list, which is freed when
// its call returns.
import CSystem
import Glibc
package import HTTPCore

/// A non-blocking stream socket, closed when its last reference is released.
public final class Socket: Sendable {
    /// The result of a transfer.
    public enum Outcome: Equatable, Sendable {
        /// This many bytes were transferred.
        case bytes(Int)
        /// The peer has closed its sending side.
        case end
        /// The kernel's buffer is empty (`receive`) or full (`send`).
        case wouldBlock
        /// The connection is broken, with this error number of the system.
        case failed(Int32)
    }

    /// The number of the descriptor, for libraries that read and send themselves; they must hold the socket.
    package let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Reads the available bytes into `buffer`, from its start and up to its count.
    public func receive(into buffer: inout [UInt8]) -> Outcome { receive(into: &buffer, flags: 0) }

    /// Reads the available bytes into `buffer` as `receive` does, and leaves them where they are.
    public func peek(into buffer: inout [UInt8]) -> Outcome { receive(into: &buffer, flags: Int32(MSG_PEEK)) }

    private func receive(into buffer: inout [UInt8], flags: Int32) -> Outcome {
        let outcome = buffer.withUnsafeMutableBytes { bytes in
            Self.transfer { recv(descriptor, bytes.baseAddress, bytes.count, flags) }
        }
        return outcome == .bytes(0) ? .end : outcome
    }

    /// Writes as many bytes of `buffer` from `start` on as the kernel takes, without raising SIGPIPE.
    public func send(_ buffer: [UInt8], from start: Int) -> Outcome {
        buffer[start...].withUnsafeBytes { bytes in
            Self.transfer { Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// Writes as many bytes of `first` and then of `second`, from `start` on, as the kernel takes, as `send` does.
    public func send(_ first: [UInt8], then second: [UInt8], from start: Int = 0) -> Outcome {
        first.withUnsafeBytes { first in
            second[start...].withUnsafeBytes { second in
                Self.transfer {
                    weir_send_both(descriptor, first.baseAddress, first.count, second.baseAddress, second.count)
                }
            }
        }
    }

    /// The bytes that were sent and that the other end's system has not taken.
    package var untaken: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    /// Closes the sending side, so that the peer reads the end of the stream.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private static func transfer(_ call: () -> Int) -> Outcome {
        while true {
            let count = call()
            if count >= 0 { return .bytes(count) }
            if errno != EINTR { return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed(errno) }
        }
    }
}

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The action that failed, such as `listen on 127.0.0.1:8080`.
    public let action: String
    /// The system's error number.
    public let code: Int32

    package init(_ action: String, code: Int32 = errno) { (self.action, self.code) = (action, code) }

    /// Whether there is no such file.
    public var isNotFound: Bool { code == ENOENT }

    /// The system's text for the number, such as `Address already in use`.
    package var reason: String { String(cString: strerror(code)) }

    /// A text such as `cannot listen on 127.0.0.1:8080: Address already in use`.
    public var description: String { "cannot \(action): \(reason)" }
}

extension Socket {
    /// Begins to connect to a numeric address or a path; the socket is writable once the attempt has ended.
    /// - Throws: `SystemError` if the address is not numeric, or the attempt fails at once.
    package static func connecting(to address: SocketAddress) throws -> Socket {
        switch address {
        case .unix(let path):
            return try ListeningSocket.withSocketAddress(path) { try connecting(AF_UNIX, $0, $1, address) }
        case .network(let host, let port):
            return try AddressList.with(host, port, flags: AI_NUMERICHOST | AI_NUMERICSERV) { info, _ in
                guard let info = info?.pointee, let name = info.ai_addr else {
                    throw SystemError("connect to \(address)", code: EADDRNOTAVAIL)
                }
                return try connecting(info.ai_family, name, info.ai_addrlen, address)
            }
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
