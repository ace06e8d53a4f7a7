import Foundation
import JSONText
import Records
import Testing

private struct Item: Record {
    var id = 0, size: Int?, tags: [Int]?
    static let schema = Schema<Item> {
        Field(\.id)
        Field(\.size)
        Field(\.tags, .dropInvalid)
    }
}

private struct List: Record {
    var items: [Item]?, title: String?
    static let schema = Schema<List>(.absent("")) {
        Field(\.items, .dropInvalid)
        Field(\.title)
    }
}

@Suite("Drift reports")
struct ReportTests {
    @Test("A document that follows the contract has an empty report")
    func empty() throws {
        let report = try drift(List.self, #"{"items":[{"id":1,"size":2,"tags":[3]}],"title":null}"#)
        #expect(report.isEmpty)
        #expect(report.summary == "")
        #expect(report == DriftReport())
    }

    @Test("The summary counts by kind in a fixed order")
    func summary() throws {
        let report = try drift(
            List.self, #"{"title":"","x":1,"y":2,"items":[{"id":"1","size":"2"},{"id":2,"tags":[[],{}]},7],"title":5}"#)
        #expect(report.summary == "dropped=3, defaulted=1, coerced=3, unexpectedKey=2, duplicateKey=1")
        #expect(report.counts.map(\.count) == [3, 1, 3, 2, 1])
        #expect(!report.isEmpty)
    }

    @Test("A report is written as JSON with escaped keys and contains no value of the document")
    func json() throws {
        let report = try drift(List.self, #"{"a\"b":"secret","items":[{"id":1},{"id":2,"size":"secret"}]}"#)
        var writer = JSONWriter()
        report.write(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"[{"kind":"unexpectedKey","path":"a\"b","reason":"unknownKey","count":1,"example":"a\"b"},"#
                + #"{"kind":"dropped","path":"items[].size","reason":"mistyped","count":1,"example":"items[1].size"}]"#)
    }

    @Test("A report lists 256 locations and counts the repairs at further ones")
    func bounded() throws {
        let members = (0..<300).map { "\"k\($0)\":0" } + ["\"k0\":0", "\"k299\":0"]
        let report = try drift(List.self, "{\(members.joined(separator: ","))}")
        #expect(DriftReport.maximumEntries == 256)
        #expect(report.entries.count == 256)
        #expect(report.entries[0].count == 2)
        #expect(report.unlisted == 45)
        #expect(report.summary == "unexpectedKey=257, unlisted=45")
    }

    @Test("Locations inside a dropped element do not count towards the limit")
    func boundedWithoutRemovedElements() throws {
        let unknown = (0..<300).map { "\"k\($0)\":0" }.joined(separator: ",")
        let report = try drift(List.self, "{\"items\":[{\(unknown)},{\"id\":\"1\"},{\(unknown)}],\"title\":1}")
        #expect(
            report.entries.map(\.path) == ["items[]", "items[].id", "title"])
        #expect(report.summary == "dropped=2, coerced=2")
    }

    @Test("The example is the first location that was not rolled back")
    func example() throws {
        let report = try drift(List.self, #"{"items":[{"size":"1"},{"id":2,"size":"2"},{"id":3,"size":"3"}]}"#)
        #expect(report.entries.map(\.example) == ["items[0]", "items[1].size"])
        #expect(report.entries.map(\.count) == [1, 2])
    }

    @Test("Merged reports count equal entries together, append new ones and keep the first example")
    func merged() throws {
        var report = try drift(List.self, #"{"items":[{"id":1,"size":"2"}],"x":1}"#)
        report.merge(try drift(List.self, #"{"items":[{"id":1},{"id":2,"size":"2"},{"id":3,"size":"2"}],"y":1}"#))
        #expect(report.entries.map(\.path) == ["items[].size", "x", "y"])
        #expect(report.entries.map(\.count) == [3, 1, 1])
        #expect(report.entries.map(\.example) == ["items[0].size", "x", "y"])
        report.merge(DriftReport())
        #expect(report.summary == "coerced=3, unexpectedKey=2")
    }

    @Test("Merged reports keep the limit and lose no count")
    func mergedAndBounded() throws {
        func document(_ keys: Range<Int>) -> String {
            "{\(keys.map { "\"k\($0)\":0" }.joined(separator: ","))}"
        }
        var report = try drift(List.self, document(0..<200))
        report.merge(try drift(List.self, document(100..<400)))
        #expect(report.entries.count == 256)
        #expect(report.entries.map(\.count).reduce(0, +) + report.unlisted == 500)
    }

    @Test("A report encodes in the form in which it is written")
    func encoded() throws {
        let members = (0..<300).map { "\"k\($0)\":0" }
        for document in ["{}", #"{"title":1,"items":[5]}"#, "{\(members.joined(separator: ","))}"] {
            let report = try drift(List.self, document)
            var writer = JSONWriter()
            report.write(to: &writer)
            let written = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? NSArray
            let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? NSArray
            #expect(written == encoded)
            #expect(written?.count == report.entries.count + (report.unlisted > 0 ? 1 : 0))
        }
    }
}
