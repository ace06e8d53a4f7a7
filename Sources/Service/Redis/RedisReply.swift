// Unsafe: hiredis's C interface. A reply is copied and freed in one function; a reader is owned by its object.
import CRedis

/// A reply of Redis (RESP2).
enum RedisReply: Equatable, Sendable {
    case bytes([UInt8])
    case integer(Int)
    case null
    /// The text of an error, such as `NOSCRIPT No matching script`.
    case error(String)
    case array([RedisReply])

    /// The first word of an error, which says its kind and quotes nothing; nil for another reply.
    var errorCode: String? {
        guard case .error(let text) = self else { return nil }
        let word = text.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber) }
        return word.isEmpty ? "ERR" : String(word.prefix(24))
    }

    /// The text of a string; nil for another reply.
    var text: String? {
        guard case .bytes(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate init(_ reply: redisReply) {
        let bytes = UnsafeRawBufferPointer(start: reply.str, count: reply.str == nil ? 0 : Int(reply.len))
        switch reply.type {
        case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .bytes([UInt8](bytes))
        case REDIS_REPLY_INTEGER: self = .integer(Int(reply.integer))
        case REDIS_REPLY_ERROR: self = .error(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ARRAY:
            self = .array(
                (0..<Int(reply.elements)).map { reply.element[$0].map { RedisReply($0.pointee) } ?? .null })
        default: self = .null
        }
    }
}

/// Reads replies from the pieces in which they arrive.
final class RedisReader {
    private let reader: UnsafeMutablePointer<weir_redis_reader>
    private let maximumBytes: Int

    /// A reader of replies with at most `maximumBytes`; nil without memory.
    init?(maximumBytes: Int) {
        guard let reader = weir_redis_make() else { return nil }
        (self.reader, self.maximumBytes) = (reader, maximumBytes)
    }

    deinit { weir_redis_free(reader) }

    /// Adds the first `count` bytes of a buffer; returns false if the stream is broken.
    func feed(_ buffer: [UInt8], _ count: Int) -> Bool {
        buffer.withUnsafeBytes { weir_redis_feed(reader, $0.baseAddress, count) != 0 }
    }

    /// The next complete reply; nil if there is none.
    /// - Throws: `Broken` if the stream is not one of replies, or a reply exceeds the maximum.
    func next() throws(Broken) -> RedisReply? {
        var reply: UnsafeMutablePointer<redisReply>?
        guard weir_redis_next(reader, &reply) != 0 else { throw Broken() }
        guard let reply else {
            // hiredis would keep what a hostile length announces.
            if weir_redis_waiting(reader) > maximumBytes { throw Broken() }
            return nil
        }
        defer { freeReplyObject(reply) }
        return RedisReply(reply.pointee)
    }

    /// A stream that is not one of replies.
    struct Broken: Error {}
}
