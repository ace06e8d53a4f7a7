import CBrotli
import CZlib
import EventLoop
import HTTPCore

extension Response {
    /// Smaller bodies fit into one packet as they are.
    static let smallestCompressedBody = 1024
    /// Larger bodies are compressed on the work pool; they would block the event loop for a millisecond.
    private static let largeBody = 64 << 10
    /// Level 4 compresses 30 KB of forecast to 18 % in 0.4 ms, level 6 to 17 % in 0.6 ms.
    private static let gzipLevel: Int32 = 4
    /// Quality 4 compresses the same to 16 % in 1.4 times gzip's time, quality 5 to 15 % in 3.2 times.
    private static let brotliQuality: Int32 = 4

    /// Returns the response in the coding that the request's `headers` prefer, if that makes the body smaller.
    func compressed(for headers: HeaderFields) async -> Response {
        var response = self
        response.vary(by: "Accept-Encoding")
        guard body.count >= Self.smallestCompressedBody, let coding = AcceptEncoding(headers).preferred else {
            return response
        }
        guard let compressed = await Self.compressedBody(body, coding) else { return response }
        response.headers.append(("Content-Encoding", coding.rawValue))
        response.body = compressed
        return response
    }

    /// Returns `body` in `coding`, or nil if that does not make it smaller.
    static func compressedBody(_ body: [UInt8], _ coding: ContentCoding) async -> [UInt8]? {
        let compressed =
            body.count < largeBody ? compress(body, coding) : await WorkPool.run { compress(body, coding) }
        return compressed.flatMap { $0.count < body.count ? $0 : nil }
    }

    /// Returns `bytes` in `coding`, or nil if memory runs out.
    static func compress(_ bytes: [UInt8], _ coding: ContentCoding) -> [UInt8]? {
        switch coding {
        case .gzip:
            var output = [UInt8](repeating: 0, count: weir_gzip_bound(bytes.count))
            let count = weir_gzip(bytes, bytes.count, &output, output.count, gzipLevel)
            guard count > 0 else { return nil }
            output.removeLast(output.count - count)
            return output
        case .brotli:
            // An output of the size of the input is of no use.
            var output = [UInt8](repeating: 0, count: bytes.count)
            let count = weir_brotli_compress(bytes, bytes.count, &output, output.count, brotliQuality)
            guard count > 0 else { return nil }
            output.removeLast(output.count - count)
            return output
        }
    }
}
