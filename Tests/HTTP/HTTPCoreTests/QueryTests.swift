import HTTPCore
import Testing

@Suite("Queries")
struct QueryTests {
    static let rows: [(query: String, pairs: [[String]])] = [
        ("", []), ("&", []), ("&&", []), ("a=b", [["a", "b"]]), ("a", [["a", ""]]), ("a=", [["a", ""]]),
        ("=b", [["", "b"]]),
        ("=", [["", ""]]), ("a=b=c", [["a", "b=c"]]), ("a=1&b=2&a=3", [["a", "1"], ["b", "2"], ["a", "3"]]),
        ("a=b&&c=d&", [["a", "b"], ["c", "d"]]), ("a=b+c%20d%2Be", [["a", "b c d+e"]]), ("a+b=c", [["a b", "c"]]),
        ("%61=%62", [["a", "b"]]), ("a%26b=c%3Dd", [["a&b", "c=d"]]), ("q=caf%C3%A9", [["q", "café"]]),
        ("a?b=c/d", [["a?b", "c/d"]]), ("a;b=c", [["a;b", "c"]]),
        ("lat=37.8&lon=-122.4", [["lat", "37.8"], ["lon", "-122.4"]]),
    ]

    @Test("Pairs are decoded in order, with duplicates", arguments: rows)
    func decodedPairs(query: String, pairs: [[String]]) throws {
        let sent = try request("GET /?\(query) HTTP/1.1\r\nHost: a\r\n\r\n").target.query
        #expect(sent.pairs.map { [$0.name, $0.value] } == pairs)
        #expect(sent.isEmpty == pairs.isEmpty)
        #expect(try #require(Query(query)).pairs.map { [$0.name, $0.value] } == pairs)
        for name in Set(pairs.map { $0[0] }) {
            #expect(sent.values(name) == pairs.filter { $0[0] == name }.map { $0[1] })
            #expect(sent[name] == sent.values(name).first)
        }
        #expect(sent["absent"] == nil)
        #expect(sent.values("absent") == [])
    }

    @Test("Names are compared completely and with case")
    func names() throws {
        let query = try #require(Query("Lat=1&latitude=2&%6Cat=3"))
        #expect(query["lat"] == "3")
        #expect(query["LAT"] == nil)
        #expect(query["la"] == nil)
    }

    @Test("An invalid escape makes the query invalid", arguments: ["a=%", "%zz", "a=%ff", "a=%00", "a=%e2%82"])
    func invalidEscape(query: String) {
        #expect(Query(query) == nil)
    }

    @Test("An invalid target is an error", arguments: ["", "a", "/a b", "/a#b", "/%", "http://", "/\u{E9}"])
    func invalidTarget(target: String) {
        #expect(throws: RequestFailure.self) { try RequestTarget(target) }
    }
}

@Suite("Percent-encoding")
struct PercentCodingTests {
    static let rows: [(encoded: String, plusIsSpace: Bool, text: String?)] = [
        ("", false, ""), ("abc", false, "abc"), ("a%20b", false, "a b"), ("a+b", false, "a+b"), ("a+b", true, "a b"),
        ("%2B", true, "+"), ("%e2%82%ac", false, "€"), ("%E2%82%AC", false, "€"), ("%", false, nil), ("%4", false, nil),
        ("a%4", false, nil), ("%g0", false, nil), ("%0g", false, nil), ("%%41", false, nil), ("%00", false, nil),
        ("\0", false, nil), ("%80", false, nil), ("%C0%80", false, nil), ("%ED%A0%80", false, nil), ("%25", false, "%"),
    ]

    @Test("Escapes are decoded to UTF-8 or refused", arguments: rows)
    func decoding(encoded: String, plusIsSpace: Bool, text: String?) {
        #expect(PercentCoding.decode(Array(encoded.utf8).span, plusIsSpace: plusIsSpace) == text)
        // If strict decoding succeeds, the lenient one agrees.
        if plusIsSpace || !encoded.contains("+"), let text { #expect(PercentCoding.decodeLeniently(encoded) == text) }
    }

    @Test(
        "Lenient decoding repairs malformed escapes",
        arguments: [
            ("", ""), ("a+b%20c", "a b c"), ("%", "%"), ("%4", "%4"), ("a%4", "a%4"), ("%g0", "%g0"), ("%%41", "%A"),
            ("100%+sure", "100% sure"), ("%+1", "% 1"), ("%00", "\0"), ("%80", "\u{FFFD}"), ("%C3%A9", "é"),
            ("\u{E9}%2B", "é+"),
        ])
    func lenientDecoding(encoded: String, text: String) {
        #expect(PercentCoding.decodeLeniently(encoded) == text)
    }

    @Test("Encoding escapes the characters that are not allowed")
    func encoding() {
        #expect(PercentCoding.encode("a b/c?d=é&+~", allowing: .pathSegment) == "a%20b%2Fc%3Fd=%C3%A9&+~")
        #expect(PercentCoding.encode("a b/c?d=é&+~", allowing: .queryComponent) == "a%20b%2Fc%3Fd%3D%C3%A9%26%2B~")
        #expect(PercentCoding.encode("a b/c?d=é&+~:", allowing: .unreserved) == "a%20b%2Fc%3Fd%3D%C3%A9%26%2B~%3A")
        #expect(PercentCoding.encode("2026-01-02T03:04:05 #{key}") == "2026-01-02T03:04:05%20%23%7Bkey%7D")
    }

    @Test("Every character reads back unchanged", arguments: ["%41 +&=?#/", "\u{1F600}\u{7F}\u{1}", "Żółć"])
    func roundTrip(text: String) {
        for place in [PercentCoding.AllowedCharacters.pathSegment, .queryComponent, .unreserved] {
            let encoded = Array(PercentCoding.encode(text, allowing: place).utf8)
            #expect(PercentCoding.decode(encoded.span, plusIsSpace: place == .queryComponent) == text)
        }
    }
}
