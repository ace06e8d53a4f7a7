import EventLoop
import HTTPCore
import Glibc
import TestSupport

/// A client of a server under test that sends and receives bytes.
///
/// Each call waits at most half a minute, on the peer's own queue.
// Unchecked: `buffer` is accessed only on `queue`.
final class Peer: @unchecked Sendable {
    private static let seconds = 30.0

    private let queue = WorkQueue("peer")
    private let socket: Descriptor
    /// TLS on the socket; nil for plain HTTP.
    let tls: TLSClient?
    private let address: SocketAddress
    private var buffer: [UInt8] = []

    /// Connects to `address`; a small `receiveBuffer` makes a slow reader.
    convenience init(
        _ address: SocketAddress, tls settings: TLSClient.Settings? = nil, receiveBuffer: Int32? = nil
    ) throws {
        try self.init(unconnectedTo: address, tls: settings, receiveBuffer: receiveBuffer)
        try socket.connect(to: "\(address)", seconds: Self.seconds)
    }

    /// Creates a peer that connects later.
    init(unconnectedTo address: SocketAddress, tls settings: TLSClient.Settings? = nil, receiveBuffer: Int32? = nil)
        throws
    {
        self.address = address
        let family: Int32
        switch address {
        case .unix: family = AF_UNIX
        case .network(let host, _) where host.contains(":"): family = AF_INET6
        case .network, .inherited: family = AF_INET
        }
        let socket = try Descriptor(family: family)
        self.socket = socket
        tls = try settings.map { try TLSClient(socket, $0) }
        if var receiveBuffer {
            setsockopt(socket.number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    func connect() async throws {
        try await queue.run { [socket, address] in try socket.connect(to: "\(address)", seconds: Self.seconds) }
    }
}

// MARK: Sending

extension Peer {
    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        let isSent = await queue.run { [socket, tls] in
            tls?.send(bytes, seconds: Self.seconds) ?? socket.send(bytes, seconds: Self.seconds)
        }
        if !isSent { throw Failure("the server has not taken \(bytes.count) bytes") }
    }

    /// Sends bytes that TLS does not see.
    func sendRaw(_ bytes: [UInt8]) async throws {
        let isSent = await queue.run { [socket] in socket.send(bytes, seconds: Self.seconds) }
        if !isSent { throw Failure("the server has not taken \(bytes.count) bytes") }
    }

    /// Completes the handshake; returns false if it fails.
    func handshake() async -> Bool { await queue.run { [tls] in tls?.handshake(seconds: Self.seconds) ?? true } }

    /// Sends a GET for `target` that keeps the connection open.
    func get(_ target: String) async throws { try await send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") }

    /// Sends `bytes` repeatedly until the server takes no more for a quarter of a second, and returns the number sent.
    func sendWithoutEnd(_ bytes: [UInt8], atMost limit: Int) async -> Int {
        await queue.run { [socket] in
            var sent = 0
            while sent < limit, socket.wait(for: POLLOUT, seconds: 0.25) {
                let count = Glibc.send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { break }
                sent += count
            }
            return sent
        }
    }

    func finishSending() { shutdown(socket.number, Int32(SHUT_WR)) }

    /// Resets the connection.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket.number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        var nothing = sockaddr()
        nothing.sa_family = sa_family_t(AF_UNSPEC)
        _ = Glibc.connect(socket.number, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
    }
}

// MARK: Receiving

extension Peer {
    /// Reads a response to `method`; the Content-Length gives the length of the body.
    func answer(to method: String = "GET") async throws -> RawAnswer {
        try await queue.run { [self] in
            while true {
                if let end = headEnd { return try readAnswer(headEnd: end, hasBody: method != "HEAD") }
                guard try more() else { throw Failure("the connection ended before a response") }
            }
        }
    }

    /// Reads `count` bytes.
    func take(_ count: Int) async throws -> [UInt8] {
        try await queue.run { [self] in
            while buffer.count < count {
                guard try more() else { throw Failure("the connection ended after \(buffer.count) bytes") }
            }
            defer { buffer.removeFirst(count) }
            return Array(buffer[..<count])
        }
    }

    /// Reads to the end of the connection.
    /// - Throws: `Failure` if the connection is reset.
    func rest() async throws -> String {
        try await queue.run { [self] in
            while try more() {}
            defer { buffer = [] }
            return String(decoding: buffer, as: UTF8.self)
        }
    }

    /// Whether bytes or the end of the connection arrive within `milliseconds`.
    func hasBytes(within milliseconds: Int) async -> Bool {
        // Not on `queue`, which may be sending.
        await WorkQueue("watcher").run { [socket] in
            socket.wait(for: POLLIN, seconds: Double(milliseconds) / 1000)
        }
    }

    /// The end of the head in `buffer`, before its empty line.
    private var headEnd: Int? { buffer.firstRange(of: Array("\r\n\r\n".utf8))?.lowerBound }

    private func readAnswer(headEnd: Int, hasBody: Bool) throws -> RawAnswer {
        var answer = try RawAnswer(head: String(decoding: buffer[..<headEnd], as: UTF8.self))
        let start = headEnd + "\r\n\r\n".utf8.count
        let end = start + (hasBody ? answer.header("Content-Length").flatMap { Int($0) } ?? 0 : 0)
        while buffer.count < end {
            guard try more() else { throw Failure("the connection ended in the middle of a body") }
        }
        answer.body = Array(buffer[start..<end])
        buffer.removeFirst(end)
        return answer
    }

    /// Reads more bytes; returns false at the end of the connection.
    private func more() throws -> Bool {
        switch tls?.receive(seconds: Self.seconds) ?? socket.receive(seconds: Self.seconds) {
        case .bytes(let bytes):
            buffer += bytes
            return true
        case .end: return false
        case .reset: throw Failure("the connection was reset")
        case .timedOut: throw Failure("nothing arrived in time")
        }
    }
}
