import CZlib
import EventLoop
import HTTPCore

extension Response {
    /// Smaller bodies stay as they are: they fit into one packet anyway.
    private static let smallestBody = 1024
    /// Larger bodies are compressed beside the event loop, which they would hold for a millisecond.
    private static let largeBody = 64 << 10
    /// Of 30 KB of forecast, level 4 makes 18 % in 0.4 ms, level 6 makes 17 % in 0.6 ms.
    private static let level: Int32 = 4

    /// The answer with its body in gzip, where the client of `headers` takes that and it is worth it.
    func compressed(for headers: HeaderFields) async -> Response {
        var response = self
        response.headers.append(("Vary", "Accept-Encoding"))
        guard body.count >= Self.smallestBody, AcceptEncoding(headers).prefersGzip else { return response }
        let body = body
        let compressed =
            body.count < Self.largeBody ? Self.gzip(body) : await WorkPool.run { Self.gzip(body) }
        guard let compressed, compressed.count < body.count else { return response }
        response.headers.append(("Content-Encoding", "gzip"))
        response.body = compressed
        return response
    }

    /// `bytes` in gzip (RFC 1952), or nil when there is no memory for it.
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: weir_gzip_bound(bytes.count))
        let count = weir_gzip(bytes, bytes.count, &output, output.count, level)
        guard count > 0 else { return nil }
        output.removeLast(output.count - count)
        return output
    }
}
