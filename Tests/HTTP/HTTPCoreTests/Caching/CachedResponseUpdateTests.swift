import HTTPCore
import TestSupport
import Testing

struct CachedResponseUpdateTests {
    private static let now = CachedResponseTests.now

    private static func updated(_ stored: [String], _ lines: [String], policy: CachePolicy = CachePolicy())
        -> CachedResponse?
    {
        CachedResponse(
            status: .ok, headers: HeaderFields(lines: stored), requestTime: now, responseTime: now, policy: policy)?
            .updated(
                by: HeaderFields(lines: lines), requestTime: now + 100, responseTime: now + 101, policy: policy)
    }

    @Test func fieldsOfA304ReplaceThoseOfTheResponse() throws {
        let stored = ["Cache-Control: max-age=10", "ETag: \"a\"", "Age: 5", "Date: \(CachedResponseTests.date)"]
        let one = try #require(Self.updated(stored, ["Cache-Control: max-age=600", "ETag: \"a\""]))
        #expect([one.lifetime, one.age(at: Self.now + 101), one.status.code] == [600, 1, 200])
        #expect(one.validators?.entityTag == "\"a\"")
        // What the 304 does not say stays as it was, except for the age.
        let two = try #require(Self.updated(stored, ["Age: 3"]))
        #expect([two.lifetime, two.age(at: Self.now + 101)] == [10, 4])
        #expect(two.decision(at: Self.now + 106) == .fresh(age: 9))
    }

    @Test(
        arguments: [
            (["ETag: \"a\""], ["ETag: \"a\""], true), (["ETag: \"a\""], ["ETag: \"b\""], false),
            (["ETag: W/\"a\""], ["ETag: \"a\""], true), (["ETag: \"a\""], ["ETag: W/\"a\""], true),
            (["ETag: \"a\""], [], true), (["ETag: \"a\""], ["ETag: a"], true), ([], ["ETag: \"a\""], true),
            (["Last-Modified: \(CachedResponseTests.date)"], ["Last-Modified: \(CachedResponseTests.date)"], true),
            (
                ["Last-Modified: \(CachedResponseTests.date)"], ["Last-Modified: Sunday, 06-Nov-94 08:49:37 GMT"], true
            ),
            (["Last-Modified: \(CachedResponseTests.date)"], ["Last-Modified: \(CachedResponseTests.changed)"], false),
            (["ETag: \"a\"", "Last-Modified: \(CachedResponseTests.date)"], ["ETag: \"a\""], true),
            (["ETag: \"a\""], ["Cache-Control: no-store"], false), (["ETag: \"a\""], ["Cache-Control: private"], false),
            (["ETag: \"a\""], ["Vary: *"], false),
        ])
    func a304AboutAnotherVersionOrOneThatForbidsStoringIsNoUpdate(
        _ stored: [String], _ lines: [String], _ isUpdate: Bool
    ) {
        #expect((Self.updated(["Cache-Control: max-age=10"] + stored, lines) != nil) == isUpdate)
    }

    @Test(
        arguments: [
            ("\"a\"", "\"a\"", true), ("\"a\"", "W/\"a\"", true), ("W/\"a\"", "\"a\"", true), ("\"a\"", "*", true),
            ("\"a\"", "\"b\", \"a\"", true), ("\"a\"", "\"b\"", false), ("\"a\"", "a", false), ("\"a\"", "", false),
            ("\"a,b\"", "\"a\", \"b\"", false), ("\"a,b\"", "\"c\",\"a,b\"", true),
        ])
    func aClientWithTheTagHasThisVersion(_ tag: String, _ condition: String, _ hasVersion: Bool) {
        // If-None-Match alone counts where it is present.
        for since in [CachedResponseTests.date, CachedResponseTests.changed] {
            let request = HeaderFields(lines: ["If-Modified-Since: \(since)", "If-None-Match: \(condition)"])
            #expect(request.hasVersion(tag, changed: Self.now) == hasVersion)
            #expect(request.hasVersion(nil, changed: Self.now) == (condition == "*"))
        }
    }

    @Test(
        arguments: [
            (CachedResponseTests.date, true), ("Sun, 06 Nov 1994 08:49:38 GMT", true),
            ("Sunday, 06-Nov-94 08:49:37 GMT", true), (CachedResponseTests.changed, false), ("yesterday", false),
        ])
    func aClientWithALaterTimeHasThisVersion(_ since: String, _ hasVersion: Bool) {
        let request = HeaderFields(lines: ["If-Modified-Since: \(since)"])
        #expect(request.hasVersion(nil, changed: Self.now) == hasVersion)
        #expect(!request.hasVersion("\"a\"", changed: nil) && !HeaderFields().hasVersion("\"a\"", changed: Self.now))
    }
}
