// Unsafe: hiredis's C interface. hiredis holds the object of an unfinished reply as a retained pointer, and gives the pointer
// back when the reply is complete, or to `freeObject`. Objects inside belong to the object around them.
import CRedis

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
