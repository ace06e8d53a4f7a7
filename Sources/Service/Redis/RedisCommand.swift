// Unsafe: hiredis's C interface. Pointers to the arguments are valid while hiredis formats them, and its text is copied and
// freed in the same function.
import CRedis

/// A command in Redis's protocol.
struct RedisCommand: Sendable {
    /// The bytes to send.
    let bytes: [UInt8]

    init(_ arguments: String...) { self.init(arguments: arguments) }

    init(arguments: [String]) {
        self.init(arguments.map(\.utf8.count), arguments.reduce(into: []) { $0 += $1.utf8 })
    }

    init(arguments: [[UInt8]]) {
        self.init(arguments.map(\.count), arguments.reduce(into: []) { $0 += $1 })
    }

    /// A command with arguments of these sizes, one after the other in `joined`.
    private init(_ sizes: [Int], _ joined: [UInt8]) {
        bytes = joined.withUnsafeBytes { joined in
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
