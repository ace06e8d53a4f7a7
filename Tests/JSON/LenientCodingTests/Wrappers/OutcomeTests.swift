import Foundation
import LenientCoding
import Testing

@Suite("Outcomes of @Lossless, @Lossy and @LossyEmpty")
struct OutcomeTests {
    private struct Page: Codable, Equatable {
        @Lossless var id: String
        @Lossless var size: Int?
        @Lossless var rows: [Int]?
        @Lossy var tags: [String]
        @Lossy var counts: [Int: Int]?
        @LossyEmpty var names: Set<String>
    }

    /// Returns the case of an outcome and the number of its errors.
    private func line(_ outcome: DecodingOutcome) -> String {
        switch outcome {
        case .decoded: "decoded"
        case .converted(let reason): "converted \(reason.rawValue)"
        case .incomplete(let errors): "incomplete \(errors.count)"
        case .absent: "absent"
        case .invalid(let error): "invalid \(error is DecodingError)"
        }
    }

    private func lines(_ page: Page) -> [String] {
        [page.$id, page.$size, page.$rows, page.$tags, page.$counts, page.$names].map(line)
    }

    @Test(
        "The $ value tells what was converted, removed or absent", arguments: Coder.allCases,
        [
            (
                #"{"id":"a","size":1,"rows":[1],"tags":["a"],"counts":{"1":1},"names":["x"]}"#,
                ["decoded", "decoded", "decoded", "decoded", "decoded", "decoded"]
            ),
            (
                #"{"id":7,"size":"1","rows":[1,"2"],"tags":["a",{},[]],"counts":{"1":1,"x":2,"3":[]},"names":[{}]}"#,
                [
                    "converted textOfNumber", "converted numericString", "converted numericString", "incomplete 2",
                    "incomplete 2", "incomplete 1",
                ]
            ),
            (#"{"id":"a","tags":[]}"#, ["decoded", "absent", "absent", "decoded", "absent", "absent"]),
            (
                #"{"id":"a","size":null,"tags":[],"counts":null,"names":null}"#,
                ["decoded", "absent", "absent", "decoded", "absent", "absent"]
            ),
        ])
    func outcomes(coder: Coder, example: (document: String, lines: [String])) throws {
        #expect(lines(try coder.decode(Page.self, example.document)) == example.lines)
    }

    @Test("The errors of removed elements have their coding paths", arguments: Coder.allCases)
    func errors(coder: Coder) throws {
        let page = try coder.decode(Page.self, #"{"id":"a","tags":["a",{},[]],"counts":{"x":2}}"#)
        let paths = page.$tags.errors.map { error in errorPath { throw error } }
        #expect(paths == ["tags.1", "tags.2"])
        #expect(errorPath { throw try #require(page.$counts.error) } == "counts.x")
        #expect(!page.$tags.isDefault && page.$names.isDefault)
    }

    @Test("A document with many invalid elements keeps 32 of their errors")
    func manyErrors() throws {
        let document = "{\"id\":\"a\",\"tags\":[\(Array(repeating: "{}", count: 1000).joined(separator: ","))]}"
        let page = try Coder.lenient.decode(Page.self, document)
        #expect(page.tags.isEmpty)
        #expect(page.$tags.errors.count == DecodingOutcome.maximumErrors)
    }

    @Test("A value that the decoder tolerates as nil has its error, and is reported once")
    func tolerated() throws {
        let document = #"{"id":"a","size":1.5,"rows":[1,"2",{}],"tags":[],"counts":7}"#
        let (page, drift) = try repaired(Page.self, document)
        #expect(
            lines(page) == ["decoded", "invalid true", "invalid true", "decoded", "invalid true", "absent"])
        #expect(errorPath { throw try #require(page.$rows.error) } == "rows.2")
        #expect(drift.count == 3)
        #expect(drift.allSatisfy { $0.hasPrefix("dropped ") })
    }

    @Test("The outcome is no part of the value, and setting the value replaces it", arguments: Coder.allCases)
    func values(coder: Coder) throws {
        var page = try coder.decode(Page.self, #"{"id":7,"tags":["a",{}]}"#)
        #expect(try page == coder.decode(Page.self, #"{"id":"7","tags":["a"]}"#))
        #expect(try coder.decode(Page.self, coder.encode(page)) == page)
        page.tags.append("b")
        page.id = "8"
        #expect(lines(page).first == "decoded" && page.$tags.errors.isEmpty)
    }

    private struct Nested: Codable {
        @FallbackEmpty @Lossy var tags: [String]
        @DefaultFalse @Lossless var isOn: Bool
        @Lossy @Lossless var ids: [Int]
    }

    @Test(
        "Of nested wrappers, the inner one tells the outcome of a value that the outer one took",
        arguments: Coder.allCases)
    func nested(coder: Coder) throws {
        let page = try coder.decode(Nested.self, #"{"tags":["a",7],"isOn":1,"ids":["1","x"]}"#)
        #expect(
            [page.$tags, page.$isOn, page.$ids].map(line) == ["incomplete 1", "converted booleanText", "incomplete 1"])
        let other = try coder.decode(Nested.self, #"{"tags":7,"ids":[]}"#)
        #expect([other.$tags, other.$isOn, other.$ids].map(line) == ["invalid true", "absent", "decoded"])
    }
}
