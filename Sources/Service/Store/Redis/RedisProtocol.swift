// Unsafe: hiredis's C interface. Pointers to the arguments of a command are valid while hiredis formats them, and its text is
// copied and freed in the same function. hiredis holds the object of an unfinished reply as a retained pointer, and gives the
// pointer back when the reply is complete, or to `freeObject`. Objects inside belong to the object around them.
import CRedis

/// A command in Redis's protocol.
struct RedisCommand: Sendable {
    /// The bytes to send.
    let bytes: [UInt8]

    /// A command with these arguments, and `value` as one more at the end.
    init(_ arguments: [String], value: [UInt8]? = nil) {
        let arguments = arguments.map { Array($0.utf8) } + (value.map { [$0] } ?? [])
        let sizes = arguments.map(\.count)
        bytes = arguments.flatMap(\.self).withUnsafeBytes { joined in
            var start = joined.baseAddress?.assumingMemoryBound(to: CChar.self)
            var pointers = sizes.map { size -> UnsafePointer<CChar>? in
                defer { start = start.map { $0 + size } }
                return start
            }
            var text: UnsafeMutablePointer<CChar>?
            let length = redisFormatCommandArgv(&text, Int32(sizes.count), &pointers, sizes)
            defer { redisFreeCommand(text) }
            guard length > 0, let text else { return [] }
            return [UInt8](UnsafeRawBufferPointer(start: text, count: Int(length)))
        }
    }
}

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
        return word.isEmpty ? "ERR" : String(word.prefix(32))
    }

    /// Whether only a node of a cluster answers with this code.
    static func isOfCluster(_ code: String) -> Bool { ["MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN"].contains(code) }

    /// Returns the integers of an array.
    /// - Throws: `refused` if the reply is not an array of `count` integers.
    func integers(_ count: Int) throws(SharedFault) -> [Int] {
        if case .array(let parts) = self {
            let numbers = parts.compactMap { if case .integer(let number) = $0 { number } else { nil } }
            if numbers.count == count { return numbers }
        }
        throw .refused("PROTOCOL")
    }

    /// The text of a string; nil for another reply.
    var text: String? {
        guard case .bytes(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Reads replies from the pieces in which they arrive.
final class RedisReader {
    /// A stream that is not one of replies.
    struct Broken: Error {}

    /// A reply, or an array whose elements still arrive.
    private final class Object {
        private let reply: RedisReply?
        private var elements: [Object] = []

        init(_ reply: RedisReply?) { self.reply = reply }

        var value: RedisReply { reply ?? .array(elements.map(\.value)) }

        /// Makes the object that hiredis gets for a reply; nil stands for an array without its elements.
        static func make(
            _ task: UnsafePointer<redisReadTask>?, _ reply: RedisReply?
        ) -> UnsafeMutableRawPointer? {
            let object = Object(reply)
            guard let around = task?.pointee.parent?.pointee.obj else {
                return Unmanaged.passRetained(object).toOpaque()
            }
            Unmanaged<Object>.fromOpaque(around).takeUnretainedValue().elements.append(object)
            return Unmanaged.passUnretained(object).toOpaque()
        }
    }

    /// The most elements of an array, of the arrays in that array, and so on; ROLE names replicas in the third level.
    private static let maximumElements = [64, 64, 4]
    /// The bytes of an unused buffer that are kept; hiredis's own 16 KiB would be allocated again for each usual document.
    private static let bufferBytes = 256 << 10

    /// How hiredis makes replies; nothing changes the functions once they are set.
    private nonisolated(unsafe) static let functions = {
        let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
        functions.initialize(
            to: redisReplyObjectFunctions(
                createString: { task, text, count in
                    let bytes = UnsafeRawBufferPointer(start: text, count: count)
                    let isError = task?.pointee.type == REDIS_REPLY_ERROR
                    return Object.make(
                        task, isError ? .error(String(decoding: bytes, as: UTF8.self)) : .bytes([UInt8](bytes)))
                },
                createArray: { task, count in
                    var depth = 0
                    var around = task?.pointee.parent
                    while let task = around { (depth, around) = (depth + 1, task.pointee.parent) }
                    let isBounded = depth < maximumElements.count && Int(count) <= maximumElements[depth]
                    return isBounded ? Object.make(task, nil) : nil
                },
                createInteger: { task, number in Object.make(task, .integer(Int(number))) },
                createNil: { task in Object.make(task, .null) },
                freeObject: { object in object.map { Unmanaged<Object>.fromOpaque($0).release() } }))
        return functions
    }()

    private let reader: UnsafeMutablePointer<redisReader>
    private let maximumBytes: Int
    /// The bytes of the reply under way.
    private var pending = 0

    /// A reader of replies with at most `maximumBytes`; nil without memory.
    init?(maximumBytes: Int) {
        guard let reader = redisReaderCreateWithFunctions(Self.functions) else { return nil }
        reader.pointee.maxbuf = Self.bufferBytes
        (self.reader, self.maximumBytes) = (reader, maximumBytes)
    }

    deinit { redisReaderFree(reader) }

    /// Adds the first `count` bytes of a buffer; returns false if the stream is broken.
    func feed(_ buffer: [UInt8], _ count: Int) -> Bool {
        pending += count
        return buffer.withUnsafeBytes {
            redisReaderFeed(reader, $0.baseAddress?.assumingMemoryBound(to: CChar.self), count) == REDIS_OK
        }
    }

    /// Returns the next complete reply; nil if there is none.
    /// - Throws: `Broken` if the stream is not one of replies, or a reply exceeds the maximum.
    func next() throws(Broken) -> RedisReply? {
        var object: UnsafeMutableRawPointer?
        guard redisReaderGetReply(reader, &object) == REDIS_OK else { throw Broken() }
        guard let object else {
            // hiredis would keep what a hostile length announces.
            if pending > maximumBytes { throw Broken() }
            return nil
        }
        pending = reader.pointee.len - reader.pointee.pos
        return Unmanaged<Object>.fromOpaque(object).takeRetainedValue().value
    }
}
