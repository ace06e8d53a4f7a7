import Testing

@testable import Store

@Suite("Replies of Redis")
struct RedisReaderTests {
    private func read(_ text: String) throws -> RedisReply? {
        let reader = try #require(RedisReader(maximumBytes: 1 << 16))
        for start in stride(from: 0, to: text.utf8.count, by: 1 << 12) {
            let piece = Array(text.utf8.dropFirst(start).prefix(1 << 12))
            guard reader.feed(piece, piece.count) else { throw RedisReader.Broken() }
            if let reply = try reader.next() { return reply }
        }
        return nil
    }

    @Test("The answer to ROLE of a master with replicas is read")
    func role() throws {
        let reply = try read("*3\r\n+master\r\n:7\r\n*1\r\n*3\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\n7\r\n")
        let replica = RedisReply.array(["a", "1", "7"].map { .bytes(Array($0.utf8)) })
        #expect(reply == .array([.bytes(Array("master".utf8)), .integer(7), .array([replica])]))
    }

    @Test(
        "Replies that are wider, deeper or longer than any answer to Weir are refused",
        arguments: [
            "*65\r\n", "*1\r\n*65\r\n", "*1\r\n*1\r\n*5\r\n", "*1\r\n*1\r\n*1\r\n*1\r\n",
            "*64\r\n" + String(repeating: "$3000\r\n" + String(repeating: "x", count: 3000) + "\r\n", count: 64),
        ])
    func hostile(text: String) {
        #expect(throws: RedisReader.Broken.self) { try read(text) }
    }
}
