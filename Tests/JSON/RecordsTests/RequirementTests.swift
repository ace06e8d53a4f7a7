import Records
import Testing

private struct Wind: Record {
    var speed = 0.0, bearing: Double?
    static let schema = Schema<Wind> {
        Field(\.speed, .plausible(0...400))
        Field(\.bearing)
    }
}

private struct Station: Record {
    var id = 0, name = "", wind = Wind()
    static let schema = Schema<Station>(.absent(-999), .absent("")) {
        Field(\.id)
        Field(\.name)
        Field(\.wind)
    }
}

private struct Network: Record {
    var main: Station?, stations: [Station]?, first: Station?, title = "untitled", tags: [String] = ["none"]
    static let schema = Schema<Network> {
        Field(\.main, .required)
        Field(\.stations)
        Field(\.first)
        Field(\.title, .defaulted)
        Field(\.tags, .defaulted)
    }
}

@Suite("Required and optional fields")
struct RequirementTests {
    @Test(
        "Every required field that is missing or wrong is named with its path and reason",
        arguments: [
            (
                "{}",
                "id: missing, expected an integer; name: missing, expected a string; wind: missing, expected an object"
            ),
            (
                #"{"id":null,"name":null,"wind":null}"#,
                "id: null, expected an integer; name: null, expected a string; wind: null, expected an object"
            ),
            (#"{"id":"x","name":"a","wind":{"speed":1}}"#, "id: mistyped, expected an integer"),
            (
                #"{"id":1.5,"name":[],"wind":{"speed":1}}"#,
                "id: inexact, expected an integer; name: mistyped, expected a string"
            ),
            (
                #"{"id":-999,"name":"","wind":{"speed":1}}"#,
                "id: sentinel, expected an integer; name: sentinel, expected a string"
            ),
            (#"{"id":1,"name":"a","wind":[]}"#, "wind: mistyped, expected an object"),
            (#"{"id":1,"name":"a","wind":{}}"#, "wind.speed: missing, expected a number from 0 to 400"),
            (#"{"id":1,"name":"a","wind":{"speed":401}}"#, "wind.speed: implausible, expected a number from 0 to 400"),
            (
                #"{"name":"a","wind":{"speed":"fast"}}"#,
                "wind.speed: mistyped, expected a number from 0 to 400; id: missing, expected an integer"
            ),
            ("[]", "the document: mistyped, expected an object"),
            ("null", "the document: mistyped, expected an object"),
            ("\"a\"", "the document: mistyped, expected an object"),
        ])
    func failures(document: String, error: String) throws {
        #expect(try outcome(Station.self, document) == Outcome(error: error))
    }

    @Test(
        "A failure inside required records and arrays names the full path",
        arguments: [
            (#"{"main":{"id":1,"name":"a","wind":{}}}"#, "main.wind.speed: missing, expected a number from 0 to 400"),
            (#"{"stations":[]}"#, "main: missing, expected an object"),
            (#"{"main":null}"#, "main: null, expected an object"),
            (#"{"main":7}"#, "main: mistyped, expected an object"),
        ])
    func nestedFailures(document: String, error: String) throws {
        #expect(try outcome(Network.self, document) == Outcome(error: error))
    }

    private let main = #""main":{"id":1,"name":"a","wind":{"speed":2}}"#

    @Test("An optional record that fails is absent and reported once, without the repairs inside it")
    func failingOptionalRecord() throws {
        let read = try outcome(
            Network.self, "{\(main),\"first\":{\"id\":\"7\",\"name\":12,\"x\":1,\"wind\":{\"bearing\":\"3\"}}}")
        #expect(read.document == "{\(main),\"title\":\"untitled\",\"tags\":[\"none\"]}")
        #expect(read.drift == ["dropped first invalid 1 first.wind.speed"])
    }

    @Test("An optional array with an invalid element is absent and reported once")
    func failingOptionalArray() throws {
        let read = try outcome(
            Network.self, "{\(main),\"stations\":[{\"id\":\"1\",\"name\":\"a\",\"wind\":{\"speed\":2}},{}]}")
        #expect(read.document == "{\(main),\"title\":\"untitled\",\"tags\":[\"none\"]}")
        #expect(read.drift == ["dropped stations invalid 1 stations[1].id"])
    }

    @Test("Failures inside optional fields are not named in an error")
    func failuresInOptionalFields() throws {
        let read = try outcome(Network.self, #"{"first":{"id":1,"wind":{}},"stations":[{}],"title":[]}"#)
        #expect(read.error == "main: missing, expected an object")
    }

    @Test("A field with a default keeps it if there is no usable value")
    func defaults() throws {
        let rest = #","title":"untitled","tags":["none"]}"#
        #expect(try outcome(Network.self, "{\(main)}") == Outcome(document: "{\(main)\(rest)"))
        #expect(try outcome(Network.self, "{\(main),\"title\":null}") == Outcome(document: "{\(main)\(rest)"))
        let read = try outcome(Network.self, "{\(main),\"title\":[],\"tags\":{}}")
        #expect(
            read
                == Outcome(
                    document: "{\(main)\(rest)",
                    drift: ["dropped title mistyped 1 title", "dropped tags mistyped 1 tags"]))
    }

    @Test("Repairs in nested records are reported with their path")
    func nestedRepairs() throws {
        let read = try outcome(
            Network.self, #"{"main":{"id":"1","name":"a","wind":{"speed":"2","bearing":true,"gust":1}}}"#)
        #expect(
            read.drift == [
                "coerced main.id numericString 1 main.id", "coerced main.wind.speed numericString 1 main.wind.speed",
                "dropped main.wind.bearing mistyped 1 main.wind.bearing",
                "unexpectedKey main.wind.gust unknownKey 1 main.wind.gust",
            ])
    }

    private struct Many: Record {
        var items: [Station] = []
        static let schema = Schema<Many> { Field(\.items) }
    }

    private struct Wide: Record {
        var a = Station(), b = Station(), c = Station(), d = Station(), e = Station(), f = Station(), g = Station(),
            h = Station(), i = Station(), j = Station(), k = Station(), l = Station()
        static let schema = Schema<Wide> {
            Field(\.a)
            Field(\.b)
            Field(\.c)
            Field(\.d)
            Field(\.e)
            Field(\.f)
            Field(\.g)
            Field(\.h)
            Field(\.i)
            Field(\.j)
            Field(\.k)
            Field(\.l)
        }
    }

    @Test("A required array fails for its invalid elements, each named by its index")
    func requiredArray() throws {
        let good = #"{"id":1,"name":"a","wind":{"speed":2}}"#
        #expect(
            try outcome(Many.self, "{\"items\":[\(good),{\"id\":1,\"name\":\"a\",\"wind\":{\"speed\":-1}},7]}").error
                == "items[1].wind.speed: implausible, expected a number from 0 to 400; "
                + "items[2]: mistyped, expected an object"
        )
        #expect(
            try outcome(Many.self, "{\"items\":[\(good),\(good),null]}").error
                == "items[2]: mistyped, expected an object")
        #expect(try outcome(Many.self, #"{"items":{}}"#).error == "items: mistyped, expected an array")
    }

    @Test("An error names at most 32 failures")
    func boundedFailures() throws {
        let stations = "abcdefghijkl".map { "\"\($0)\":{\"id\":\"x\",\"name\":[]}" }.joined(separator: ",")
        let error = try #require(try outcome(Wide.self, "{\(stations)}").error)
        #expect(error.split(separator: ";").count == 32)
        #expect(error.hasPrefix("a.id: mistyped, expected an integer; a.name: mistyped, expected a string; a.wind: "))
    }
}
