import JSONText
import Synchronization
import Testing

@Suite("Deadlines of parsing")
struct ExpiryTests {
    private final class Counter: Sendable {
        private let calls = Atomic<Int>(0)
        let limit: Int

        init(limit: Int) { self.limit = limit }

        var count: Int { calls.load(ordering: .relaxed) }
        func next() -> Bool { calls.add(1, ordering: .relaxed).newValue >= limit }
    }

    private static func parse(_ text: String, _ counter: Counter) throws -> Int {
        var parser = JSONParser(options: JSONOptions(isExpired: { counter.next() }))
        return try parser.withDocument(Array(text.utf8)) { root in
            root.elements.reduce(0) { $0 + 1 + $1.elements.reduce(0) { sum, _ in sum + 1 } }
        }
    }

    @Test(
        "A document of any size is read as without a deadline",
        arguments: [
            0, 1, 100, 253, 254, 255, 256, 16_380, 16_381, 16_382, 16_383, 16_384, 16_385, 32_768, 49_150, 200_000,
        ])
    func sizes(_ count: Int) throws {
        for element in ["1", "[]", "[1]", "      1", #""a long text that takes as many bytes as the tape expects""#] {
            let text = "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
            let found = try Self.parse(text, Counter(limit: .max))
            #expect(found == count * (element == "[1]" ? 2 : 1))
        }
    }

    @Test("A document is given up when the time has passed, and the question is asked rarely")
    func expired() throws {
        let text = "[" + Array(repeating: "{}", count: 200_000).joined(separator: ",") + "]"
        let all = Counter(limit: .max)
        _ = try Self.parse(text, all)
        #expect((10...60).contains(all.count), "\(all.count)")
        for limit in 1...all.count {
            let counter = Counter(limit: limit)
            let error = #expect(throws: JSONSyntaxError.self) { try Self.parse(text, counter) }
            #expect(error?.reason == .expired)
            #expect(error?.explanation == "there was not enough time to read the document")
            #expect(counter.count == limit)
        }
    }
}
