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
        return .object(members)
    }
}

/// The tries for one request of a client.
final class Tries: Sendable {
    private let list = Mutex<[Try]>([])

    var all: [Try] { list.withLock { $0 } }

    func add(_ entry: Try) { list.withLock { $0.append(entry) } }
}
