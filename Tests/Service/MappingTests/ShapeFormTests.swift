import JSONText
import Mapping
import Records
import Testing

@Suite("Forms of shaped answers")
struct ShapeFormTests {
    private static let shape = #"""
        {"required": ["id"], "properties": {
            "id": "id",
            "place": {"from": "place", "properties": {"lat": "lat", "lon": "lon"}},
            "days": {"from": "days", "items": {
                "required": ["date"], "properties": {"date": "d", "high": {"from": "h", "type": "number"}}}},
            "rates": {"from": "rates", "additionalProperties": {"properties": {"buy": "b", "sell": "s"}}},
            "raw": "raw"
        }}
        """#
    private static let document = #"""
        {"id": 7, "place": {"lat": 1, "lon": 2}, "days": [{"d": 1, "h": 9}, {"h": 8}, {"d": 3, "h": 7}],
        "rates": {"EUR": {"b": 1, "s": 2}, "USD": {"b": 3}}, "raw": {"a": {"b": [{"c": 1, "d": 2}, 3], "e": 0}, "f": 1}}
        """#

    private static let selections: [(fields: [String], answer: String)] = [
        (["id"], #"{"id":7}"#),
        (["place"], #"{"place":{"lat":1,"lon":2}}"#),
        (["place.lon", "id"], #"{"id":7,"place":{"lon":2}}"#),
        (["days.high"], #"{"days":[{"high":9},{"high":7}]}"#),
        (
            ["days.date", "days.high", "place.lat"],
            #"{"place":{"lat":1},"days":[{"date":1,"high":9},{"date":3,"high":7}]}"#
        ),
        (["rates.EUR"], #"{"rates":{"EUR":{"buy":1,"sell":2}}}"#),
        (["rates.EUR.sell", "rates.USD.buy"], #"{"rates":{"EUR":{"sell":2},"USD":{"buy":3}}}"#),
        (["rates.GBP"], #"{"rates":{}}"#),
        (["raw.f"], #"{"raw":{"f":1}}"#),
        (["raw.a.b.c", "raw.x.y"], #"{"raw":{"a":{"b":[{"c":1},3]}}}"#),
    ]

    @Test(
        "Fields are selected by the answer's names, through arrays, maps and values passed on",
        arguments: selections.indices)
    func selection(_ index: Int) throws {
        let (fields, answer) = Self.selections[index]
        let shape = try Shape.compiled(Self.shape)
        #expect(try shape.answer(Self.document, Shape.Form(fields: shape.selection(of: fields))) == answer)
    }

    private static let unknownPaths: [(path: String, nearest: String?)] = [
        ("idd", "id"), ("palce.lat", "place.lat"), ("days.hgh", "days.high"), ("days.high.x", "days.high"),
        ("lat", "place.lat"), ("high", "days.high"), ("rates.EUR.by", "rates"), ("raw..a", "raw"), ("", nil),
        ("zzzzzz", nil),
    ]

    @Test("A field that no answer has is named with the nearest one", arguments: unknownPaths.indices)
    func unknown(_ index: Int) throws {
        let (path, nearest) = Self.unknownPaths[index]
        let shape = try Shape.compiled(Self.shape)
        let error = try #require(throws: FieldSelection.UnknownFields.self) { try shape.selection(of: ["id", path]) }
        #expect(error.fields.map(\.path) == [path])
        #expect(error.fields.first?.nearest == nearest)
    }

    @Test("A selection at an array that is the root passes through it")
    func rootArray() throws {
        let shape = try Shape.compiled(#"{"items": {"properties": {"a": "a", "b": "b"}}}"#)
        let form = Shape.Form(fields: try shape.selection(of: ["b"]))
        #expect(try shape.answer(#"[{"a":1,"b":2},{"a":3}]"#, form) == #"[{"b":2},{}]"#)
    }

    @Test("The form of dates that a client asks for wins over that of the shape")
    func dates() throws {
        let shape = try Shape.compiled(
            #"""
            {"properties": {
                "a": {"from": "t", "format": "date-time"}, "b": {"from": "t", "format": "date-time", "writes": "unix"},
                "day": {"from": "t", "format": "date"}
            }}
            """#)
        let document = #"{"t": "1970-01-01T00:01:40Z"}"#
        let answers: [(form: DateForm?, answer: String)] = [
            (nil, #"{"a":"1970-01-01T00:01:40Z","b":100,"day":"1970-01-01"}"#),
            (.unix, #"{"a":100,"b":100,"day":"1970-01-01"}"#),
            (.iso8601, #"{"a":"1970-01-01T00:01:40Z","b":"1970-01-01T00:01:40Z","day":"1970-01-01"}"#),
        ]
        for (form, answer) in answers {
            #expect(try shape.answer(document, Shape.Form(dates: form)) == answer)
        }
        #expect(shape.hasDates)
        #expect(try !Shape.compiled(#"{"properties": {"a": {"from": "t", "format": "date"}}}"#).hasDates)
    }

    private static let schemas: [(shape: String, schema: String)] = [
        (#"{}"#, #"{}"#),
        (
            #"{"from": "t", "type": ["number", "null"], "unit": {"from": "K", "to": "degC"}, "minimum": -90}"#,
            #"{"type":["number","null"],"minimum":-90,"x-unit":"degC"}"#
        ),
        (
            #"{"from": "t", "format": "date-time", "nulls": "keep", "description": "D"}"#,
            #"{"type":["string","null"],"format":"date-time","description":"D"}"#
        ),
        (
            #"{"from": "x", "title": "T", "description": "D", "examples": [1], "properties": {"a": {"from": "a", "description": "A"}}}"#,
            #"{"type":"object","properties":{"a":{"description":"A"}},"title":"T","description":"D","examples":[1]}"#
        ),
        (
            #"{"let": {"x": "y"}, "required": ["a"], "properties": {"a": "a", "b": {"from": "b", "default": []}, "c": {"from": "c", "optional": true}}}"#,
            #"{"type":"object","properties":{"a":{},"b":{"default":[]},"c":{}},"required":["a","b"]}"#
        ),
        (
            #"{"items": {"from": "x", "nulls": "keep"}, "maxItems": 3, "uniqueItems": true, "nulls": "keep"}"#,
            #"{"type":["array","null"],"items":{},"maxItems":3,"uniqueItems":true}"#
        ),
        (
            #"{"items": {"properties": {"a": "a"}}, "maxItems": "(`3`)"}"#,
            #"{"type":"array","items":{"type":"object","properties":{"a":{}}}}"#
        ),
        (
            #"{"additionalProperties": {"type": "object"}}"#,
            #"{"type":"object","additionalProperties":{"type":"object"}}"#
        ),
        (
            #"{"properties": {"a": {"properties": {"b": {"from": "b", "default": 1}}}, "c": {"properties": {"d": "d"}}}}"#,
            #"{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"default":1}},"required":["b"]},"c":{"type":"object","properties":{"d":{}}}},"required":["a"]}"#
        ),
    ]

    @Test("The schema of answers has no word that says where values come from", arguments: schemas.indices)
    func schema(_ index: Int) throws {
        let (shape, schema) = Self.schemas[index]
        #expect("\(try Shape.compiled(shape).schema)" == schema)
    }

    @Test("Answers of which clients select fields require none")
    func schemaOfSelections() throws {
        let shape = try Shape.compiled(#"{"required": ["a"], "properties": {"a": "a"}}"#)
        #expect("\(shape.schemaOfSelections)" == #"{"type":"object","properties":{"a":{}}}"#)
    }
}
