import Foundation
import LenientCoding
import Testing

struct Warning: Record {
    var title = "", regions: [String]?, expires: UnixSeconds?
    static let schema = Schema<Warning> {
        Field(\.title)
        Field(\.regions, .dropInvalid)
        Field(\.expires, .or("expiry"), .absent(-999))
    }
}

@Suite("The README's library example")
struct LibraryReadmeTests {
    @Test("It does what it says")
    func example() throws {
        let document = #"[{"title":"Wind","regions":["Coast",5,{}],"expiry":-999},{"title":"Rain","expiry":7}]"#
        let bytes = Array(document.utf8)
        // From here on as in the README.
        var drift = DriftReport()
        let warnings = try LenientDecoder().decode([Warning].self, from: bytes, drift: &drift)
        let json = try CompactEncoder().encode(warnings)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"[{"title":"Wind","regions":["Coast","5"]},{"title":"Rain","expires":7}]"#)
        #expect(drift.summary == "dropped=1, defaulted=1, coerced=1")
    }

    @Test("Its lines stand in this file")
    func sameLines() throws {
        let file = URL(filePath: #filePath)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let source = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(readme.range(of: "```swift\n"))
        let end = try #require(readme.range(of: "\n```", range: start.upperBound..<readme.endIndex))
        for line in readme[start.upperBound..<end.lowerBound].split(separator: "\n") {
            #expect(source.contains(line), "\(line)")
        }
    }
}
