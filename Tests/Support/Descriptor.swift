import Foundation
import Glibc

/// A socket whose blocking calls have a time-out, which keeps a failing test from hanging.
// Unchecked: `number` is constant and `isClosed` is guarded by the lock.
package final class Descriptor: @unchecked Sendable {
    package enum Received {
        case bytes([UInt8])
        case end
        case reset
        case timedOut
    }

    package let number: Int32
    private let lock = NSLock()
    private var isClosed = false

    /// Takes ownership of the file descriptor `number` and makes it non-blocking; child processes do not inherit it.
    init(_ number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    /// Creates a stream socket that child processes do not inherit.
    package convenience init(family: Int32) throws {
        let number = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw Failure("cannot create a socket: \(errorText())") }
        self.init(number)
        var yes: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close() }

    package func close() {
        lock.withLock {
            if !isClosed { Glibc.close(number) }
            isClosed = true
        }
    }

    /// Shuts down both directions, which wakes waiting calls; the descriptor stays open.
    package func end() { lock.withLock { if !isClosed { shutdown(number, Int32(SHUT_RDWR)) } } }

    /// Makes the end of the connection a reset.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    package func receive(seconds: Double) -> Received {
        guard wait(for: POLLIN, seconds: seconds) else { return .timedOut }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(number, &bytes, bytes.count, 0)
        if count > 0 { return .bytes(Array(bytes[..<count])) }
        if count == 0 { return .end }
        return errno == EAGAIN || errno == EINTR ? receive(seconds: seconds) : .reset
    }

    /// Sends all of `bytes`; returns false if the peer closed the connection or a wait timed out.
    package func send(_ bytes: [UInt8], seconds: Double) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard wait(for: POLLOUT, seconds: seconds) else { return false }
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { sent += count } else if errno != EAGAIN && errno != EINTR { return false }
        }
        return true
    }

    /// Waits until the socket is ready or has failed; returns false after `seconds`.
    package func wait(for events: Int32, seconds: Double) -> Bool {
        var entry = pollfd(fd: number, events: Int16(events), revents: 0)
        let limit = Date(timeIntervalSinceNow: seconds)
        while true {
            let left = limit.timeIntervalSinceNow
            let count = poll(&entry, 1, Int32(max(0, left * 1000).rounded(.up)))
            if count > 0 { return true }
            if left <= 0 { return false }
        }
    }

    /// Connects to `127.0.0.1:PORT` or `unix:PATH`.
    package func connect(to address: String, seconds: Double) throws {
        let code = withSocketAddress(address) { Glibc.connect(number, $0, $1) }
        if code == 0 { return }
        guard [EINPROGRESS, EAGAIN].contains(errno) else { throw Failure("\(address): \(errorText())") }
        guard wait(for: POLLOUT, seconds: seconds) else { throw Failure("\(address) accepts no connection") }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size)
        guard error == 0 else { throw Failure("\(address): \(errorText(error))") }
    }

    /// Accepts a waiting connection; nil if there is none.
    package func accept() -> Descriptor? {
        let connection = Glibc.accept(number, nil, nil)
        return connection < 0 ? nil : Descriptor(connection)
    }

    /// Binds to `127.0.0.1:PORT` or `unix:PATH`; the port 0 selects a free one.
    package func bind(to address: String) throws {
        var yes: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard withSocketAddress(address, { Glibc.bind(number, $0, $1) }) == 0 else {
            throw Failure("\(address): \(errorText())")
        }
    }

    /// The port to which the socket is bound.
    package var port: UInt16 {
        var name = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
        }
        return UInt16(bigEndian: name.sin_port)
    }
}

package func errorText(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

/// Calls `body` with the socket address that `127.0.0.2:PORT`, `[::1]:PORT` or `unix:PATH` names.
private func withSocketAddress<Result>(
    _ address: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    if address.hasPrefix("unix:") {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let path = address.dropFirst("unix:".count).utf8
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.prefix($0.count - 1)) }
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
    let port = (address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0).bigEndian
    if address.hasPrefix("[") {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = port
        name.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port
    name.sin_addr.s_addr = inet_addr(String(address.prefix { $0 != ":" }))
    return withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
