import HTTPCore
import Testing

@Suite("Request limits")
struct LimitTests {
    struct Row: CustomTestStringConvertible {
        let name: String
        let status: Int
        let limit: any WritableKeyPath<RequestLimits, Int> & Sendable
        let value: Int
        /// Returns a request that has the given value of the limited quantity.
        let input: @Sendable (Int) -> String
        var testDescription: String { name }
    }

    private static func head(bytes: Int) -> String {
        let frame = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n"
        return frame.replacing("X: ", with: "X: " + String(repeating: "x", count: bytes - frame.utf8.count))
    }

    private static func chunked(_ body: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    static let rows = [
        Row(name: "target", status: 414, limit: \.maximumTargetBytes, value: 20) {
            "GET /\(repeated("a", $0 - 1)) HTTP/1.1\r\nHost: a\r\n\r\n"
        },
        Row(name: "absolute target", status: 414, limit: \.maximumTargetBytes, value: 20) {
            "GET http://h/\(repeated("a", $0 - 9)) HTTP/1.0\r\n\r\n"
        },
        Row(name: "head", status: 431, limit: \.maximumHeadBytes, value: 200) { head(bytes: $0) },
        Row(name: "fields", status: 431, limit: \.maximumFields, value: 7) {
            "GET / HTTP/1.1\r\nHost: a\r\n\(repeated("X: y\r\n", $0 - 1))\r\n"
        },
        Row(name: "parameters", status: 400, limit: \.maximumQueryParameters, value: 4) {
            "GET /?&\(repeated("a=b&", $0)) HTTP/1.1\r\nHost: a\r\n\r\n"
        },
    ]

    @Test("A request at a limit is accepted; one above it is refused", arguments: rows)
    func limit(row: Row) {
        var limits = RequestLimits()
        limits[keyPath: row.limit] = row.value
        #expect(verdicts(octets(row.input(row.value)), limits: limits).map(\.status) == [nil])
        #expect(verdicts(octets(row.input(row.value + 1)), limits: limits).map(\.status) == [row.status])
    }

    @Test("The length of a chunk's size line is limited")
    func chunkLine() {
        let accepted = Self.chunked("1;\(Self.repeated("a", 252))\r\nb\r\n0\r\n\r\n")
        let refused = Self.chunked("1;\(Self.repeated("a", 253))\r\nb\r\n0\r\n\r\n")
        #expect(verdicts(octets(accepted)).map(\.status) == [nil])
        #expect(verdicts(octets(refused)).map(\.status) == [400])
    }

    static let endlessRows: [(start: String, filler: String, status: Int)] = [
        ("GET /", "a", 414), ("GET /?", "a=b&", 414), ("", "A", 400), ("GET / HTTP/1.1", "1", 400),
        ("GET / ", "a", 400),
        ("GET / HTTP/1.1\r\nX: ", "x", 431), ("GET / HTTP/1.1\r\n", "x", 431), ("GET / HTTP/1.1\r\n", "X: y\r\n", 431),
        ("", "\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "0", 400),
    ]

    @Test("Input without an end is refused at its limit", arguments: endlessRows)
    func endless(start: String, filler: String, status: Int) {
        let input = octets(start) + Array(repeatElement(octets(filler), count: 140_000 / filler.utf8.count).joined())
        #expect(verdicts(input).map(\.status) == [status])
    }

    @Test("Extreme limits accept or refuse and do not trap", arguments: [Int.min, -1, 0, 1, Int.max])
    func extremeLimits(value: Int) {
        var limits = RequestLimits()
        limits.maximumTargetBytes = value
        limits.maximumHeadBytes = value
        limits.maximumFields = value
        limits.maximumQueryParameters = value
        let inputs = ["GET /?a=b HTTP/1.1\r\nHost: a\r\n\r\n", Self.chunked("1\r\nx\r\n0\r\n\r\n")]
        for input in inputs {
            let accepted = verdicts(octets(input), limits: limits).map { $0.status == nil }
            #expect(accepted == [value == .max])
        }
    }

    @Test("A head limit below the target limit applies")
    func smallHead() {
        var limits = RequestLimits()
        limits.maximumHeadBytes = 10
        #expect(verdicts(octets("GET /long HTTP/1.1\r\nHost: a\r\n\r\n"), limits: limits).map(\.status) == [431])
    }
}
