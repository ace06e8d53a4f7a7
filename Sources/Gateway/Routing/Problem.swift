import HTTPCore
import JSONText

/// What went wrong, as clients get it: `application/problem+json` (RFC 9457).
///
/// It never holds a key or an internal path.
struct Problem: Error {
    /// The kinds of problems, which clients may tell apart by `type`.
    enum Kind: String {
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case malformedRequest = "malformed-request"
        case requestTimeout = "request-timeout"
        case overloaded
        case invalidParameters = "invalid-parameters"
        case upstreamFailed = "upstream-failed"
        case upstreamUnavailable = "upstream-unavailable"
        case upstreamTooSlow = "upstream-too-slow"
        case upstreamNotFound = "upstream-not-found"
        case upstreamRateLimit = "upstream-rate-limit"
        case upstreamRefused = "upstream-refused"

        /// A short name of the kind, the same for each occurrence.
        var title: String {
            let words = rawValue.split(separator: "-").joined(separator: " ")
            return words.prefix(1).uppercased() + words.dropFirst()
        }
    }

    /// What an upstream itself said.
    struct UpstreamError: Sendable {
        let name: String
        var status: Int?
        var error: String?
    }

    let kind: Kind
    let status: Status
    let detail: String
    var faults: [Parameters.Fault] = []
    var upstream: UpstreamError?
    var headers: [(name: String, value: String)] = []

    /// The problem as an answer.
    var response: Response {
        let fields = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
        return Response(status: status, headers: fields + headers, body: body)
    }

    private var body: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.write(raw: "{\"type\":")
        writer.write("urn:weir:problem:\(kind.rawValue)")
        writer.write(raw: ",\"title\":")
        writer.write(kind.title)
        writer.write(raw: ",\"status\":")
        writer.write(Int64(status.code))
        writer.write(raw: ",\"detail\":")
        writer.write(detail)
        if !faults.isEmpty { write(faults, to: &writer) }
        if let upstream { write(upstream, to: &writer) }
        writer.write(byte: UInt8(ascii: "}"))
        return writer.bytes
    }

    private func write(_ faults: [Parameters.Fault], to writer: inout JSONWriter) {
        writer.write(raw: ",\"errors\":[")
        for (index, fault) in faults.enumerated() {
            writer.write(raw: index == 0 ? "{\"parameter\":" : ",{\"parameter\":")
            writer.write(fault.name)
            writer.write(raw: ",\"detail\":")
            writer.write(fault.detail)
            writer.write(byte: UInt8(ascii: "}"))
        }
        writer.write(byte: UInt8(ascii: "]"))
    }

    private func write(_ upstream: UpstreamError, to writer: inout JSONWriter) {
        writer.write(raw: ",\"upstream\":{\"name\":")
        writer.write(upstream.name)
        if let status = upstream.status {
            writer.write(raw: ",\"status\":")
            writer.write(Int64(status))
        }
        if let error = upstream.error {
            writer.write(raw: ",\"error\":")
            writer.write(error)
        }
        writer.write(byte: UInt8(ascii: "}"))
    }
}

// The problems that are the client's.
extension Problem {
    static func notFound(tryInstead examples: String) -> Problem {
        Problem(kind: .notFound, status: .notFound, detail: "There is nothing at this path. Try \(examples).")
    }

    static func methodNotAllowed(_ method: Method) -> Problem {
        Problem(
            kind: .methodNotAllowed, status: .methodNotAllowed,
            detail: "\(method.rawValue.prefix(40)) is not possible here; GET and HEAD are.",
            headers: [("Allow", "GET, HEAD")])
    }

    static func refused(_ failure: RequestFailure) -> Problem {
        let (status, detail) = (failure.status, failure.detail)
        return switch status {
        case .requestTimeout: Problem(kind: .requestTimeout, status: status, detail: detail)
        case .serviceUnavailable:
            Problem(kind: .overloaded, status: status, detail: detail, headers: [("Retry-After", "1")])
        default: Problem(kind: .malformedRequest, status: status, detail: detail)
        }
    }

    static func invalidParameters(_ faults: [Parameters.Fault]) -> Problem {
        Problem(
            kind: .invalidParameters, status: .badRequest,
            detail: faults.map { "\($0.name) \($0.detail)" }.joined(separator: "; "), faults: faults)
    }
}
