import JSONText
import Records
import Testing

private struct Place: Record {
    var id = 0, city: String?, country = "none", height: Double?, zone: Bool?, tags: [String]?, name: String?
    static let schema = Schema<Place> {
        Field(\.id)
        Field("location.city", \.city, .or("town"))
        Field("location.country", \.country, .defaulted)
        Field("location.at.height", \.height, .plausible(0...9000), .absent(-999))
        Field(\.name)
        Field("location.at.zone", \.zone)
        Field("meta.tags", \.tags, .dropInvalid)
        Ignored("source", in: "location.at")
        Ignored("version", in: "meta")
    }
}

private struct Strict: Record {
    var city = "", country: String?
    static let schema = Schema<Strict> {
        Field("location.city", \.city)
        Field("location.country", \.country)
    }
}

@Suite("Fields with a path")
struct PathFieldTests {
    @Test(
        "Fields are read from inner objects and written to them, which are left out if they are empty",
        arguments: [
            (
                #"{"id":1,"location":{"city":"A","country":"B","at":{"height":5,"zone":true}},"meta":{"tags":["x"]},"name":"n"}"#,
                #"{"id":1,"location":{"city":"A","country":"B","at":{"height":5,"zone":true}},"name":"n","meta":{"tags":["x"]}}"#,
                [String]()
            ),
            (#"{"id":1}"#, #"{"id":1,"location":{"country":"none"}}"#, []),
            (#"{"id":1,"location":null,"meta":{}}"#, #"{"id":1,"location":{"country":"none"}}"#, []),
            (
                #"{"id":1,"location":{"at":{"source":{"a":1}}},"meta":{"version":2,"source":3}}"#,
                #"{"id":1,"location":{"country":"none"}}"#, ["unexpectedKey meta.source unknownKey 1 meta.source"]
            ),
            (
                #"{"id":1,"location":{"town":"A","extra":1,"at":{"height":"7"}}}"#,
                #"{"id":1,"location":{"city":"A","country":"none","at":{"height":7}}}"#,
                [
                    "unexpectedKey location.extra unknownKey 1 location.extra",
                    "coerced location.at.height numericString 1 location.at.height",
                ]
            ),
            (
                #"{"id":1,"location":{"at":{"height":-999,"zone":[]}},"meta":{"tags":["x",[],{}]}}"#,
                #"{"id":1,"location":{"country":"none"},"meta":{"tags":["x"]}}"#,
                [
                    "defaulted location.at.height sentinel 1 location.at.height",
                    "dropped location.at.zone mistyped 1 location.at.zone",
                    "dropped meta.tags[] mistyped 2 meta.tags[1]",
                ]
            ),
            (
                #"{"id":1,"location":"Berlin","meta":[]}"#, #"{"id":1,"location":{"country":"none"}}"#,
                ["dropped location mistyped 1 location", "dropped meta mistyped 1 meta"]
            ),
        ])
    func paths(document: String, becomes: String, drift: [String]) throws {
        #expect(try outcome(Place.self, document) == Outcome(document: becomes, drift: drift))
    }

    @Test(
        "A required field in an object is an error that names its path",
        arguments: [
            ("{}", "location: missing, expected an object"),
            (#"{"location":{}}"#, "location.city: missing, expected a string"),
            (#"{"location":{"city":[]}}"#, "location.city: mistyped, expected a string"),
            (#"{"location":5}"#, "location: mistyped, expected an object"),
        ])
    func required(document: String, error: String) throws {
        #expect(try outcome(Strict.self, document) == Outcome(error: error))
    }

    @Test("Paths select fields in inner objects")
    func selection() throws {
        var parser = JSONParser()
        let text = #"{"id":1,"location":{"city":"A","at":{"height":5,"zone":true}},"name":"n"}"#
        let place = try parser.withDocument(Array(text.utf8)) { try Place.read($0).record }
        for (paths, expected) in [
            (["location.city"], #"{"location":{"city":"A"}}"#),
            (["id", "location.at.zone"], #"{"id":1,"location":{"at":{"zone":true}}}"#),
            (["location.at"], #"{"location":{"at":{"height":5,"zone":true}}}"#),
        ] {
            var style = WritingStyle(), writer = JSONWriter()
            style.selection = try FieldSelection(of: Place.self, paths: paths)
            place.write(to: &writer, style: style)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
        }
        #expect(throws: FieldSelection.UnknownFields.self) {
            try FieldSelection(of: Place.self, paths: ["location.street"])
        }
    }

    @Test("The schema has the inner objects, and strict reading knows their keys")
    func schema() throws {
        var components = SchemaComponents()
        components.add(Place.self)
        let place = try #require(components.value["Place"])
        #expect(place["properties"]?["location"]?["properties"]?["city"]?["type"] == "string")
        #expect(place["properties"]?["location"]?["properties"]?["country"]?["default"] == "none")
        #expect(place["properties"]?["location"]?["properties"]?["at"]?["properties"]?["height"]?["maximum"] == 9000)
        #expect(Place.schema.keys == ["id", "location", "name", "meta"])
        #expect(
            try strictFailures(Place.self, #"{"id":1,"location":{"citi":"A"}}"#)
                == [#"location.citi: unknownKey, expected "city""#])
    }
}
