import Foundation
import HTTPClient
import TestSupport

/// An upstream that writes its frames of HTTP/2 itself (RFC 9113).
struct HTTP2Upstream {
    /// A connection, of which the upstream reads the requests.
    final class Connection: Sendable {
        private let bytes: Upstream.Connection
        private let input = Watched<[UInt8]>([])
        /// The number of the connection, from 1.
        var number: Int { bytes.number }

        fileprivate init(_ bytes: Upstream.Connection) { self.bytes = bytes }

        /// Sends the empty settings that begin a connection, and skips the client's preface.
        fileprivate func begin() {
            write(.settings, stream: 0)
            _ = read(24)
        }

        /// Returns the stream of the next request; nil if the client has closed the connection.
        func request() -> Int? {
            while let head = read(9) {
                let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
                guard read(length) != nil else { return nil }
                if head[3] == Frame.headers.rawValue { return head[5...].reduce(0) { $0 << 8 | Int($1) } }
            }
            return nil
        }

        /// Sends a complete response.
        func answer(_ stream: Int, _ text: String) {
            begin(stream, text)
            write(.data, flags: 0x1, stream: stream)
        }

        /// Sends a response without its end.
        func begin(_ stream: Int, _ text: String) {
            // The head is the entry of HPACK's static table for `:status: 200`.
            write(.headers, flags: 0x4, stream: stream, [0x88])
            write(.data, stream: stream, Array(text.utf8))
        }

        /// Sends GOAWAY: streams after `last` are not processed.
        func goAway(last: Int) { write(.goAway, stream: 0, Self.number(last) + Self.number(0)) }

        /// Resets a stream with an error code.
        func reset(_ stream: Int, code: Int) { write(.reset, stream: stream, Self.number(code)) }

        /// Asks for an answer to a ping.
        func ping() { write(.ping, stream: 0, [UInt8](repeating: 1, count: 8)) }

        /// Sends a frame; returns false if the client has closed the connection.
        @discardableResult
        private func write(_ kind: Frame, flags: UInt8 = 0, stream: Int, _ payload: [UInt8] = []) -> Bool {
            bytes.write(Self.frame(kind, flags: flags, stream: stream, payload))
        }

        /// Ends TLS, and leaves the connection below it open.
        func endTLS() { bytes.endTLS() }

        /// Sends frames without an effect until the client closes the connection.
        func flood(_ kind: Flood) {
            let frame =
                switch kind {
                case .goAways: Self.frame(.goAway, stream: 0, Self.number(0x7FFF_FFFF) + Self.number(0))
                case .pingAnswers: Self.frame(.ping, flags: 0x1, stream: 0, [UInt8](repeating: 1, count: 8))
                case .unknownFrames: Self.frame(.unknown, stream: 0)
                }
            let frames = Array([[UInt8]](repeating: frame, count: 1000).joined())
            while bytes.write(frames) {}
        }

        private static func frame(
            _ kind: Frame, flags: UInt8 = 0, stream: Int, _ payload: [UInt8] = []
        ) -> [UInt8] {
            number(payload.count).dropFirst() + [kind.rawValue, flags] + number(stream) + payload
        }

        private static func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian, Array.init) }

        private func read(_ count: Int) -> [UInt8]? {
            while input.current.count < count {
                guard let more = bytes.bytes() else { return nil }
                input.update { $0 += more }
            }
            return input.update { input in
                defer { input.removeFirst(count) }
                return Array(input[..<count])
            }
        }
    }

    /// Frames that a client takes without an effect.
    enum Flood: CaseIterable { case goAways, pingAnswers, unknownFrames }

    private enum Frame: UInt8 {
        case data = 0, headers = 1, reset = 3, settings = 4, ping = 6, goAway = 7, unknown = 0xF0
    }

    private let certificates: Certificates
    private let upstream: Upstream

    /// Starts an upstream that calls `serve` for each connection.
    init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
        certificates = try Certificates()
        upstream = try Upstream(tls: TLSIdentity(certificates, alpn: "h2")) { bytes in
            let connection = Connection(bytes)
            connection.begin()
            serve(connection)
        }
    }

    /// The number of connections so far.
    var connectionCount: Int { upstream.connectionCount }

    var request: OutgoingRequest { OutgoingRequest(upstream.url, trusting: certificates) }

    /// A request to the upstream as localhost, whose addresses the client's resolver chooses.
    func localRequest(lifetimeSeconds: Int? = nil) -> OutgoingRequest {
        let address = upstream.url.replacing("127.0.0.1", with: "localhost")
        var request = OutgoingRequest(address, trusting: certificates)
        var tls = TLSPolicy()
        tls.authorities = certificates.path("ca.pem")
        let ports = address.split(separator: ":").compactMap { Int($0) }
        request.policy = ConnectionPolicy(
            name: ConnectionPolicy.Name(host: "localhost", ports: ports), tls: tls, lifetimeSeconds: lifetimeSeconds)
        return request
    }

    func stop() { upstream.stop() }
}
