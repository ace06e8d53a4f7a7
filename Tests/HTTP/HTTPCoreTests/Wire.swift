import HTTPCore
import Testing

/// Returns the scalars of `text` as bytes, so that `\u{85}` is the byte 0x85.
func octets(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}

/// The result of parsing one request, in a form that can be compared.
enum Verdict: Equatable, CustomStringConvertible {
    case request(String)
    case refused(Int, String)

    var status: Int? {
        if case .refused(let status, _) = self { return status }
        return nil
    }

    var description: String {
        switch self {
        case .request(let summary): summary
        case .refused(let status, let detail): "\(status): \(detail)"
        }
    }
}

/// A connection without a socket, which keeps the received bytes of the current request as the server does.
///
/// The server closes after a request with a body. The suites go on behind the body, so it is read here.
struct Wire {
    private struct Body {
        let request: Request
        /// The Content-Length; nil for the chunked coding.
        let length: Int?
        var chunks = ChunkedReader()
        /// The trailer section is read as that of a response.
        var trailers = ResponseHead(limits: .init(bytes: 32768, fields: 100))
        var bytes: [UInt8] = []

        init(of request: Request) throws {
            self.request = request
            length = request.headers["Content-Length"].flatMap { Int($0) }
            for line in ["HTTP/1.1 200 OK\r\n", "\r\n"] { try trailers.take(line.utf8.span) }
        }

        var isComplete: Bool { length.map { bytes.count == $0 } ?? chunks.isFinished }

        /// Takes the bytes in `input` that belong to the body, and returns their number.
        mutating func take(_ input: [UInt8]) throws(ResponseHead.Malformed) -> Int {
            guard let length else { return try chunks.take(input.span, into: &bytes, &trailers) }
            let count = min(length - bytes.count, input.count)
            bytes += input[..<count]
            return count
        }
    }

    private(set) var parser: RequestParser
    private(set) var requests: [Request] = []
    /// The bodies of the requests.
    private(set) var bodies: [[UInt8]] = []
    private(set) var failure: RequestFailure?
    private var buffer: [UInt8] = []
    private var body: Body?

    init(limits: RequestLimits = RequestLimits()) {
        parser = RequestParser(limits: limits)
    }

    /// The number of bytes that no request has consumed.
    var pending: Int { buffer.count }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        buffer += bytes
        while failure == nil {
            if body != nil {
                guard receiveBody() else { return }
            } else {
                switch Self.parse(buffer, with: &parser) {
                case .needsMore: return
                case .failure(let reason): failure = reason
                case .request(let request, let consumed):
                    buffer.removeFirst(consumed)
                    if request.hasBody { body = try? Body(of: request) } else { append(request, []) }
                }
            }
        }
    }

    /// Continues with the body; returns whether the connection goes on to the next request, or has failed.
    private mutating func receiveBody() -> Bool {
        do {
            buffer.removeFirst(try body?.take(buffer) ?? 0)
        } catch {
            failure = RequestFailure(status: .badRequest, detail: "\(error)")
        }
        guard let body, body.isComplete else { return failure != nil }
        append(body.request, body.bytes)
        self.body = nil
        return true
    }

    private mutating func append(_ request: Request, _ body: [UInt8]) {
        requests.append(request)
        bodies.append(body)
    }

    private static func parse(_ bytes: [UInt8], with parser: inout RequestParser) -> RequestParser.Outcome {
        parser.parse(bytes.span)
    }

    var verdicts: [Verdict] {
        let read = zip(requests, bodies).map { request, body in
            let fields = request.headers.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            return Verdict.request(
                "\(request.method) \(request.target.path)?\(request.target.query.rawValue) \(request.version)"
                    + " [\(fields)] \(text(body)) \(request.keepsAlive)")
        }
        return read + (failure.map { [.refused($0.status.code, $0.detail)] } ?? [])
    }
}

/// Returns the results for `input`, after checking that input in two parts or byte by byte gives the same results.
func verdicts(
    _ input: [UInt8], limits: RequestLimits = RequestLimits(), sourceLocation: SourceLocation = #_sourceLocation
) -> [Verdict] {
    var whole = Wire(limits: limits)
    whole.receive(input)
    var bytewise = Wire(limits: limits)
    for byte in input { bytewise.receive([byte]) }
    #expect(bytewise.verdicts == whole.verdicts, "byte by byte", sourceLocation: sourceLocation)
    for cut in input.indices where input.count <= 1024 {
        var halves = Wire(limits: limits)
        halves.receive(input[..<cut])
        halves.receive(input[cut...])
        #expect(halves.verdicts == whole.verdicts, "cut at \(cut)", sourceLocation: sourceLocation)
    }
    return whole.verdicts
}

/// Returns the only request in `input`.
func request(_ input: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Request {
    var wire = Wire()
    wire.receive(octets(input))
    #expect(wire.failure == nil, sourceLocation: sourceLocation)
    #expect(wire.pending == 0, sourceLocation: sourceLocation)
    return try #require(wire.requests.first, sourceLocation: sourceLocation)
}
