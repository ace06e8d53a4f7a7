// Unsafe: hiredis's C interface. Pointers to the arguments are valid while hiredis formats them, and its text is copied and
// freed in the same function.
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
