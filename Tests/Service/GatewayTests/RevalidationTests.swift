import HTTPCore
import Testing

@testable import Gateway

struct RevalidationTests {
    private static let body = Array("{\"a\":1}".utf8)
    private static let tag = Response.entityTag(of: body)
    private static let changed = "Sun, 06 Nov 1994 08:49:37 GMT"

    private static func answer(_ conditions: [(name: String, value: String)], isDated: Bool = false) -> Response {
        var response = Response(
            headers: [
                ("Content-Type", "application/json"), ("Cache-Control", "max-age=60"), ("Weir-Drift", "dropped=1"),
            ]
                + (isDated ? [("Last-Modified", changed)] : []),
            body: body)
        _ = response.revalidate(for: HeaderFields(conditions))
        return response
    }

    @Test func anAnswerHasAWeakTagThatDependsOnItsBody() {
        let response = Self.answer([])
        #expect(response.status == .ok)
        #expect(response.headers.last?.value == Self.tag)
        #expect(Self.tag.hasPrefix("W/\"") && Self.tag.hasSuffix("\""))
        let tags = (0..<1000).map { Response.entityTag(of: Array("{\"a\":\($0)}".utf8)) }
        #expect(Set(tags).count == 1000)
        #expect(Response.entityTag(of: []) != Response.entityTag(of: [0]))
    }

    @Test(arguments: [
        tag, String(tag.dropFirst(2)), "*", "\"x\", \(tag)", "W/\"a,b\",\(tag) , \"y\"", "\(tag),",
    ])
    func aKnownTagIsAnsweredWith304(_ value: String) {
        let response = Self.answer([("If-None-Match", value)])
        #expect(response.status == .notModified)
        #expect(response.body.isEmpty)
        #expect(response.headers.map(\.name) == ["Cache-Control", "Weir-Drift", "ETag", "Vary"])
    }

    @Test(arguments: ["", "\"x\"", "x", String(tag.dropFirst(3).dropLast()), "\"\(tag)\"", "W/\"\""])
    func anotherTagIsAnsweredWithTheBody(_ value: String) {
        // If-Modified-Since does not count beside If-None-Match.
        let response = Self.answer(
            [("If-None-Match", value), ("If-Modified-Since", Self.changed)], isDated: true)
        #expect(response.status == .ok)
        #expect(response.body == Self.body)
    }

    @Test func severalLinesOfTagsAreOneList() {
        #expect(Self.answer([("If-None-Match", "\"x\""), ("If-None-Match", Self.tag)]).status == .notModified)
    }

    @Test(arguments: [
        (changed, 304), ("Sun, 06 Nov 1994 08:49:38 GMT", 304), ("Sun, 06 Nov 1994 08:49:36 GMT", 200), ("x", 200),
        ("", 200),
    ])
    func aDateCountsWhereTheAnswerHasOne(_ date: String, _ status: Int) {
        #expect(Self.answer([("If-Modified-Since", date)], isDated: true).status.code == status)
        #expect(Self.answer([("If-Modified-Since", date)]).status == .ok)
    }

    @Test func errorsHaveNoTag() {
        var response = Response(status: .notFound, body: Self.body)
        let isRevalidated = response.revalidate(for: HeaderFields([("If-None-Match", "*")]))
        #expect(!isRevalidated)
        #expect(response.status == .notFound)
        #expect(response.headers.isEmpty)
    }

    @Test("A tag changes with every bit of a body and with its length, and stays over restarts")
    func tags() {
        for count in [0, 1, 7, 8, 31, 32, 33, 64, 100] {
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
            var tags = Set([Response.entityTag(of: body), Response.entityTag(of: body + [0])])
            for bit in 0..<8 * count {
                var other = body
                other[bit / 8] ^= 1 << (bit % 8)
                tags.insert(Response.entityTag(of: other))
            }
            #expect(tags.count == 2 + 8 * count)
        }
        #expect(Response.entityTag(of: Array("weather".utf8)) == #"W/"7e2cb04eb6dc35e7-7""#)
    }
}
