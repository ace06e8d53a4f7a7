import HTTPCore
import HTTPServer
import Routing

/// An answer that is the same for all clients, with its validators; the content is compressed once.
struct FixedAnswer: Sendable {
    private let response: Response
    private let representation: Representation
    private let coded: [ContentCoding: [UInt8]]

    init(_ content: [UInt8], _ headers: [(name: String, value: String)]) {
        response = Response(headers: headers, body: content)
        representation = Representation(content, lastModified: nil)
        coded = [.gzip: Compression.compress(content, .gzip), .brotli: Compression.compress(content, .brotli)]
            .compactMapValues(\.self)
    }

    /// Returns the reply to a client: a 304, or the content in the coding that the client prefers.
    func reply(to request: Request) -> Reply {
        let selection = representation.selection(for: request.headers)
        var ready = response
        ready.send(selection, of: representation, codedBody: selection.coding.flatMap { coded[$0] })
        let answer = ready
        return .later { answer }
    }
}
