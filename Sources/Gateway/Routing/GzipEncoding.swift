import CZlib
import EventLoop
import HTTPCore

extension Response {
    /// Smaller bodies fit into one packet as they are.
    private static let smallestBody = 1024
    /// Larger bodies are compressed on the work pool; they would block the event loop for a millisecond.
    private static let largeBody = 64 << 10
    /// Level 4 compresses 30 KB of forecast to 18 % in 0.4 ms, level 6 to 17 % in 0.6 ms.
    private static let level: Int32 = 4

    /// Returns the response with its body in gzip if the request's `headers` prefer that and the body shrinks.
    func compressed(for headers: HeaderFields) async -> Response {
        var response = self
        response.headers.append(("Vary", "Accept-Encoding"))
        guard body.count >= Self.smallestBody, AcceptEncoding(headers).prefersGzip else { return response }
        let body = body
        let compressed = body.count < Self.largeBody ? Self.gzip(body) : await WorkPool.run { Self.gzip(body) }
        guard let compressed, compressed.count < body.count else { return response }
        response.headers.append(("Content-Encoding", "gzip"))
        response.body = compressed
        return response
    }

    /// Returns `bytes` in gzip (RFC 1952), or nil if memory runs out.
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: weir_gzip_bound(bytes.count))
        let count = weir_gzip(bytes, bytes.count, &output, output.count, level)
        guard count > 0 else { return nil }
        output.removeLast(output.count - count)
        return output
    }
}
