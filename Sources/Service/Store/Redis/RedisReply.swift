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
