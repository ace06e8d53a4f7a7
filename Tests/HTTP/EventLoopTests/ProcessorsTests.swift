import Testing

@testable import EventLoop

@Suite("Processors")
struct ProcessorsTests {
    @Test(
        "A container's quota is rounded up to whole processors",
        arguments: [
            ("max 100000\n", nil), ("100000 100000\n", 1), ("150000 100000\n", 2), ("200000 100000", 2),
            ("1 100000\n", 1), ("50000 100000\n", 1), ("6400000 100000\n", 64), ("", nil), ("100000", nil),
            ("0 100000", nil), ("-1 100000", nil), ("100000 0", nil), ("9223372036854775807 1", Int.max),
            ("99999999999999999999 100000", nil),
        ] as [(String, Int?)])
    func quota(line: String, processors: Int?) {
        #expect(Processors.quota(inCPUMax: line) == processors)
    }

    @Test("At least one processor is available")
    func available() {
        #expect(Processors.available >= 1)
    }
}
