import JSONText
import Records
import Testing

private enum Direction: String, FieldValue { case north, south }
private enum Level: Int, FieldValue { case low, high }

private struct Place: Record {
    var name = "", height: Double?
    static let schema = Schema<Place> {
        Field(\.name, .note("The name."))
        Field(\.height)
    }
}

private struct Limits: Record {
    var weights: [String: Int]?, list: [Int]?, places: [String: Place] = [:]
    static let schema = Schema<Limits>(.exact) {
        Field(\.weights, .plausible(0...10))
        Field(\.list, .plausible(0...10))
        Field(\.places, .defaulted)
    }
}

private struct Model: Record {
    var counts: [Int: Double]?, notes: [String: [String]]?, direction: Direction?, level = Level.low
    var levels: [Level]?, limited: [String: Int]?
    static let schema = Schema<Model> {
        Field(\.counts, .absent(-999))
        Field(\.notes, .dropInvalid)
        Field(\.direction)
        Field(\.level, .defaulted)
        Field(\.levels, .dropInvalid)
        Field(\.limited, .atMost(2), .dropInvalid)
    }
}

@Suite("Dictionaries and enumerations as fields")
struct FieldMapTests {
    @Test(
        "Dictionaries keep the members that can be read, and are written in the order of their keys",
        arguments: [
            (
                #"{"counts":{"10":1,"2":2.5,"-1":"3"}}"#, #"{"counts":{"-1":3,"2":2.5,"10":1},"level":0}"#,
                ["coerced counts.* numericString 1 counts.*"]
            ),
            (
                #"{"counts":{"1":1,"2":-999}}"#, #"{"counts":{"1":1},"level":0}"#,
                ["defaulted counts.* sentinel 1 counts.*"]
            ),
            (#"{"counts":{"1":1,"x":2}}"#, #"{"level":0}"#, ["dropped counts invalid 1 counts.*"]),
            (#"{"counts":{"01":1}}"#, #"{"level":0}"#, ["dropped counts invalid 1 counts.*"]),
            (#"{"counts":{"1":[]}}"#, #"{"level":0}"#, ["dropped counts invalid 1 counts.*"]),
            (#"{"counts":[]}"#, #"{"level":0}"#, ["dropped counts mistyped 1 counts"]),
            (
                #"{"counts":{"1":1,"1":2}}"#, #"{"counts":{"1":2},"level":0}"#,
                ["duplicateKey counts.* duplicate 1 counts.*"]
            ),
            (
                #"{"notes":{"b":["x"],"a":7,"c":["y",{}]}}"#, #"{"notes":{"b":["x"],"c":["y"]},"level":0}"#,
                ["dropped notes.* mistyped 1 notes.*", "dropped notes.*[] mistyped 1 notes.*[1]"]
            ),
            (
                #"{"limited":{"a":1,"b":2,"c":3,"d":4}}"#, #"{"level":0,"limited":{"a":1,"b":2}}"#,
                ["dropped limited.* tooMany 2 limited.*"]
            ),
        ])
    func maps(document: String, becomes: String, drift: [String]) throws {
        #expect(try outcome(Model.self, document) == Outcome(document: becomes, drift: drift))
    }

    @Test(
        "Enumerations take the values that they list",
        arguments: [
            (
                #"{"direction":"north","level":1,"levels":[0,1]}"#, #"{"direction":"north","level":1,"levels":[0,1]}"#,
                [String]()
            ),
            (#"{"direction":"west"}"#, #"{"level":0}"#, ["dropped direction unknownValue 1 direction"]),
            (#"{"level":"1"}"#, #"{"level":1}"#, ["coerced level numericString 1 level"]),
            (#"{"level":7}"#, #"{"level":0}"#, ["dropped level unknownValue 1 level"]),
            (#"{"levels":[0,9]}"#, #"{"level":0,"levels":[0]}"#, ["dropped levels[] unknownValue 1 levels[1]"]),
        ])
    func enumerations(document: String, becomes: String, drift: [String]) throws {
        #expect(try outcome(Model.self, document) == Outcome(document: becomes, drift: drift))
    }

    @Test("A required enumeration is an error that names the type")
    func required() throws {
        struct Wind: Record {
            var direction = Direction.north
            static let schema = Schema<Wind> { Field(\.direction) }
        }
        #expect(
            try outcome(Wind.self, #"{"direction":"west"}"#)
                == Outcome(error: "direction: unknownValue, expected a value of Direction"))
    }

    @Test("Members of a dictionary can be selected, and its schema has the schema of the values")
    func selection() throws {
        var style = WritingStyle(), writer = JSONWriter(), components = SchemaComponents()
        style.selection = try FieldSelection(of: Model.self, paths: ["counts.2"])
        var model = Model()
        model.counts = [1: 1, 2: 2]
        model.write(to: &writer, style: style)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"counts":{"2":2}}"#)
        components.add(Model.self)
        #expect(components.value["Model"]?["properties"]?["counts"]?["additionalProperties"] == ["type": "number"])
    }

    @Test(
        "Strict reading names the member, and the range of a field is that of each value",
        arguments: [
            (#"{"weights":{"a":0,"b":10,"c":null},"list":[10],"places":{"x":{"name":"X"},"y":null}}"#, []),
            (
                #"{"weights":{"a":11,"b":"1","c":1.5}}"#,
                [
                    "weights.a: implausible, expected an integer from 0 to 10",
                    "weights.b: mistyped, expected an integer from 0 to 10",
                    "weights.c: inexact, expected an integer from 0 to 10",
                ]
            ),
            (#"{"weights":{"a":1,"a":2}}"#, ["weights.a: duplicate, expected it once"]),
            (#"{"weights":[]}"#, ["weights: mistyped, expected an object"]),
            (#"{"list":[11]}"#, ["list[0]: implausible, expected an integer from 0 to 10"]),
            (#"{"list":1}"#, ["list: mistyped, expected an array"]),
            (#"{"places":{"x":{"name":"X","hight":1}}}"#, ["places.x.hight: unknownKey, expected \"height\""]),
        ] as [(String, [String])])
    func strict(document: String, failures: [String]) throws {
        #expect(try strictFailures(Limits.self, document) == failures)
    }

    @Test("The schema of a dictionary has the range of its values")
    func range() {
        var components = SchemaComponents(), settings = SchemaComponents(allowsNull: true)
        components.add(Limits.self)
        settings.add(Limits.self)
        let limited: JSONValue = ["type": "integer", "minimum": 0, "maximum": 10]
        let properties = components.value["Limits"]?["properties"]
        #expect(properties?["weights"] == ["type": "object", "additionalProperties": limited])
        #expect(properties?["list"] == ["type": "array", "items": limited])
        let either: JSONValue = ["anyOf": [limited, ["type": "null"]]]
        let map: JSONValue = ["type": "object", "additionalProperties": either]
        #expect(settings.value["Limits"]?["properties"]?["weights"] == ["anyOf": [map, ["type": "null"]]])
    }

    @Test("The description of a field says what the values of a dictionary are")
    func description() throws {
        let fields = Limits.schema.descriptions
        #expect(fields.map(\.isMap) == [true, false, true])
        #expect(fields.map(\.isList) == [false, true, false])
        #expect(fields.map(\.expectation) == ["an object", "an array", "an object"])
        let number = "an integer from 0 to 10"
        #expect(fields.map(\.elementExpectation) == [number, number, "an object"])
        #expect(fields[2].members.map(\.name) == ["name", "height"])
    }

    @Test("Fields of the records in a dictionary can be selected")
    func innerSelection() throws {
        var style = WritingStyle(), writer = JSONWriter(), limits = Limits()
        style.selection = try FieldSelection(of: Limits.self, paths: ["places.a.height", "places.b"])
        limits.places = ["a": Place(name: "A", height: 1), "b": Place(name: "B"), "c": Place(name: "C")]
        limits.write(to: &writer, style: style)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"places":{"a":{"height":1},"b":{"name":"B"}}}"#)
        for path in ["places.a.hight", "weights.a.b"] {
            #expect(throws: FieldSelection.UnknownFields.self) { try FieldSelection(of: Limits.self, paths: [path]) }
        }
    }
}
