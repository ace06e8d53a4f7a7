import Foundation
import LenientCoding
import Testing

/// The code of the article ComingFromResilientDecoding.
enum ComingFromResilientDecoding {
    enum Kind: String, Codable { case article, video, unknown }
    enum State: String, CaseIterable { case draft, published }

    struct Page: Codable {
        @FallbackEmpty @Lossy var items: [Int]
        @LossyEmpty var counts: [String: Int]
        @FallbackNil var total: Int?
        @Fallback<UnknownKind> var kind: Kind
        var state: OpenEnum<State>
    }

    enum UnknownKind: DefaultValueProvider {
        static var defaultValue: Kind { .unknown }
    }

    static func lenient(_ data: Data) throws -> (Page, DriftReport) {
        let decoder = LenientDecoder()
        var drift = DriftReport()
        let page = try decoder.decode(Page.self, from: data, drift: &drift)
        return (page, drift)
    }

    static func foundation(_ data: Data) throws -> (Page, DriftReport) {
        let recorder = DriftRecorder()
        let decoder = JSONDecoder()
        decoder.userInfo[.driftRecorder] = recorder
        let page = try decoder.decode(Page.self, from: data)
        let drift = recorder.report
        return (page, drift)
    }
}

@Suite("Coming from ResilientDecoding")
struct ComingFromResilientDecodingTests {
    @Test("Both decoders report the repairs, and the properties have the errors")
    func reports() throws {
        let data = Data(#"{"items":[1,"2",3],"total":"x","kind":"song","state":"archived"}"#.utf8)
        for (page, drift) in [
            try ComingFromResilientDecoding.lenient(data), try ComingFromResilientDecoding.foundation(data),
        ] {
            #expect(page.items == [1, 3] && page.counts.isEmpty && page.total == nil && page.kind == .unknown)
            #expect(page.state == .unknown("archived"))
            #expect(drift.summary == "dropped=1, defaulted=2, unrecognized=1")
            #expect(page.$items.errors.count == 1 && page.$total.error != nil && page.$counts.isDefault)
        }
    }

    @Test(
        "A value that is no list gives an empty one, and a value that is no dictionary an error",
        arguments: Coder.allCases)
    func noList(coder: Coder) throws {
        let page = try coder.decode(
            ComingFromResilientDecoding.Page.self, #"{"items":{},"kind":"video","state":"draft"}"#)
        #expect(page.items.isEmpty && page.$items.error != nil)
        let document = #"{"items":[],"counts":[],"kind":"video","state":"draft"}"#
        #expect(errorPath { try coder.decode(ComingFromResilientDecoding.Page.self, document) } == "counts")
    }
}
