import Dispatch
import EventLoop
import Glibc

/// What went wrong on a test's own side of a connection.
struct PeerError: Error, CustomStringConvertible {
    let description: String
    init(_ action: String, code: Int32 = errno) { description = "\(action): \(String(cString: strerror(code)))" }
}

/// An answer as a client reads it.
struct Answer: Equatable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var closes: Bool { headers["connection"] == "close" }
}

/// A client of a server under test, that says and hears bytes.
///
/// Its calls wait on a thread of their own, for half a minute at most.
// Unchecked: `buffer` is touched on `queue` only.
final class Peer: @unchecked Sendable {
    private let queue = DispatchQueue(label: "peer")
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    private let address: SocketAddress

    /// Connects to `address`.
    ///
    /// A small `receiveBuffer` makes a slow reader.
    convenience init(_ address: SocketAddress, receiveBuffer: Int32? = nil) throws {
        try self.init(unconnectedTo: address, receiveBuffer: receiveBuffer)
        guard Self.connect(descriptor, address) == 0 else { throw PeerError("connect to \(address)") }
    }

    /// A peer that has its socket and is to connect later.
    init(unconnectedTo address: SocketAddress, receiveBuffer: Int32? = nil) throws {
        self.address = address
        let family: Int32
        if case .unix = address { family = AF_UNIX } else { family = AF_INET }
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw PeerError("socket") }
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Glibc.close(descriptor) }

    func connect() async throws {
        try await onOwnThread { [descriptor, address] in
            guard Self.connect(descriptor, address) == 0 else { throw PeerError("connect to \(address)") }
        }
    }

    private static func connect(_ descriptor: Int32, _ address: SocketAddress) -> Int32 {
        switch address {
        case .network(let host, let port):
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &name.sin_addr)
            return withName(&name) { Glibc.connect(descriptor, $0, $1) }
        case .unix(let path):
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
            return withName(&name) { Glibc.connect(descriptor, $0, $1) }
        }
    }

    private static func withName<Name>(
        _ name: inout Name, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Name>.size))
            }
        }
    }

    private func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}

// Saying.
extension Peer {
    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        try await onOwnThread { [descriptor] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw PeerError("send") }
                sent += count
            }
        }
    }

    /// Sends a GET for `target` that keeps the connection.
    func get(_ target: String) async throws { try await send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") }

    /// How much of endless `bytes` the server takes before it takes no more for a quarter of a second.
    func sendWithoutEnd(_ bytes: [UInt8], atMost limit: Int) async throws -> Int {
        try await onOwnThread { [descriptor] in
            var sent = 0
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            while sent < limit, poll(&entry, 1, 250) == 1 {
                let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                guard count > 0 else { break }
                sent += count
            }
            return sent
        }
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Breaks the connection off with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        var nothing = sockaddr()
        nothing.sa_family = sa_family_t(AF_UNSPEC)
        _ = Glibc.connect(descriptor, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
    }
}

// Hearing.
extension Peer {
    /// The next answer, its body by its Content-Length; none for `method` HEAD.
    func answer(to method: String = "GET") async throws -> Answer {
        try await onOwnThread { [self] in
            while true {
                if let end = headEnd { return try readAnswer(head: end, hasBody: method != "HEAD") }
                guard try more() else { throw PeerError("the connection ended before an answer", code: 0) }
            }
        }
    }

    /// Takes `count` bytes, and leaves the rest unread.
    func take(_ count: Int) async throws -> [UInt8] {
        try await onOwnThread { [self] in
            while buffer.count < count {
                guard try more() else { throw PeerError("the connection ended", code: 0) }
            }
            defer { buffer.removeFirst(count) }
            return Array(buffer[..<count])
        }
    }

    /// Everything up to the connection's end.
    ///
    /// Throws when it was reset.
    func rest() async throws -> String {
        try await onOwnThread { [self] in
            while try more() {}
            defer { buffer = [] }
            return String(decoding: buffer, as: UTF8.self)
        }
    }

    /// Whether there is something to read within so many milliseconds.
    func hasBytes(within milliseconds: Int32) async -> Bool {
        await withCheckedContinuation { continuation in
            // Not the peer's own thread, which may be saying something meanwhile.
            DispatchQueue(label: "watcher").async { [descriptor] in
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                continuation.resume(returning: poll(&entry, 1, milliseconds) == 1)
            }
        }
    }

    private var headEnd: Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard buffer.count >= 4 else { return nil }
        return (0...buffer.count - 4).first { buffer[$0..<$0 + 4].elementsEqual(mark) }.map { $0 + 4 }
    }

    private func readAnswer(head: Int, hasBody: Bool) throws -> Answer {
        let lines = String(decoding: buffer[..<head], as: UTF8.self).split(separator: "\r\n")
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts[1].drop { $0 == " " }.description
        }
        let length = hasBody ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        while buffer.count < head + length {
            guard try more() else { throw PeerError("the connection ended in the middle of a body", code: 0) }
        }
        let answer = Answer(status: status, headers: headers, body: Array(buffer[head..<head + length]))
        buffer.removeFirst(head + length)
        return answer
    }

    /// Reads more; false at the end.
    private func more() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count >= 0 else { throw PeerError("receive") }
        buffer += chunk[..<count]
        return count > 0
    }
}
