import JSONText
import LenientCoding
import Synchronization

/// One try to get a document from an upstream, as the log names it.
struct Try: Sendable {
    let upstream: String
    let endpoint: Upstream.Endpoint
    /// The status of the response, or the reason why there is none.
    let result: String
    let milliseconds: Int
    /// The bytes of the response's body, after decompression.
    let bytes: Int
    /// The requests that the client sent: more than one after a repetition or a redirect.
    let sent: Int
    /// Whether the connection had been used before; nil if there was no response.
    let isReused: Bool?

    var isSuccess: Bool { result == "200" }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("upstream", .string(upstream)), .init("requests", .string(endpoint.rawValue)),
            .init("result", .string(result)), .init("milliseconds", .number("\(milliseconds)")),
            .init("bytes", .number("\(bytes)")),
        ]
        if let isReused { members.append(.init("connection", .string(isReused ? "reused" : "new"))) }
        if sent > 1 { members.append(.init("sent", .number("\(sent)"))) }
        return .object(members)
    }
}

/// The tries for one request of a client.
final class Tries: Sendable {
    private let list = Mutex<[Try]>([])

    var all: [Try] { list.withLock { $0 } }

    func add(_ entry: Try) { list.withLock { $0.append(entry) } }
}

/// Counts the requests that the client sends for one transfer, on another thread.
final class SentRequests: Sendable {
    private let number = Atomic(0), redirects = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    /// Those that were sent again, because a connection had ended or answered 408.
    var repetitions: Int { max(0, count - 1 - redirects.load(ordering: .relaxed)) }

    func add() { number.add(1, ordering: .relaxed) }

    func addRedirect() { redirects.add(1, ordering: .relaxed) }
}
