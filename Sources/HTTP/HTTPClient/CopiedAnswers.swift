// Unsafe: eight bytes at a time are read from an array, at offsets up to its count minus 8.
import EventLoop
import HTTPCore

/// What a connection keeps of an answer, to know its document again in a later one.
///
/// A second answer to a request that arrives when a later one is sent already is taken for the answer to that. Nearly always
/// it has the document of the first answer once more, now under another URL.
struct AnswerSketch {
    /// Shorter documents, such as an empty list, are often the same under several URLs.
    private static let minimumBytes = 256
    /// The document is compared in its beginning, where upstreams write how long an answer took them, and in 32 places of 8
    /// bytes: comparing all of it would take 4 us for 40 KB.
    private static let beginning = 128, places = 32

    private let url: Int, count: Int
    private var content: UInt64 = 0

    /// Nil for an answer that says little about its request.
    init?(_ response: IncomingResponse, to url: Secret) {
        guard response.status == 200, response.body.count >= Self.minimumBytes else { return nil }
        count = response.body.count
        self.url = url.withExposedText { $0.hashValue }
        response.body.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: Self.beginning, by: 8) { add(bytes, at: offset) }
            for place in 1...Self.places { add(bytes, at: (bytes.count - 8) * place / Self.places) }
        }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        content = (content ^ word) &* 0x9E37_79B9_7F4A_7C15
        content ^= content >> 32
    }

    /// Whether both answers have the same document.
    func hasDocument(of other: AnswerSketch) -> Bool { count == other.count && content == other.content }

    /// Whether the answers have the same document under two URLs.
    func copies(_ other: AnswerSketch) -> Bool { url != other.url && hasDocument(of: other) }
}

extension MultiHandle {
    /// Looks at the answer to a transfer, and whether its connection is unused again.
    ///
    /// - Returns: The sketch of an answer that copies an earlier one on the connection, which is then closed: the request has
    ///   to be made again on another one.
    func copiedAnswer(_ response: IncomingResponse, to transfer: Active) -> AnswerSketch? {
        guard let socket = transfer.handle.transfer.socket,
            let sketch = AnswerSketch(response, to: transfer.waiting.request.url)
        else { return nil }
        let origin = transfer.handle.origin
        let isCopy = socket.uses.isCopy(sketch)
        if let copied = transfer.copied {
            // On a new connection the answer shows whether the first one was that to another request.
            if sketch.hasDocument(of: copied) {
                lookalikes.insert(origin, at: shard.now)
            } else {
                suspects.insert(origin, at: shard.now)
            }
            return nil
        }
        guard isCopy, !transfer.isRetry, !transfer.handle.hasForm, !lookalikes.contains(origin, at: shard.now)
        else { return nil }
        end(socket)
        return sketch
    }

    /// Ends a connection whose answers are shifted.
    private func end(_ socket: UpstreamSocket) {
        // libcurl may have closed it since its answer arrived, and another socket have its descriptor.
        guard sockets[socket.descriptor] === socket else { return }
        let isInUse = socket.idleOrigin == nil
        inspector.end(socket)
        // A transfer that libcurl has begun on it since then sees its end, and is repeated.
        if isInUse { socket.use(for: .readable) }
    }
}
