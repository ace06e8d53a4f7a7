import Testing

@testable import Gateway

struct PathTemplateTests {
    private static let forecast = "/forecast/{key}/{latitude},{longitude}"

    @Test(arguments: [
        ("/weather", "/weather", [:]),
        ("/", "/", [:]),
        (forecast, "/forecast/k/1,2", ["key": "k", "latitude": "1", "longitude": "2"]),
        (forecast, "/forecast/-/37.8267,-122.4233", ["key": "-", "latitude": "37.8267", "longitude": "-122.4233"]),
        (forecast, "/forecast/a,b/1,2", ["key": "a,b", "latitude": "1", "longitude": "2"]),
        (forecast, "/forecast/k/1,2,3", ["key": "k", "latitude": "1", "longitude": "2,3"]),
        ("/tweets/{id}", "/tweets/é%2F", ["id": "é%2F"]),
        ("/a/{x}.json", "/a/b.json", ["x": "b"]),
        ("{all}", "word", ["all": "word"]),
        ("/{a*}/b", "/x/b", ["a*": "x"]), ("/{a}{b", "/x{b", ["a": "x"]),
    ])
    func aMatchingPathYieldsItsValues(_ template: String, _ path: String, _ values: [String: String]) {
        #expect(PathTemplate(template).match(path) == values)
    }

    @Test(arguments: [
        ("/weather", "/weather/"), ("/weather", "/weathe"), ("/weather", "/Weather"), ("/weather", ""),
        ("/weather", "/weather2"), (forecast, "/forecast/k/1"), (forecast, "/forecast//1,2"),
        (forecast, "/forecast/k/,2"), (forecast, "/forecast/k/1,"), (forecast, "/forecast/k/1,2/"),
        (forecast, "/forecast/k/l/1,2"), (forecast, "/forecast/k"), ("/tweets/{id}", "/tweets/"),
        ("/tweets/{id}", "/tweets/1/2"), ("/a/{x}.json", "/a/.json"),
        ("/{a*}/b", "/x/y/b"),
    ])
    func anyOtherPathDoesNotMatch(_ template: String, _ path: String) {
        #expect(PathTemplate(template).match(path) == nil)
    }

    @Test func onlyATemplateWithoutParametersIsLiteral() {
        #expect(PathTemplate("/weather").isLiteral)
        #expect(PathTemplate("/{").isLiteral)
        #expect(!PathTemplate("/{id}").isLiteral)
        #expect(PathTemplate("/a/{id}").description == "/a/{id}")
    }

    @Test func aValueThatIsNoPathMayContainSlashes() {
        #expect(PathTemplate("{timeZone}", isPath: false).match("Europe/Berlin") == ["timeZone": "Europe/Berlin"])
        #expect(PathTemplate("{timeZone}").match("Europe/Berlin") == nil)
    }
}
