// Unsafe: the decoders of zlib and brotli. Each state is created in `init`, used by `decode` alone and freed in `deinit`.
// The libraries get pointers into the caller's input and this object's buffer inside of `withUnsafe…` only, with the
// counts of the same buffers, and keep none of them. A decoder of brotli gets `self` unretained, and lives as long.
import CBrotli
import CZlib
import HTTPCore

/// Decodes one content coding (RFC 9110 §8.4.1), a bounded amount per call.
///
/// Used instead of libcurl's decoding, which decodes any number of codings, and everything that has arrived in one go.
/// `deflate` is not requested, because upstreams disagree on its format: zlib's, which RFC 9110 names, and raw deflate are
/// both read.
final class ContentDecoder {
    private enum State {
        case inflate(UnsafeMutablePointer<z_stream>)
        case brotli(UnsafeMutablePointer<weir_brotli_decoder>)
    }

    private struct Step {
        let consumed: Int
        let produced: Int
        let hasEnded: Bool
        let isMalformed: Bool
    }

    /// The codings that requests name as acceptable.
    static let accepted = "gzip, br"

    private let state: State
    private let coding: String
    /// Whether the first byte has to tell zlib's format from raw deflate.
    private var isFormatOpen: Bool
    /// Asked before the decoder gets much memory: whether it may have this many bytes, with its output.
    private let reserve: (_ bytes: Int) -> Bool
    /// The bytes of the output so far.
    private var produced = 0
    private var buffer = [UInt8](repeating: 0, count: 32 << 10)
    /// Whether the stream is complete; both codings mark the end of a stream.
    private(set) var hasEnded = false
    /// Whether `decode` stopped at its limit, so that there can be more output, even without more input.
    private(set) var stoppedAtLimit = false

    /// The least of brotli's memory that is allowed at once: its tables have up to 1.1 MB.
    private static let leastBlock = 2 << 20

    /// A decoder for `coding`, in lower case, of up to `maximumBytes`, that asks `reserve` for its memory.
    init(
        _ coding: String, maximumBytes: Int, reserve: @escaping (_ bytes: Int) -> Bool = { _ in true }
    ) throws(ResponseHead.Malformed) {
        let state: State? =
            switch coding {
            case "gzip", "x-gzip": weir_inflate_create(1).map { .inflate($0) }
            case "deflate": weir_inflate_create(0).map { .inflate($0) }
            case "br": weir_brotli_create(Self.largestBlock(maximumBytes)).map { .brotli($0) }
            default: nil
            }
        guard let state else { throw .init("its Content-Encoding is not supported") }
        (self.state, self.coding, self.reserve) = (state, coding, reserve)
        isFormatOpen = coding == "deflate"
        guard case .brotli(let decoder) = state else { return }
        decoder.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        decoder.pointee.admits = { context, held in
            guard let context else { return 0 }
            let decoder = Unmanaged<ContentDecoder>.fromOpaque(context).takeUnretainedValue()
            return decoder.reserve(decoder.produced + held) ? 1 : 0
        }
    }

    deinit {
        switch state {
        case .inflate(let stream): weir_inflate_destroy(stream)
        case .brotli(let decoder): weir_brotli_destroy(decoder)
        }
    }

    /// The largest block that brotli needs for `count` bytes: the window is a power of 2, less than twice `count`.
    private static func largestBlock(_ count: Int) -> Int {
        var size = leastBlock
        while size < count { size *= 2 }
        // Brotli writes a little beyond its window.
        return size + 4096
    }

    /// The memory of the decoder beside its output, in bytes; 0 for `gzip`, which takes little.
    var memory: Int {
        guard case .brotli(let decoder) = state else { return 0 }
        return decoder.pointee.held
    }

    /// Whether the stream needs more memory than output of the maximum size does, or than there is.
    var isTooLarge: Bool {
        guard case .brotli(let decoder) = state else { return false }
        return decoder.pointee.refused != 0
    }

    /// Decodes `input` from `position` on, moves `position` and appends at most `limit` bytes to `output`.
    func decode(
        _ input: [UInt8], from position: inout Int, into output: inout [UInt8], atMost limit: Int
    ) throws(ResponseHead.Malformed) {
        var left = limit
        if isFormatOpen, position < input.count, case .inflate(let stream) = state {
            isFormatOpen = false
            // zlib's first byte ends in 8, the method; a raw stream would have to begin with padding that is not 0.
            if input[position] & 0x0F != 8 { weir_inflate_expect_raw(stream) }
        }
        while !hasEnded, left > 0 {
            let step = step(input, position, atMost: min(left, buffer.count))
            if isTooLarge { return }
            if step.isMalformed { throw .init("its \(coding) coding is malformed") }
            position += step.consumed
            output.append(contentsOf: buffer[..<step.produced])
            left -= step.produced
            produced += step.produced
            hasEnded = step.hasEnded
            if step.produced == 0, position == input.count { break }
        }
        stoppedAtLimit = !hasEnded && left == 0
        if hasEnded, position < input.count { throw .init("bytes follow the end of its \(coding) coding") }
    }

    private func step(_ input: [UInt8], _ position: Int, atMost limit: Int) -> Step {
        input[position...].withUnsafeBufferPointer { input in
            buffer.withUnsafeMutableBufferPointer { output in
                switch state {
                case .inflate(let stream):
                    let step = weir_inflate(stream, input.baseAddress, input.count, output.baseAddress, limit)
                    return Step(
                        consumed: step.consumed, produced: step.produced, hasEnded: step.ended != 0,
                        isMalformed: step.malformed != 0)
                case .brotli(let decoder):
                    let step = weir_brotli_decode(decoder, input.baseAddress, input.count, output.baseAddress, limit)
                    return Step(
                        consumed: step.consumed, produced: step.produced, hasEnded: step.ended != 0,
                        isMalformed: step.malformed != 0)
                }
            }
        }
    }
}
