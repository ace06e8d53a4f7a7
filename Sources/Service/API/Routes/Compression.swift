import CBrotli
import CZlib
import EventLoop
package import HTTPCore

/// The codings of bodies for clients.
package enum Compression {
    /// Larger bodies are compressed on the work pool; they would block the event loop for a millisecond.
    private static let largeBody = 64 << 10
    /// Level 4 compresses 30 KB of forecast to 18 % in 0.4 ms, level 6 to 17 % in 0.6 ms.
    private static let gzipLevel: Int32 = 4
    /// Quality 4 compresses the same to 16 % in 1.4 times gzip's time, quality 5 to 15 % in 3.2 times.
    private static let brotliQuality: Int32 = 4

    /// Returns `body` in `coding`, or nil if that does not make the body smaller.
    package static func body(_ body: [UInt8], in coding: ContentCoding) async -> [UInt8]? {
        let compressed =
            body.count < largeBody ? compress(body, coding) : await WorkPool.run { compress(body, coding) }
        return compressed.flatMap { $0.count < body.count ? $0 : nil }
    }

    /// Returns `bytes` in `coding`, or nil if memory runs out.
    package static func compress(_ bytes: [UInt8], _ coding: ContentCoding) -> [UInt8]? {
        // An output of the size of the input is of no use.
        let room = coding == .gzip ? weir_gzip_bound(bytes.count) : bytes.count
        var output = [UInt8](repeating: 0, count: room)
        let count =
            switch coding {
            case .gzip: weir_gzip(bytes, bytes.count, &output, room, gzipLevel)
            case .brotli: weir_brotli_compress(bytes, bytes.count, &output, room, brotliQuality)
            }
        guard count > 0 else { return nil }
        output.removeLast(room - count)
        return output
    }
}

extension Response {
    /// Returns the answer for a client whose request has these fields: a 304, or the body in the coding that the client
    /// prefers.
    package func negotiated(for headers: HeaderFields) async -> Response {
        var response = self
        let representation = Representation(of: self)
        let selection = representation.selection(for: headers)
        var codedBody: [UInt8]?
        if let coding = selection.coding { codedBody = await Compression.body(body, in: coding) }
        response.send(selection, of: representation, codedBody: codedBody)
        return response
    }
}
