// Unsafe: hiredis's C interface. Pointers to the arguments are valid while hiredis formats them, and its text is copied and
// freed in the same function.
import CRedis

/// A command in Redis's protocol.
struct RedisCommand: Sendable {
    /// The bytes to send.
    let bytes: [UInt8]

    init(_ arguments: String...) { self.init(arguments: arguments) }

    init(arguments: [String]) { self.init(arguments: arguments.map { Array($0.utf8) }) }

    init(arguments: [[UInt8]]) {
        let sizes = arguments.map(\.count)
        var joined: [UInt8] = []
        joined.reserveCapacity(sizes.reduce(0, +))
        for argument in arguments { joined += argument }
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
