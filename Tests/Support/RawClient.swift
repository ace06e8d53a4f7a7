import Glibc

/// An HTTP client that sends the given bytes unchanged and reads one response at a time.
package final class RawClient {
    /// How a connection ended.
    package enum End: Sendable {
        case closed
        case reset
    }

    /// The reason why no complete response was read.
    package enum ReadFailure: Error, Equatable {
        case closed(bytesReceived: Int)
        case reset(bytesReceived: Int)
        case timedOut(bytesReceived: Int)
    }

    private let socket: Descriptor
    /// TLS on the socket; nil for plain HTTP.
    package let tls: TLSClient?
    private let seconds: Double
    private var input: [UInt8] = []

    /// Connects to `127.0.0.1:PORT`, `[::1]:PORT` or `unix:PATH`; each read or write times out after `seconds`.
    package init(
        _ address: String, tls settings: TLSClient.Settings? = nil, seconds: Double = Sanitizer.isPresent ? 200 : 60
    ) throws {
        self.seconds = seconds
        let family = address.hasPrefix("unix:") ? AF_UNIX : address.hasPrefix("[") ? AF_INET6 : AF_INET
        let socket = try Descriptor(family: family)
        try socket.connect(to: address, seconds: seconds)
        tls = try settings.map { try TLSClient(socket, $0) }
        self.socket = socket
    }

    /// Sends `bytes`; returns false if the peer closed the connection.
    @discardableResult
    package func send(_ bytes: some Sequence<UInt8>) -> Bool {
        tls?.send(Array(bytes), seconds: seconds) ?? socket.send(Array(bytes), seconds: seconds)
    }

    /// Sends `text`; returns false if the peer closed the connection.
    @discardableResult
    package func send(_ text: String) -> Bool { send(text.utf8) }

    /// Shuts down the sending direction.
    package func finishSending() { shutdown(socket.number, Int32(SHUT_WR)) }

    /// Closes the connection.
    package func close() { socket.close() }

    /// Sends a request for `target` and reads the response.
    package func get(_ target: String, method: String = "GET", host: String = "weir.test", headers: [String] = [])
        throws
        -> RawAnswer
    {
        let fields = (["Host: \(host)"] + headers).map { "\($0)\r\n" }.joined()
        send("\(method) \(target) HTTP/1.1\r\n\(fields)\r\n")
        return try read(hasBody: method != "HEAD")
    }

    /// Waits for input or the end of the connection; returns false after `seconds`.
    package func waitForInput(seconds: Double) -> Bool { socket.wait(for: POLLIN, seconds: seconds) }

    /// Reads one response, whose Content-Length gives the length of the body.
    package func read(hasBody: Bool = true) throws -> RawAnswer {
        let marker = Array("\r\n\r\n".utf8)
        let headEnd = try readUntil { Self.index(of: marker, in: $0) }
        var answer = try RawAnswer(head: String(decoding: input[..<headEnd], as: UTF8.self))
        let start = headEnd + marker.count
        var end = start
        if hasBody, answer.status >= 200, answer.status != 204, answer.status != 304 {
            guard let length = answer.header("Content-Length").flatMap({ Int($0) }) else {
                throw Failure("the response has no Content-Length")
            }
            end += length
        }
        _ = try readUntil { $0.count >= end ? end : nil }
        answer.body = Array(input[start..<end])
        input.removeFirst(end)
        return answer
    }

    /// Reads a chunk of a body (RFC 9112 §7.1); an empty one is the end.
    package func readChunk() throws -> String {
        let line = try readUntil { Self.index(of: Array("\r\n".utf8), in: $0) }
        guard let count = Int(String(decoding: input[..<line], as: UTF8.self), radix: 16) else {
            throw Failure("no size of a chunk: \(String(decoding: input[..<line], as: UTF8.self))")
        }
        let start = line + 2, end = start + count
        _ = try readUntil { $0.count >= end + 2 ? end : nil }
        defer { input.removeFirst(end + 2) }
        return String(decoding: input[start..<end], as: UTF8.self)
    }

    /// Waits for the peer to close the connection.
    /// - Throws: `Failure` if bytes arrive first.
    package func waitForEnd() throws -> End {
        guard input.isEmpty else { throw Failure("unexpected bytes after the last response: \(input.count)") }
        switch receive() {
        case .bytes(let bytes):
            throw Failure("unexpected bytes instead of the end: \(String(decoding: bytes, as: UTF8.self))")
        case .end: return .closed
        case .reset: return .reset
        case .timedOut: throw ReadFailure.timedOut(bytesReceived: 0)
        }
    }

    private func receive() -> Descriptor.Received { tls?.receive(seconds: seconds) ?? socket.receive(seconds: seconds) }

    private func readUntil(_ find: ([UInt8]) -> Int?) throws -> Int {
        while true {
            if let found = find(input) { return found }
            switch receive() {
            case .bytes(let bytes): input += bytes
            case .end: throw ReadFailure.closed(bytesReceived: input.count)
            case .reset: throw ReadFailure.reset(bytesReceived: input.count)
            case .timedOut: throw ReadFailure.timedOut(bytesReceived: input.count)
            }
        }
    }

    private static func index(of marker: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= marker.count else { return nil }
        return (0...bytes.count - marker.count).first { bytes[$0] == marker[0] && bytes[$0...].starts(with: marker) }
    }
}
