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
struct Wire {
    private(set) var parser: RequestParser
    private(set) var requests: [Request] = []
    private(set) var failure: RequestFailure?
    private var buffer: [UInt8] = []

    init(limits: RequestLimits = RequestLimits()) {
        parser = RequestParser(limits: limits)
    }

    /// The number of bytes that no request has consumed.
    var pending: Int { buffer.count }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        buffer += bytes
        while failure == nil {
            switch Self.parse(buffer, with: &parser) {
            case .needsMore(let consumed):
                buffer.removeFirst(consumed)
                return
            case .head(_, let consumed): buffer.removeFirst(consumed)
            case .failure(let reason): failure = reason
            case .request(let request, let consumed):
                requests.append(request)
                buffer.removeFirst(consumed)
            }
        }
    }

    private static func parse(_ bytes: [UInt8], with parser: inout RequestParser) -> RequestParser.Outcome {
        parser.parse(bytes.span)
    }

    mutating func takeContinueExpectation() -> Bool {
        parser.takeContinueExpectation()
    }

    var verdicts: [Verdict] {
        let read = requests.map { request in
            let fields = request.headers.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            return Verdict.request(
                "\(request.method) \(request.target.path)?\(request.target.query.rawValue) \(request.version)"
                    + " [\(fields)] \(text(request.body)) \(request.keepsAlive)")
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
