import Foundation
import Glibc

/// An upstream whose behaviour a test scripts, protocol errors included.
///
/// It runs a thread per connection and handles one request on each.
package final class ScriptedUpstream: Sendable {
    /// What the upstream does with a request.
    package enum Reaction: Sendable {
        /// Sends these bytes, waits for the gate if there is one, and closes the connection.
        case bytes([UInt8], until: Gate? = nil)
        /// Sends nothing and waits for the client to close the connection.
        case stall
        /// Closes the connection without a response.
        case close
        /// Calls the closure with the connection, and closes it.
        case play(@Sendable (Descriptor) -> Void)
    }

    private struct State {
        var heads: [String] = []
        var connections: [Descriptor] = []
        var running = 0
        var isStopped = false
    }

    package let port: UInt16
    private let listener: Descriptor
    private let state = Watched(State())

    /// Listens on a loopback port, by default a free one; `react` decides what to do with each request head.
    package init(port: UInt16 = 0, _ react: @escaping @Sendable (String) -> Reaction) throws {
        listener = try Descriptor(family: AF_INET)
        try listener.bind(to: "127.0.0.1:\(port)")
        self.port = listener.port
        guard listen(listener.number, 128) == 0 else { throw Failure("port \(port): \(errorText())") }
        state.update { $0.running += 1 }
        Thread.detachNewThread { [listener, state] in
            Self.accept(listener, state, react)
            state.update { $0.running -= 1 }
        }
    }

    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// The heads of the requests received so far, with their bodies.
    package var requests: [String] { state.current.heads }

    /// Waits until `count` requests have been received; returns false after a time-out.
    package func waitForRequests(_ count: Int) -> Bool { state.wait { $0.heads.count >= count ? true : nil } ?? false }

    /// Waits until no connection is open; returns false after a time-out.
    package func waitForNoConnection() -> Bool { state.wait { $0.connections.isEmpty ? true : nil } ?? false }

    /// Closes the listener and all connections, as a crash would.
    package func stop() {
        listener.end()
        state.update { state in
            state.isStopped = true
            for connection in state.connections { connection.end() }
        }
        _ = state.wait { $0.running == 0 ? true : nil }
        listener.close()
    }

    private static func accept(
        _ listener: Descriptor, _ state: Watched<State>, _ react: @escaping @Sendable (String) -> Reaction
    ) {
        while !state.current.isStopped {
            guard listener.wait(for: POLLIN, seconds: 600) else { continue }
            guard let connection = listener.accept() else { continue }
            let isAccepted = state.update { state in
                guard !state.isStopped else { return false }
                state.connections.append(connection)
                state.running += 1
                return true
            }
            guard isAccepted else { return }
            Thread.detachNewThread {
                serve(connection, state, react)
                state.update { state in
                    state.connections.removeAll { $0 === connection }
                    state.running -= 1
                }
                connection.close()
            }
        }
    }

    /// Returns the length of a request whose head is complete, with its body.
    private static func length(of input: [UInt8]) -> Int {
        let marker = Array("\r\n\r\n".utf8)
        guard let end = input.firstRange(of: marker)?.upperBound else { return 0 }
        let head = String(decoding: input[..<end], as: UTF8.self)
        return end + (head.firstMatch(of: /Content-Length: ([0-9]+)\r\n/).flatMap { Int($0.1) } ?? 0)
    }

    private static func serve(
        _ connection: Descriptor, _ state: Watched<State>, _ react: (String) -> Reaction
    ) {
        var input: [UInt8] = []
        while !String(decoding: input, as: UTF8.self).contains("\r\n\r\n") {
            guard case .bytes(let bytes) = connection.receive(seconds: 60) else { return }
            input += bytes
        }
        // A body that is not read would make the end of the connection a reset.
        let length = length(of: input)
        while input.count < length {
            guard case .bytes(let bytes) = connection.receive(seconds: 60) else { return }
            input += bytes
        }
        let head = String(decoding: input, as: UTF8.self)
        state.update { $0.heads.append(head) }
        switch react(head) {
        case .bytes(let bytes, let gate):
            _ = connection.send(bytes, seconds: 60)
            gate?.pass(seconds: 60)
        case .stall: while case .bytes = connection.receive(seconds: 60) {}
        case .close: return
        case .play(let body): body(connection)
        }
    }
}

extension ScriptedUpstream.Reaction {
    /// Sends a complete response.
    package static func answer(
        _ status: Int, _ body: [UInt8], type: String = "application/json", headers: [String] = []
    ) -> Self {
        let fields = ["Content-Type: \(type)", "Content-Length: \(body.count)", "Connection: close"] + headers
        return .bytes(Array("HTTP/1.1 \(status) Some\r\n\(fields.map { "\($0)\r\n" }.joined())\r\n".utf8) + body)
    }

    /// Sends a complete response.
    package static func answer(
        _ status: Int, _ body: String, type: String = "application/json", headers: [String] = []
    ) -> Self {
        answer(status, Array(body.utf8), type: type, headers: headers)
    }

    /// Sends a complete response with status 200.
    package static func answer(_ body: String, type: String = "application/json", headers: [String] = []) -> Self {
        answer(200, body, type: type, headers: headers)
    }
}

/// A loopback port that is bound and refuses every connection.
package struct RefusingPort: Sendable {
    package let number: UInt16
    private let socket: Descriptor

    package init() throws {
        socket = try Descriptor(family: AF_INET)
        try socket.bind(to: "127.0.0.1:0")
        number = socket.port
    }

    package var baseURL: String { "http://127.0.0.1:\(number)" }

    /// Releases the port.
    package func release() { socket.close() }
}
