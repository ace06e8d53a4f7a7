import HTTPCore
import Operations
import Testing

struct TracingTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let span = "b7ad6b7169203331"

    @Test(arguments: [
        ("00-\(trace)-\(span)-01", true), ("00-\(trace)-\(span)-00", false), ("00-\(trace)-\(span)-ff", true),
        ("01-\(trace)-\(span)-01", true), ("cc-\(trace)-\(span)-01-what-follows", true),
    ])
    func aWellFormedTraceIsContinued(_ value: String, _ isSampled: Bool) {
        var identifiers = IdentifierSource(seed: 1)
        let context = TraceContext.begin(HeaderFields([("Traceparent", value)]), &identifiers)
        #expect(context.traceIDText == Self.trace)
        #expect(String(context.parentID, radix: 16) == Self.span)
        #expect(context.isSampled == isSampled)
        #expect(context.spanID != context.parentID)
        #expect(context.traceparent.hasPrefix("00-\(Self.trace)-"))
        #expect(context.traceparent.hasSuffix(isSampled ? "-01" : "-00"))
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(span)-0", "00-\(trace)-\(span)-01-x", "00-\(trace)-\(span)-011",
        "ff-\(trace)-\(span)-01",
        "00-\(trace.uppercased())-\(span)-01", "00-00000000000000000000000000000000-\(span)-01",
        "00-\(trace)-0000000000000000-01", "00_\(trace)-\(span)-01", "0x-\(trace)-\(span)-01",
        "01-\(trace)-\(span)-01x",
        "00-\(trace)-\(span)-0g", "00-\(trace)-\(span) 01",
    ])
    func aMalformedTraceIsReplaced(_ value: String) {
        var identifiers = IdentifierSource(seed: 1)
        let context = TraceContext.begin(HeaderFields([("traceparent", value)]), &identifiers)
        #expect(context.traceIDText != Self.trace)
        #expect(context.traceIDText.count == 32)
        #expect(context.parentID == 0)
        #expect(!context.isSampled)
    }

    @Test func twoTraceparentsAreMalformed() {
        var identifiers = IdentifierSource(seed: 1)
        let value = "00-\(Self.trace)-\(Self.span)-01"
        let headers = HeaderFields([("traceparent", value), ("traceparent", value)])
        #expect(TraceContext.begin(headers, &identifiers).traceIDText != Self.trace)
    }

    /// A list of members with these numbers of bytes.
    private static func list(_ sizes: [Int]) -> String {
        let members = sizes.enumerated().map { "k\($0)=" + String(repeating: "v", count: $1 - 3) }
        return members.joined(separator: ",")
    }

    private static func short(_ count: Int) -> String {
        (0..<count).map { "k\($0)=1" }.joined(separator: ",")
    }

    @Test(
        "A tracestate is passed on if it is well-formed, up to 512 bytes",
        arguments: [
            (["congo=t61rcWkgMzE,rojo=00f067aa0ba902b7"], "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7"),
            (["a=1 , \tb=2,,", "c=3"], "a=1,b=2,c=3"), (["fw529a3039@dt=FfAAA; x"], "fw529a3039@dt=FfAAA; x"),
            (["a=1,a=2"], nil), (["A=1"], nil), (["a"], nil), (["a="], nil), (["=1"], nil), (["a=1=2"], nil),
            (["a=\u{E9}"], nil), (["a b=1"], nil), (["@a=1"], nil), ([""], nil), ([list([256])], list([256])),
            ([list([260])], nil),
            ([list([128, 128, 128, 125])], list([128, 128, 128, 125])),
            ([list([128, 128, 128, 126])], list([128, 128, 128])),
            ([list([200, 128, 128, 128])], String(list([200, 128, 128, 128]).dropFirst(201))),
            ([short(32)], short(32)), ([short(33)], nil),
        ] as [([String], String?)])
    func traceState(_ lines: [String], _ expected: String?) {
        #expect(TraceState.read(HeaderFields(lines.map { ("Tracestate", $0) })) == expected)
    }

    @Test func idsAreNotRepeated() {
        var identifiers = IdentifierSource()
        #expect(Set((0..<10_000).map { _ in identifiers.next() }).count == 10_000)
    }

    @Test(arguments: [
        ("client-id", true), ("a.b_c-D9", true), (String(repeating: "x", count: 64), true), ("short", false),
        (String(repeating: "x", count: 65), false), ("", false), ("with space", false), ("quote\"quote", false),
        ("ümlaut-umlaut", false), ("key=value&x", false),
    ])
    func aRequestIDIsTakenOverIfItIsWellFormed(_ value: String, _ isTaken: Bool) {
        #expect(RequestID.read(HeaderFields([("X-Request-ID", value)])) == (isTaken ? value : nil))
    }
}
