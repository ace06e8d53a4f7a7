// Unsafe: zlib's decoder. It is made and freed here, and gets pointers into arrays for the duration of one call.
import CScan
import CZlib
import HTTPClient
import HTTPCore
import API

/// The value of a document in the store.
///
///     0  format: 1
///     1  content: 0 for an answer of the upstream, 1 if its answers must not be kept
///     2  status of the answer that there is no document, 2 bytes, little-endian as all numbers; 0 for a document
///     4  checksum of the record, 8 bytes
///     12 length of the record, 4 bytes
///     16 the record, in gzip if that is shorter: a `DocumentRecord`, and what decides about the use of the document
///
/// The record has the digest of its key in place of the target, and neither an address nor the name of an upstream: a
/// value is never taken for another key's document, and shows no parameter of a client.
enum SharedValue {
    /// A document, or the answer with a status that there is none, whose message is the body.
    case answer(DocumentRecord, CachedResponse, absence: Int?)
    /// Answers to this request must not be kept, so that no replica waits for another one.
    case uncacheable

    /// The number in keys and values; releases with other numbers do not see each other's documents.
    private static let format: UInt8 = 1
    private static let headBytes = 16
    /// Shorter records stay as they are: gzip would save little.
    private static let leastCompressed = 1 << 10

    static let uncacheableBytes: [UInt8] = [format, 1] + [UInt8](repeating: 0, count: headBytes - 2)

    /// Returns the key of a document in the store.
    static func key(_ key: DocumentKey) -> String { "\(format):\(key.digest)" }

    /// Returns the value of a document with this key in the store; nil if the document must not be kept.
    static func bytes(of document: CachedDocument, _ key: String) -> [UInt8]? {
        guard let freshness = document.freshness else { return nil }
        var absence = 0
        var record = DocumentRecord(
            address: 0, upstream: "", target: key, fields: document.content.response.headers.lines,
            body: document.content.response.body)
        if let failure = document.failure {
            guard case .status(let answered, _, let message, _) = failure, failure.isNotFound else { return nil }
            (absence, record.body) = (answered, Array((message ?? "").utf8))
        }
        let plain = record.encoded(freshness)
        var bytes: [UInt8] = [format, 0]
        bytes.append(littleEndian: UInt16(absence))
        bytes.append(littleEndian: weir_checksum(plain, plain.count))
        bytes.append(littleEndian: UInt32(plain.count))
        let compressed = plain.count < leastCompressed ? nil : Compression.compress(plain, .gzip)
        return bytes + (compressed.flatMap { $0.count < plain.count ? $0 : nil } ?? plain)
    }

    /// Reads a value of at most `maximumBytes` for this key in the store; nil if it is damaged or belongs to another key.
    init?(_ bytes: [UInt8], _ key: String, policy: CachePolicy, maximumBytes: Int) {
        guard bytes.count >= Self.headBytes, bytes[0] == Self.format, bytes[1] <= 1 else { return nil }
        if bytes[1] == 1 {
            self = .uncacheable
            return
        }
        var rest = bytes[2...]
        guard let status = rest.takeNumber(UInt16.self), let checksum = rest.takeNumber(UInt64.self),
            let length = rest.takeNumber(UInt32.self).map({ Int($0) }), length <= maximumBytes,
            let plain = rest.count == length ? Array(rest) : Self.inflate(rest, to: length),
            weir_checksum(plain, plain.count) == checksum
        else { return nil }
        var input = plain[...]
        guard let record = DocumentRecord(&input), record.target == key,
            let freshness = CachedResponse(decoding: &input, policy: policy), input.isEmpty
        else { return nil }
        self = .answer(record, freshness, absence: status == 0 ? nil : Int(status))
    }

    /// Returns the `length` bytes that `input` is the gzip of; nil if it is not.
    private static func inflate(_ input: ArraySlice<UInt8>, to length: Int) -> [UInt8]? {
        guard let stream = weir_inflate_create(1) else { return nil }
        defer { weir_inflate_destroy(stream) }
        let input = Array(input)
        // One byte of room more than the record has: the end of the gzip follows its last byte.
        var output = [UInt8](repeating: 0, count: length + 1)
        let step = weir_inflate(stream, input, input.count, &output, output.count)
        guard step.ended != 0, step.consumed == input.count, step.produced == length else { return nil }
        output.removeLast()
        return output
    }
}
