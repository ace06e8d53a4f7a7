import HTTPCore
import Testing

@Suite("Header fields")
struct FieldTests {
    @Test("Values are found ignoring case and have no surrounding white space")
    func lookUp() throws {
        let headers = try request(
            "GET / HTTP/1.1\r\nhOsT:a\r\nX-One: \t first \t\r\nx-one:second\r\nX-Empty:\r\nX-Tab: a\tb\r\n\r\n"
        ).headers
        #expect(headers["Host"] == "a")
        #expect(headers["X-ONE"] == "first")
        #expect(headers.values("x-One") == ["first", "second"])
        #expect(headers["x-empty"] == "")
        #expect(headers["X-Tab"] == "a\tb")
        #expect(headers["X-On"] == nil)
        #expect(headers["X-None"] == nil)
        #expect(headers["X_One"] == nil)
        #expect(headers.values("X-None") == [])
        #expect(headers.count == 5)
        #expect(headers.pairs.map(\.name) == ["hOsT", "X-One", "x-one", "X-Empty", "X-Tab"])
        #expect(headers.bytes("x-one").map(Array.init) == Array("first".utf8))
    }

    @Test("Bytes from 0x80 are kept; invalid UTF-8 is read as U+FFFD")
    func opaqueText() throws {
        let headers = try request(
            "GET / HTTP/1.1\r\nHost: a\r\nX-Utf8: caf\u{C3}\u{A9}\r\nX-Latin: caf\u{E9}\r\n\r\n"
        ).headers
        #expect(headers["X-Utf8"] == "café")
        #expect(headers["X-Latin"] == "caf\u{FFFD}")
        #expect(headers.bytes("X-Latin").map(Array.init) == octets("caf\u{E9}"))
    }

    static let listRows: [(lines: [String], token: String, isContained: Bool)] = [
        (["close"], "close", true), (["Keep-Alive, CLOSE"], "close", true), (["a", "b ,close"], "close", true),
        (["closed"], "close", false), (["a,,close,"], "close", true), (["\"a, close\", b"], "close", false),
        (["\"a\\\", close\", b"], "b", true), (["\"open, close"], "close", false), ([""], "close", false),
        (["gzip;q=1"], "gzip", false), ([], "close", false), (["\"x\\"], "close", false),
    ]

    @Test("Complete list elements are found in all lines, ignoring case", arguments: listRows)
    func lists(lines: [String], token: String, isContained: Bool) throws {
        let fields = HeaderFields(lines.map { ("X-List", $0) })
        #expect(fields.contains(token, in: "x-list") == isContained)
        let sent = lines.map { "X-List: \($0)\r\n" }.joined()
        let headers = try request("GET / HTTP/1.1\r\nHost: a\r\n\(sent)\r\n").headers
        #expect(headers.contains(token, in: "x-list") == isContained)
    }

    @Test("Constructed fields contain no line break and no invalid name")
    func constructed() {
        let headers = HeaderFields([("A", " b\r\nc\u{0}"), ("bad name", "x"), ("", "y"), ("A", "d")])
        #expect(headers.values("a") == ["b  c", "d"])
        #expect(headers.count == 2)
    }

    static let refused: [String] = [
        "X : y", "X\t: y", ": y", ":", "X", "X y", " X: y", "\tX: y", "X\u{85}: y", "\u{EF}foo: y", "X\u{00}: y",
        "X(: y", "X@y: z", "X,y: z", "\"X\": y", "X/y: z", "Content-Length 10",
        "X: a\u{00}b", "X: a\u{01}b", "X: a\u{0B}b", "X: a\u{1F}", "X: a\u{7F}", "X: a\rb", "X: a\nb", "X:\n", "X:\r",
        "X: y\r\n folded", "X: y\r\n\tfolded", "X:\r\n folded", "Transfer-\r\nEncoding: chunked", "Te\nst: test",
        "X: y\r\n Content-Length: 1",
    ]

    @Test("A malformed field line is refused", arguments: refused)
    func refusal(line: String) {
        #expect(verdicts(octets("GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n")).map(\.status) == [400])
        #expect(verdicts(octets("GET / HTTP/1.1\r\n\(line)\r\nHost: a\r\n\r\n")).map(\.status) == [400])
    }

    @Test("A name has the characters of a token and no others", arguments: UInt8.min...UInt8.max)
    func nameCharacters(byte: UInt8) {
        let others = Array("!#$%&'*+-.^_`|~".utf8)
        let isAlphanumeric = byte < 0x80 && (Unicode.Scalar(byte).properties.isAlphabetic || 0x30...0x39 ~= byte)
        // A colon ends the name.
        let isAccepted = isAlphanumeric || others.contains(byte) || byte == UInt8(ascii: ":")
        let head = octets("GET / HTTP/1.1\r\nHost: a\r\nX") + [byte] + octets("X: y\r\n\r\n")
        #expect(verdicts(head).map(\.status) == [isAccepted ? nil : 400])
    }

    @Test("A control character is refused wherever it is in a value", arguments: 1...50)
    func controlCharacter(length: Int) {
        let start = octets("GET / HTTP/1.1\r\nHost: a\r\nX:")
        for place in 0..<length {
            for (byte, status) in [(0x01, 400), (0x7F, 400), (0x09, nil)] as [(UInt8, Int?)] {
                var value = [UInt8](repeating: UInt8(ascii: "y"), count: length)
                value[place] = byte
                #expect(verdicts(start + value + octets("\r\n\r\n")).map(\.status) == [status])
            }
            var value = [UInt8](repeating: 0x09, count: length)
            value[place] = 0x1F
            #expect(verdicts(start + value + octets("\r\n\r\n")).map(\.status) == [400])
        }
    }

    static let hosts: [(fields: String, isAccepted: Bool)] = [
        ("Host: example.com\r\n", true), ("Host: example.com:8080\r\n", true), ("Host: [::1]\r\n", true),
        ("Host: [2001:db8::192.0.2.1]:80\r\n", true), ("Host: 192.0.2.1\r\n", true), ("Host:\r\n", true),
        ("Host: under_score.local\r\n", true), ("Host: a:\r\n", true), ("Host: a%20b\r\n", true),
        ("", false), ("Host: a\r\nHost: a\r\n", false), ("Host: a\r\nhost: b\r\n", false), ("Host: a b\r\n", false),
        ("Host: a, b\r\n", false), ("Host: a,b\r\n", false), ("Host: a/b\r\n", false), ("Host: user@a\r\n", false),
        ("Host: http://a\r\n", false), ("Host: a:b\r\n", false), ("Host: a:80:80\r\n", false), ("Host: a?b\r\n", false),
        ("Host: [::1\r\n", false), ("Host: []\r\n", false), ("Host: [g]\r\n", false), ("Host: [::1]x\r\n", false),
        ("Host: a\u{E9}\r\n", false), ("Host: \u{FF}a\u{FF}\r\n", false), ("Host: a\\b\r\n", false),
        ("Host: a:123456\r\n", false), ("Host: \"a\"\r\n", false),
    ]

    @Test("HTTP/1.1 requires exactly one valid Host field", arguments: hosts)
    func host(fields: String, isAccepted: Bool) {
        let verdicts = verdicts(octets("GET / HTTP/1.1\r\n\(fields)\r\n"))
        #expect(verdicts.map(\.status) == [isAccepted ? nil : 400])
    }

    @Test("HTTP/1.0 accepts no Host field, but not two")
    func hostHTTP10() {
        #expect(verdicts(octets("GET / HTTP/1.0\r\n\r\n")).map(\.status) == [nil])
        #expect(verdicts(octets("GET / HTTP/1.0\r\nHost: a b\r\n\r\n")).map(\.status) == [400])
        #expect(verdicts(octets("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n")).map(\.status) == [400])
    }
}
