import HTTPCore
import Testing

struct CacheStatusTests {
    @Test func theParametersAreThoseOfRFC9211() {
        #expect(CacheStatus.hit(remaining: 60).fieldValue == "Weir; hit; ttl=60")
        #expect(CacheStatus.hit(remaining: -7).fieldValue == "Weir; hit; ttl=-7")
        let reasons = CacheStatus.Reason.allCases.map { CacheStatus($0).fieldValue.dropFirst(10) }
        #expect(reasons == ["method", "uri-miss", "miss", "request", "stale"])
        var status = CacheStatus(.stale, remaining: 60)
        status.forwardStatus = .notModified
        status.isStored = true
        #expect(status.fieldValue == "Weir; fwd=stale; fwd-status=304; ttl=60; stored")
        status.isCollapsed = true
        status.detail = "breaker-open"
        #expect(
            status.fieldValue == "Weir; fwd=stale; fwd-status=304; ttl=60; stored; collapsed; detail=\"breaker-open\"")
        // A hit went nowhere.
        status.reason = nil
        #expect(status.fieldValue == "Weir; hit; ttl=60; detail=\"breaker-open\"")
    }

    @Test(
        arguments: [
            ("a\"b\\c", "a\\\"b\\\\c"), ("a\r\nb", "ab"), ("né\0", "n"), ("", ""), ("a; b=c, d", "a; b=c, d"),
        ])
    func aDetailIsAStringOfStructuredFields(_ detail: String, _ text: String) {
        var status = CacheStatus.hit(remaining: .min)
        status.detail = detail
        #expect(status.fieldValue == "Weir; hit; ttl=-999999999999999; detail=\"\(text)\"")
    }
}
