import HTTPCore
import Testing

@testable import Routing

/// One rule for slashes and escapes on every route.
struct RoutePatternTests {
    private static func route(_ target: String) throws -> (name: RouteName, segments: [String])? {
        let path = RoutePath(try RequestTarget(target))
        guard let name = RouteName.allCases.first(where: { $0.pattern.matches(path) }) else { return nil }
        return (name, name.pattern.segments(of: path))
    }

    @Test(
        arguments: [
            ("/weather", .weather, []), ("/weather/", .weather, []), ("/weather?a=/b/", .weather, []),
            ("/%77eather", .weather, []), ("/weathe%72/", .weather, []), ("http://host/weather", .weather, []),
            ("/tweets/1", .tweet, ["1"]), ("/tweets/1/", .tweet, ["1"]), ("/tweets/a%2Fb", .tweet, ["a/b"]),
            ("/tweets/a%2f", .tweet, ["a/"]), ("/tweets/%31%32", .tweet, ["12"]), ("/tweets/%C3%A9", .tweet, ["é"]),
            ("/tweets/%2531", .tweet, ["%31"]), ("/timelines/a,b", .timeline, ["a,b"]), ("/search/", .search, []),
            ("/forecast/k/1,2", .forecast, ["k", "1,2"]), ("/forecast/k/1,2/", .forecast, ["k", "1,2"]),
            ("/forecast//1,2", .forecast, ["", "1,2"]), ("/forecast/a%2Fb/1%2C2", .forecast, ["a/b", "1,2"]),
            ("/livez/", .livez, []), ("/metrics", .metrics, []),
        ] as [(String, RouteName, [String])])
    func aPathIsDividedAtItsSlashesAndThenDecoded(_ target: String, _ name: RouteName, _ segments: [String]) throws {
        let found = try #require(try Self.route(target))
        #expect(found.name == name)
        if !segments.isEmpty { #expect(found.segments == segments) }
    }

    @Test(arguments: [
        "/", "/weather//", "//weather", "/Weather", "/weather2", "/weathe", "/tweets", "/tweets/", "/tweets//",
        "/tweets/1/2", "/tweets//1", "/tweets%2f1", "/tweets%2F1", "/forecast", "/forecast%2Fk/1,2", "/livez%2F",
        "/weather%20", "/%57eather", "/tweets/1//",
    ])
    func anyOtherPathHasNoRoute(_ target: String) throws {
        #expect(try Self.route(target) == nil)
    }

    @Test(arguments: [
        ("/tweets/..", true), ("/tweets/%2e%2E", true), ("/tweets/a%2f..", true), ("/tweets/a%5c..", true),
        ("/./weather", true), ("/tweets/a..b", false), ("/tweets/...", false), ("/tweets/%2525", false),
    ])
    func dotSegmentsAreFoundInTheDecodedPath(_ target: String, _ expected: Bool) throws {
        #expect(RoutePath(try RequestTarget(target)).hasDotSegments == expected)
    }
}
