import HTTPCore
import Testing

struct RepresentationTests {
    private static let short = Array("{\"a\":1}".utf8)
    private static let long = [UInt8](repeating: UInt8(ascii: " "), count: Representation.smallestCodedBody)
    private static let coded = Array("coded".utf8)
    private static let tag = Representation.entityTag(of: short)
    private static let longTag = Representation.entityTag(of: long)
    private static let changed = "Sun, 06 Nov 1994 08:49:37 GMT"

    private static func answer(
        _ status: Status = .ok, _ body: [UInt8] = short, isDated: Bool = false, to request: [(String, String)]
    ) -> Response {
        var response = Response(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "max-age=60")], body: body
        )
        if isDated { response.headers.append(("Last-Modified", changed)) }
        let representation = Representation(of: response)
        let selection = representation.selection(for: HeaderFields(request.map { (name: $0.0, value: $0.1) }))
        response.send(selection, of: representation, codedBody: selection.coding.map { _ in coded })
        return response
    }

    private static func field(_ name: String, _ response: Response) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    private static let statuses: [(Status, [UInt8], tag: String?, vary: String?)] = [
        (.ok, short, tag, "Accept-Encoding"), (.ok, long, longTag, "Accept-Encoding"), (.notFound, short, nil, nil),
        (.notFound, long, nil, "Accept-Encoding"), (.serviceUnavailable, short, nil, nil),
    ]

    @Test("Only a 200 has an entity tag, and an answer with a tag or of a codable size varies", arguments: statuses)
    func fields(_ status: Status, _ body: [UInt8], _ tag: String?, _ vary: String?) {
        for accepted in ["", "gzip"] {
            let answer = Self.answer(status, body, to: [("Accept-Encoding", accepted)])
            #expect(answer.status == status && Self.field("ETag", answer) == tag && Self.field("Vary", answer) == vary)
        }
    }

    @Test(
        "The coding is the one that the client prefers, unless the body is short",
        arguments: [
            (short, "gzip, br", nil), (long, "gzip", ContentCoding.gzip), (long, "gzip, br", .brotli), (long, "", nil),
            (long, "identity, gzip;q=0.5", nil),
        ])
    func codings(_ body: [UInt8], _ accepted: String, _ coding: ContentCoding?) {
        for status in [Status.ok, .notFound] {
            let answer = Self.answer(status, body, to: [("Accept-Encoding", accepted)])
            #expect(Self.field("Content-Encoding", answer) == coding?.rawValue)
            #expect(answer.body == (coding == nil ? body : Self.coded))
        }
    }

    @Test func aBodyThatACodingDoesNotMakeSmallerIsSentAsItIs() {
        var response = Response(body: Self.long)
        response.send(.content(.gzip), of: Representation(of: response), codedBody: nil)
        #expect(response.headers.map(\.name) == ["ETag", "Vary"] && response.body == Self.long)
    }

    @Test(arguments: [
        tag, String(tag.dropFirst(2)), "*", "\"x\", \(tag)", "W/\"a,b\",\(tag) , \"y\"", "\(tag),",
    ])
    func aKnownTagIsAnsweredWith304(_ value: String) {
        let answer = Self.answer(isDated: true, to: [("If-None-Match", value), ("Accept-Encoding", "gzip")])
        #expect(answer.status == .notModified && answer.body.isEmpty)
        #expect(answer.headers.map(\.name) == ["Cache-Control", "ETag", "Vary"])
    }

    @Test(arguments: ["", "\"x\"", "x", String(tag.dropFirst(3).dropLast()), "\"\(tag)\"", "W/\"\""])
    func anotherTagIsAnsweredWithTheBody(_ value: String) {
        // If-Modified-Since does not count beside If-None-Match.
        let answer = Self.answer(isDated: true, to: [("If-None-Match", value), ("If-Modified-Since", Self.changed)])
        #expect(answer.status == .ok && answer.body == Self.short)
    }

    @Test func severalLinesOfTagsAreOneList() {
        let answer = Self.answer(to: [("If-None-Match", "\"x\""), ("If-None-Match", Self.tag)])
        #expect(answer.status == .notModified)
    }

    @Test(arguments: [
        (changed, 304), ("Sun, 06 Nov 1994 08:49:38 GMT", 304), ("Sun, 06 Nov 1994 08:49:36 GMT", 200), ("x", 200),
        ("", 200),
    ])
    func aDateCountsWhereTheAnswerHasOne(_ date: String, _ status: Int) {
        #expect(Self.answer(isDated: true, to: [("If-Modified-Since", date)]).status.code == status)
        #expect(Self.answer(to: [("If-Modified-Since", date)]).status == .ok)
    }

    @Test(arguments: ["*", tag])
    func anErrorIsNever304(_ condition: String) {
        let answer = Self.answer(.notFound, isDated: true, to: [("If-None-Match", condition)])
        #expect(answer.status == .notFound && answer.body == Self.short)
    }

    @Test func aDocumentIsAPageWithATimeOfItsOwn() {
        let document = Representation(Self.long, lastModified: 784_111_777)
        let page = Representation(of: Response(headers: [("Last-Modified", Self.changed)], body: Self.long))
        #expect(document == page)
        #expect(document != Representation(Self.long, lastModified: nil))
    }

    @Test("A tag changes with every bit of a body and with its length, and stays over restarts")
    func tags() {
        for count in [0, 1, 7, 8, 31, 32, 33, 64, 100] {
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
            var tags = Set([Representation.entityTag(of: body), Representation.entityTag(of: body + [0])])
            for bit in 0..<8 * count {
                var other = body
                other[bit / 8] ^= 1 << (bit % 8)
                tags.insert(Representation.entityTag(of: other))
            }
            #expect(tags.count == 2 + 8 * count)
        }
        #expect(Representation.entityTag(of: Array("weather".utf8)) == #"W/"7e2cb04eb6dc35e7-7""#)
    }

    @Test func aSecondNameJoinsVary() {
        var response = Response(headers: [("Vary", "Origin")], body: Self.long)
        response.send(.content(nil), of: Representation(of: response))
        #expect(response.headers.filter { $0.name == "Vary" }.map(\.value) == ["Origin, Accept-Encoding"])
    }
}
