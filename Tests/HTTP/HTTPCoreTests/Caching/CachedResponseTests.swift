import HTTPCore
import TestSupport
import Testing

struct CachedResponseTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    static let now = 784_111_777
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    /// Ten minutes before.
    static let changed = "Sun, 06 Nov 1994 08:39:37 GMT"

    /// A response that arrived at `now`, from lines such as `Cache-Control: max-age=60`.
    static func response(
        _ lines: String..., status: Int = 200, request: [String] = [], policy: CachePolicy = CachePolicy()
    ) -> CachedResponse? {
        CachedResponse(
            status: Status(status), headers: HeaderFields(lines: lines), request: HeaderFields(lines: request),
            requestTime: now, responseTime: now, policy: policy)
    }

    @Test(
        arguments: [
            ("max-age=60", 200, true), ("public", 200, true), ("", 200, true), ("no-cache", 200, true),
            ("no-store", 200, false), ("private", 200, false), ("private, max-age=60, s-maxage=60", 200, false),
            ("private=\"Set-Cookie\"", 200, false), ("max-age=60, x=\"y", 200, false),
            // A status without a rule of its own needs a lifetime or `public`.
            ("", 201, false), ("max-age=60", 201, true), ("s-maxage=0", 201, true), ("public", 201, true),
            ("", 299, false), ("max-age=60", 299, true), ("", 301, true), ("", 302, false), ("max-age=60", 302, true),
            ("", 404, true), ("", 410, true), ("", 400, false), ("max-age=60", 400, true),
            // Parts, and failures that the next request should try again.
            ("max-age=60", 206, false), ("max-age=60", 304, false), ("max-age=60", 100, false),
            ("max-age=60", 401, false), ("max-age=60", 403, false), ("max-age=60", 408, false),
            ("max-age=60, public", 429, false), ("max-age=60", 500, false), ("public, max-age=60", 503, false),
            ("max-age=60, no-store, must-understand", 200, true), ("max-age=60, no-store, must-understand", 299, false),
            ("max-age=60, must-understand", 299, false), ("must-understand, x=\"y", 200, false),
        ])
    func aSharedCacheStoresWhatItMay(_ control: String, _ status: Int, _ isStored: Bool) {
        #expect((Self.response("Cache-Control: \(control)", status: status) != nil) == isStored)
    }

    @Test func expiresIsALifetime() {
        #expect(Self.response("Expires: 0", status: 201)?.lifetime == 0)
    }

    @Test(
        arguments: [
            ("max-age=60", false), ("max-age=60, proxy-revalidate", false), ("public, max-age=60", true),
            ("max-age=60, must-revalidate", true), ("s-maxage=60", true), ("s-maxage=x", true),
        ])
    func theAnswerToOneClientIsStoredOnlyIfTheUpstreamAllowsIt(_ control: String, _ isStored: Bool) {
        let response = Self.response("Cache-Control: \(control)", request: ["Authorization: Bearer x"])
        #expect((response != nil) == isStored)
    }

    @Test(
        arguments: [
            ([], ["Foo: 1"], ["Foo: 2"], true), (["Foo"], ["Foo: 1"], ["foo: 1", "Bar: 2"], true),
            (["Foo"], ["Foo: 1"], ["Foo: 2"], false), (["Foo"], [], ["Foo: 1"], false),
            (["Foo"], ["Foo: 1"], [], false),
            (["Foo"], [], [], true), (["Foo"], ["Foo:"], [], false), (["Foo, Bar"], ["Foo: 1"], ["Foo: 1"], true),
            (["Foo", "BAR"], ["Foo: 1", "Bar: 2"], ["Bar: 2", "Foo: 1"], true),
            (["Foo", "Bar"], ["Foo: 1", "Bar: 2"], ["Bar: 3", "Foo: 1"], false),
            // One list in several lines, and whitespace around its commas.
            (["Foo"], ["Foo: 1, 2"], ["Foo: 1", "Foo: 2"], true), (["Foo"], ["Foo: 1,2"], ["Foo:  1 ,\t2"], true),
            (["Foo"], ["Foo: 1, 2"], ["Foo: 2, 1"], false), (["Foo"], ["Foo: 1 2"], ["Foo: 12"], false),
        ])
    func varySelectsByTheFieldsOfTheRequest(_ vary: [String], _ first: [String], _ second: [String], _ matches: Bool)
        throws
    {
        let headers = HeaderFields(lines: ["Cache-Control: max-age=60"] + vary.map { "Vary: \($0)" })
        let response = try #require(
            CachedResponse(
                status: .ok, headers: headers, request: HeaderFields(lines: first), requestTime: Self.now,
                responseTime: Self.now, policy: CachePolicy()))
        #expect(response.matches(HeaderFields(lines: second)) == matches)
    }

    @Test(arguments: ["*", " * ", "*, *", ", *", "*, Foo", "Foo, *"])
    func noRequestMatchesAnAsterisk(_ vary: String) {
        #expect(Self.response("Cache-Control: max-age=60", "Vary: \(vary)") == nil)
        #expect(Self.response("Cache-Control: max-age=60", "Vary: ", "Vary: \(vary)") == nil)
    }

    @Test func longListsOfSelectingFieldsTakeNoTime() {
        let names = (0..<30_000).map { String($0) }
        #expect(Self.response("Vary: \(names.prefix(32).joined(separator: ","))") != nil)
        #expect(Self.response("Vary: \(names.joined(separator: ","))") == nil)
        #expect(Self.response("Vary: \(names.prefix(32).joined(separator: ",")),*") == nil)
    }

    @Test func theSizeCountsTheFieldsThatAreKept() throws {
        let small = try #require(Self.response("Cache-Control: max-age=60"))
        let large = try #require(
            Self.response("Cache-Control: max-age=60, x=\(String(repeating: "y", count: 1000))", "X: y", "Vary: Foo"))
        #expect((200..<600).contains(small.size))
        #expect((1000..<1500).contains(large.size - small.size))
    }

    /// Lines, a policy, a status and the lifetime.
    @Test(
        arguments: [
            ("Cache-Control: max-age=60", CachePolicy(), 200, 60),
            ("Cache-Control: max-age=60", CachePolicy(floor: 300), 200, 300),
            ("Cache-Control: max-age=600", CachePolicy(floor: 300), 200, 600),
            ("Cache-Control: max-age=600", CachePolicy(ceiling: 300), 200, 300),
            ("Cache-Control: max-age=600", CachePolicy(floor: 900, ceiling: 300), 200, 300),
            ("Expires: \(date)", CachePolicy(floor: 30, defaultLifetime: 60), 200, 30),
            // The floor is about successes, the negative lifetime about what does not exist.
            ("X: y", CachePolicy(floor: 300), 404, 60), ("X: y", CachePolicy(negativeLifetime: 5), 410, 5),
            ("Cache-Control: max-age=600", CachePolicy(), 404, 600), ("X: y", CachePolicy(ceiling: 9), 404, 9),
            // A guess is for responses that say nothing.
            ("X: y", CachePolicy(), 200, 0), ("X: y", CachePolicy(defaultLifetime: 90), 200, 90),
            ("X: y", CachePolicy(ceiling: 9, defaultLifetime: 90), 200, 9),
            ("Last-Modified: \(changed)", CachePolicy(defaultLifetime: 90), 200, 60),
            ("Last-Modified: \(changed)", CachePolicy(defaultLifetime: 90, usesHeuristics: false), 200, 90),
            ("Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT", CachePolicy(), 200, 86_400),
            ("Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT", CachePolicy(heuristicCeiling: 5), 200, 5),
            ("Last-Modified: Sun, 06 Nov 1994 09:49:37 GMT", CachePolicy(defaultLifetime: 90), 200, 0),
            ("Last-Modified: yesterday", CachePolicy(defaultLifetime: 90), 200, 90),
            ("Cache-Control: max-age=x", CachePolicy(defaultLifetime: 90), 200, 0),
            ("Cache-Control: public", CachePolicy(defaultLifetime: 90), 201, 90),
        ])
    func thePolicyCompletesAndLimitsTheLifetime(_ line: String, _ policy: CachePolicy, _ status: Int, _ lifetime: Int) {
        #expect(Self.response(line, status: status, policy: policy)?.lifetime == lifetime)
    }

    @Test func theFloorCountsFromTheArrival() throws {
        let lines = ["Cache-Control: max-age=60", "Age: 500"]
        let response = try #require(
            CachedResponse(
                status: .ok, headers: HeaderFields(lines: lines), requestTime: Self.now - 4, responseTime: Self.now,
                policy: CachePolicy(floor: 30)))
        #expect(response.age(at: Self.now) == 504)
        #expect(response.decision(at: Self.now + 29) == .fresh(age: 533))
        #expect(response.decision(at: Self.now + 30) == .mustValidate(nil))
        #expect(response.remaining(at: Self.now + 40) == -10)
    }

    @Test func withoutTheUpstreamsWordThePolicyDecidesAlone() throws {
        let policy = CachePolicy(defaultLifetime: 60, usesHeuristics: false, staleIfError: 30, obeysUpstream: false)
        let lines = [
            "Cache-Control: no-store, private, no-cache, max-age=0", "Expires: 0", "Age: 900", "Vary: *", "ETag: \"a\"",
            "Date: Thu, 01 Jan 1970 00:00:00 GMT", "Last-Modified: \(Self.changed)",
        ]
        let headers = HeaderFields(lines: lines)
        let response = try #require(
            CachedResponse(
                status: .ok, headers: headers, request: HeaderFields(lines: ["Authorization: Bearer x"]),
                requestTime: Self.now, responseTime: Self.now, policy: policy))
        #expect(response.decision(at: Self.now + 59) == .fresh(age: 59))
        #expect(response.decision(at: Self.now + 60) == .mustValidate(Validators(headers)))
        #expect(response.mayServe(afterErrorAt: Self.now + 89))
        #expect(response.answerFields.first?.value == "max-age=60, stale-if-error=30")
        let updated = response.updated(
            by: headers, requestTime: Self.now + 60, responseTime: Self.now + 60, policy: policy)
        #expect(updated?.decision(at: Self.now + 119) == .fresh(age: 59))
        #expect(
            CachedResponse(
                status: .badGateway, headers: headers, requestTime: 0, responseTime: 0, policy: policy) == nil)
    }

    @Test func aPolicyHasNoImpossibleNumbers() {
        let policy = CachePolicy(floor: -1, ceiling: .max, defaultLifetime: .min, staleIfError: .max)
        #expect([policy.floor, policy.defaultLifetime] == [0, 0])
        #expect([policy.ceiling, policy.staleIfError] == [CacheControl.longest, CacheControl.longest])
    }
}

extension HeaderFields {
    /// Fields from lines such as `Age: 5`.
    init(lines: [String]) {
        self.init(
            lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
            })
    }
}
