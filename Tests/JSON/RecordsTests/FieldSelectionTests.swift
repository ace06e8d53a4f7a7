import JSONText
import Records
import Testing

private struct Weather: Record {
    struct Point: Record {
        var time = UnixSeconds(0), warmth: Double?, wind: Wind?
        static let schema = Schema<Point> {
            Field(\.time)
            Field(\.warmth, .dimension(.temperature))
            Field(\.wind)
        }
    }
    struct Wind: Record {
        var speed: Double?, bearing: Int?
        static let schema = Schema<Wind> {
            Field(\.speed)
            Field(\.bearing)
        }
    }
    struct Block: Record {
        var summary: String?, data: [Point]?
        static let schema = Schema<Block> {
            Field(\.summary)
            Field(\.data, .dropInvalid)
        }
    }
    struct Flags: Record {
        var units: String?, nearestStation: Double?, sourceTimes: JSONValue?, others = JSONValue.object([])
        static let schema = Schema<Flags> {
            Field(\.units)
            Field(\.nearestStation, .or("nearest-station"))
            Field(\.sourceTimes)
            OtherFields(\.others)
        }
    }

    var place = "", tags: [String]?, now: Point?, hourly: Block?, flags: Flags?, parts: [Weather]?
    static let schema = Schema<Weather> {
        Field(\.place)
        Field(\.tags)
        Field(\.now)
        Field(\.hourly, .or("by_hour"))
        Field(\.flags)
        Field(\.parts)
    }
}

private let complete =
    #"{"place":"p","tags":["a","b"],"now":{"time":1,"warmth":2,"wind":{"speed":3,"bearing":4}},"#
    + #""hourly":{"summary":"s","data":[{"time":5,"warmth":6},{"time":7}]},"#
    + #""flags":{"units":"si","nearestStation":8,"sourceTimes":{"a_1":{"x":1,"y":[{"x":2,"z":3},[4]]},"b":2},"#
    + #""isdStations":["c"],"more":9}}"#

/// Returns the document without the fields outside `selection`.
private func written(_ selection: FieldSelection?, _ document: String = complete) throws -> String {
    var parser = JSONParser()
    return try parser.withDocument(Array(document.utf8)) { root in
        var style = WritingStyle()
        style.selection = selection
        var writer = JSONWriter()
        try Weather.read(root).record.write(to: &writer, style: style)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

private func select(_ paths: String...) throws -> FieldSelection {
    try FieldSelection(of: Weather.self, paths: paths)
}

@Suite("Field selection")
struct FieldSelectionTests {
    @Test(
        "A path selects through optional fields and arrays; output keeps the order of the table",
        arguments: [
            ("place", #"{"place":"p"}"#), ("now.warmth", #"{"now":{"warmth":2}}"#),
            ("now.wind", #"{"now":{"wind":{"speed":3,"bearing":4}}}"#),
            ("now.wind.bearing", #"{"now":{"wind":{"bearing":4}}}"#), ("tags", #"{"tags":["a","b"]}"#),
            ("hourly.data", #"{"hourly":{"data":[{"time":5,"warmth":6},{"time":7}]}}"#),
            ("hourly.data.warmth", #"{"hourly":{"data":[{"warmth":6},{}]}}"#),
            ("hourly.data.wind.speed", #"{"hourly":{"data":[{},{}]}}"#),
            ("by_hour.summary", #"{"hourly":{"summary":"s"}}"#), ("parts.parts.hourly", "{}"),
            ("flags.isdStations", #"{"flags":{"isdStations":["c"]}}"#),
            ("flags.isd-stations", #"{"flags":{"isdStations":["c"]}}"#), ("flags.none", #"{"flags":{}}"#),
            ("flags.nearest-station", #"{"flags":{"nearestStation":8}}"#),
            ("flags.sourceTimes.b", #"{"flags":{"sourceTimes":{"b":2}}}"#),
            ("flags.sourceTimes.a_1.y.x", #"{"flags":{"sourceTimes":{"a_1":{"y":[{"x":2},[4]]}}}}"#),
            ("flags.sourceTimes.a1", #"{"flags":{"sourceTimes":{}}}"#),
        ])
    func onePath(path: String, expected: String) throws { #expect(try written(select(path)) == expected) }

    @Test("Overlapping paths select their union, in any order")
    func union() throws {
        let parts = #"{"now":{"time":1,"warmth":2},"hourly":{"data":[{"warmth":6},{}]}}"#
        #expect(try written(select("hourly.data.warmth", "now.warmth", "now.time", "now.warmth")) == parts)
        let block = #"{"hourly":{"summary":"s","data":[{"time":5,"warmth":6},{"time":7}]}}"#
        #expect(try written(select("hourly", "hourly.data.time")) == block)
        #expect(try written(select("hourly.data.time", "hourly")) == block)
        #expect(try written(select("hourly.data.time", "hourly.data", "hourly.summary")) == block)
        #expect(
            try written(select("flags.more", "flags.units", "flags.sourceTimes.b", "flags.sourceTimes.a_1.x"))
                == #"{"flags":{"units":"si","sourceTimes":{"a_1":{"x":1},"b":2},"more":9}}"#)
        #expect(try written(select()) == "{}")
    }

    @Test("Exclusions and intersections")
    func intersection() throws {
        let without = FieldSelection(of: Weather.self, without: ["now", "flags", "parts", "nothing"])
        #expect(
            try written(without)
                == #"{"place":"p","tags":["a","b"],"hourly":{"summary":"s","data":[{"time":5,"warmth":6},{"time":7}]}}"#
        )
        let selection = try select("now", "hourly.data.time", "place")
        let both = #"{"place":"p","hourly":{"data":[{"time":5},{"time":7}]}}"#
        #expect(try written(selection.intersection(without)) == both)
        #expect(try written(without.intersection(selection)) == both)
        #expect(
            try written(select("hourly.data", "flags").intersection(select("hourly.data.warmth", "flags.units")))
                == #"{"hourly":{"data":[{"warmth":6},{}]},"flags":{"units":"si"}}"#)
        #expect(try written(select("flags.more").intersection(select("flags.units"))) == #"{"flags":{}}"#)
        #expect(try written(nil) == complete)
    }

    @Test("Unit conversion and date form apply to selected fields")
    func style() throws {
        var parser = JSONParser()
        let text = try parser.withDocument(Array(complete.utf8)) { root in
            var style = WritingStyle(conversion: Conversion(from: .base, to: Units(number: 1), of: Units.Dimension.all))
            style.selection = try select("hourly.data", "now.warmth")
            style.dates = .iso8601
            var writer = JSONWriter()
            try Weather.read(root).record.write(to: &writer, style: style)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        #expect(
            text
                == #"{"now":{"warmth":35.6},"hourly":{"data":[{"time":"1970-01-01T00:00:05Z","warmth":42.8},"#
                + #"{"time":"1970-01-01T00:00:07Z"}]}}"#)
    }

    @Test(
        "An unknown path is reported with the nearest existing path",
        arguments: [
            ("plase", "place"), ("hourly.dat", "hourly.data"), ("hourly.data.warmht", "hourly.data.warmth"),
            ("Now.Warmth", "now.warmth"), ("now.wind.sped", "now.wind.speed"), ("noww.wind.sped", "now.wind.speed"),
            ("now.warmth.max", "now.warmth"), ("tags.a", "tags"), ("warmth", "now.warmth"),
            ("hourly.warmth", "hourly.data.warmth"), ("hourly.data.wind.speed.x", "hourly.data.wind.speed"),
            ("hourly.data.zzzzzz", "hourly.data"), ("flags.", "flags"), ("zzzzzz", nil), ("", nil), (".", nil),
            ("now..warmth", "now"), (" place", "place"), ("hourly.data[].warmth", "hourly.data.warmth"),
        ])
    func unknown(path: String, nearest: String?) throws {
        let error = try #require(throws: FieldSelection.UnknownFields.self) { try select("place", path) }
        #expect(error.fields.map(\.path) == [path])
        #expect(error.fields.map(\.nearest) == [nearest])
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        #expect("\(error)" == "there is no field \"\(path)\"\(hint)")
    }

    @Test("All unknown paths are reported, the first five with a suggestion")
    func severalUnknown() throws {
        let error = try #require(throws: FieldSelection.UnknownFields.self) { try select("plase", "place", "nou.time") }
        #expect(
            "\(error)"
                == #"there is no field "plase"; did you mean place?; there is no field "nou.time"; did you mean now.time?"#
        )
        let many = try #require(throws: FieldSelection.UnknownFields.self) {
            try FieldSelection(of: Weather.self, paths: Array(repeating: "plase", count: 100))
        }
        #expect(many.fields.count == 100)
        #expect(many.fields.compactMap(\.nearest).count == 5)
    }

    @Test("More than 100 paths, or a path of more than 200 bytes or 16 names, are refused")
    func bounds() throws {
        let text = "at most 100 fields can be named, each in at most 200 bytes and 16 names"
        let tooMany = Array(repeating: "place", count: 101)
        let tooLong = ["flags." + String(repeating: "a", count: 195)]
        let tooDeep = ["flags" + String(repeating: ".a", count: 16)]
        for paths in [tooMany, tooLong, tooDeep] {
            let error = try #require(throws: FieldSelection.UnknownFields.self) {
                try FieldSelection(of: Weather.self, paths: paths)
            }
            #expect("\(error)" == text)
        }
        _ = try FieldSelection(of: Weather.self, paths: Array(tooMany.dropLast()))
        _ = try FieldSelection(of: Weather.self, paths: ["flags" + String(repeating: ".a", count: 15)])
    }
}
