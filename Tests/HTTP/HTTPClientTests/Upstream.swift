import Foundation
import Glibc
import Synchronization
import TestSupport

/// An upstream that calls a closure for each connection, on a thread of its own.
final class Upstream: Sendable {
    /// A connection of the client to the upstream.
    final class Connection: Sendable {
        private let socket: Descriptor
        private let tls: TLSServer?
        /// The number of the connection, from 1.
        let number: Int
        private let input = Mutex<[UInt8]>([])

        fileprivate init(_ socket: Descriptor, _ tls: TLSServer?, number: Int) {
            self.socket = socket
            self.tls = tls
            self.number = number
        }

        /// Returns the head of the next request, or nil if the client has closed the connection.
        func request() -> String? {
            input.withLock { input in
                while true {
                    if let end = input.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                        defer { input.removeFirst(end) }
                        return String(decoding: input[..<end], as: UTF8.self)
                    }
                    guard let bytes = bytes() else { return nil }
                    input += bytes
                }
            }
        }

        /// Returns the body of the request whose head was read last.
        func body(_ count: Int) -> String {
            input.withLock { input in
                while input.count < count {
                    guard let bytes = bytes() else { return "" }
                    input += bytes
                }
                defer { input.removeFirst(count) }
                return String(decoding: input[..<count], as: UTF8.self)
            }
        }

        /// Returns the bytes that have arrived; nil if the client has closed the connection.
        func bytes() -> [UInt8]? {
            let received = tls?.receive(seconds: 600) ?? socket.receive(seconds: 600)
            guard case .bytes(let bytes) = received else { return nil }
            return bytes
        }

        @discardableResult
        func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        /// Sends `bytes`; returns false if the client closes the connection before.
        @discardableResult
        func write(_ bytes: [UInt8]) -> Bool {
            tls?.send(bytes, seconds: 600) ?? socket.send(bytes, seconds: 600)
        }

        /// Whether the connection has resumed a session of TLS.
        var isResumed: Bool { tls?.isResumed == true }

        /// Asks the client for new keys of TLS, as a server may at any time.
        func updateKeys() { tls?.requestNewKeys() }

        /// Sends a complete response; each line of `headers` ends in CRLF.
        func answer(status: Int = 200, _ headers: String = "", body: [UInt8] = []) {
            write(Array("HTTP/1.1 \(status) X\r\nContent-Length: \(body.count)\r\n\(headers)\r\n".utf8) + body)
        }

        func answer(status: Int = 200, _ headers: String = "", text: String) {
            answer(status: status, headers, body: Array(text.utf8))
        }

        /// Makes the end of the connection a reset.
        func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket.number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }

        /// Waits until the client closes the connection.
        func waitForEnd() { while request() != nil {} }
    }

    private struct State {
        var sockets: [Descriptor] = []
        var isStopped = false
    }

    /// The URL of the upstream, without a path.
    let url: String
    private let tls: TLSIdentity?
    private let listener: Descriptor
    private let state = Mutex(State())

    /// The number of connections so far.
    var connectionCount: Int { state.withLock { $0.sockets.count } }

    /// Starts an upstream on a free port or at the path of a Unix socket.
    convenience init(
        path: String? = nil, tls: TLSIdentity? = nil, _ serve: @escaping @Sendable (Connection) -> Void
    ) throws {
        try self.init(listeningAt: path.map { "unix:\($0)" } ?? "127.0.0.1:0", tls, backlog: 1024)
        // Threads of their own: Dispatch has 255 for serial queues, and the event loops under test need them.
        Thread.detachNewThread { [self] in accept(serve) }
    }

    /// Returns an upstream that accepts no connection, with the connections that fill its backlog.
    static func full(at address: String = "127.0.0.1:0") throws -> (Upstream, fillers: [Descriptor]) {
        let upstream = try Upstream(listeningAt: address, nil, backlog: 0)
        let fillers = try (0..<4).map { _ in
            let filler = try Descriptor(family: AF_INET)
            let host = address.prefix { $0 != ":" }
            try? filler.connect(to: "\(host):\(upstream.listener.port)", seconds: 0)
            return filler
        }
        return (upstream, fillers)
    }

    private init(listeningAt address: String, _ tls: TLSIdentity?, backlog: Int32) throws {
        let isUnix = address.hasPrefix("unix:")
        self.tls = tls
        listener = try Descriptor(family: isUnix ? AF_UNIX : AF_INET)
        try listener.bind(to: address)
        guard listen(listener.number, backlog) == 0 else { throw Failure("listen: \(errorText())") }
        let scheme = tls == nil ? "http" : "https"
        url = isUnix ? "\(scheme)://localhost" : "\(scheme)://127.0.0.1:\(listener.port)"
    }

    /// Stops listening and ends all connections.
    func stop() {
        let sockets = state.withLock { state in
            state.isStopped = true
            return state.sockets
        }
        listener.end()
        for socket in sockets { socket.end() }
    }

    private func accept(_ serve: @escaping @Sendable (Connection) -> Void) {
        while !state.withLock({ $0.isStopped }) {
            guard listener.wait(for: POLLIN, seconds: 600), let socket = listener.accept() else { continue }
            let number = state.withLock { state in
                state.sockets.append(socket)
                return state.isStopped ? nil : state.sockets.count
            }
            guard let number else { return socket.close() }
            Thread.detachNewThread {
                self.serve(socket, number, serve)
                socket.close()
            }
        }
    }

    private func serve(_ socket: Descriptor, _ number: Int, _ serve: (Connection) -> Void) {
        guard let tls else { return serve(Connection(socket, nil, number: number)) }
        guard let session = try? TLSServer(socket, tls),
            session.handshake(seconds: 600)
        else { return }
        serve(Connection(socket, session, number: number))
        session.finish()
    }
}
