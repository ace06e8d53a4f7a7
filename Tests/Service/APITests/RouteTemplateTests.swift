import HTTPCore
import Testing

@testable import API

/// One rule for slashes and escapes on every route.
struct RouteTemplateTests {
    private static let templates = [
        "/weather", "/tweets/{id}", "/timelines/{screenName}", "/search", "/livez", "/metrics", "/users/{id}",
        "/users/me", "/users/{id}/posts/{post}", "/users/me/files",
    ].map { RouteTemplate($0) }
    private static let forecast = RouteTemplate("/forecast/{anything}/{latitude},{longitude}")

    private static let tree = {
        var tree = RouteTree()
        for (number, template) in templates.enumerated() { tree.insert(template, number) }
        tree.insert(forecast, ownsPrefix: true, templates.count)
        return tree
    }()

    private static func route(_ target: String) throws -> (name: String, values: [String])? {
        let path = RoutePath(try RequestTarget(target))
        guard let template = tree.find(path).map({ (templates + [forecast])[$0] }) else { return nil }
        return (template.text, template.values(in: path))
    }

    @Test(
        arguments: [
            ("/weather", "/weather", []), ("/weather/", "/weather", []), ("/weather?a=/b/", "/weather", []),
            ("/%77eather", "/weather", []), ("/weathe%72/", "/weather", []), ("http://host/weather", "/weather", []),
            ("/tweets/1", "/tweets/{id}", ["1"]), ("/tweets/1/", "/tweets/{id}", ["1"]),
            ("/tweets/a%2Fb", "/tweets/{id}", ["a/b"]), ("/tweets/a%2f", "/tweets/{id}", ["a/"]),
            ("/tweets/%31%32", "/tweets/{id}", ["12"]), ("/tweets/%C3%A9", "/tweets/{id}", ["é"]),
            ("/tweets/%2531", "/tweets/{id}", ["%31"]), ("/timelines/a,b", "/timelines/{screenName}", ["a,b"]),
            ("/search/", "/search", []), ("/livez/", "/livez", []), ("/metrics", "/metrics", []),
            ("/users/me", "/users/me", []), ("/users/7", "/users/{id}", ["7"]), ("/users/mee", "/users/{id}", ["mee"]),
            ("/users/me/posts/1", "/users/{id}/posts/{post}", ["me", "1"]), ("/users/me/files", "/users/me/files", []),
        ] as [(String, String, [String])])
    func aPathIsDividedAtItsSlashesAndThenDecoded(_ target: String, _ name: String, _ values: [String]) throws {
        let found = try #require(try Self.route(target))
        #expect(found.name == name)
        #expect(found.values == values)
    }

    @Test(
        arguments: [
            ("/forecast/k/1,2", ["k", "1,2"]), ("/forecast/k/1,2/", ["k", "1,2"]), ("/forecast//1,2", ["", "1,2"]),
            ("/forecast/a%2Fb/1%2C2", ["a/b", "1,2"]), ("/forecast/", []), ("/forecast/k", ["k"]),
            ("/forecast/k/1,2/3", ["k", "1,2", "3"]),
        ] as [(String, [String])])
    func aRouteCanOwnAllPathsBelowItsPrefix(_ target: String, _ segments: [String]) throws {
        let path = RoutePath(try RequestTarget(target))
        #expect(Self.tree.find(path) == Self.templates.count)
        #expect(path.segments == ["forecast"] + segments)
    }

    @Test(arguments: [
        "/", "/weather//", "//weather", "/Weather", "/weather2", "/weathe", "/tweets", "/tweets/", "/tweets//",
        "/tweets/1/2", "/tweets//1", "/tweets%2f1", "/tweets%2F1", "/forecast", "/forecast%2Fk/1,2", "/livez%2F",
        "/weather%20", "/%57eather", "/tweets/1//", "/users", "/users/7/files", "/users/me/files/1", "/users//posts/1",
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
