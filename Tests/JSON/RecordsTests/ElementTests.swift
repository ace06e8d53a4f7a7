import Records
import Testing

private struct Point: Record {
    var time = 0, value: Double?, marks: [Int]?
    static let schema = Schema<Point>(.absent(-999)) {
        Field(\.time)
        Field(\.value)
        Field(\.marks, .dropInvalid)
    }
}

private struct Series: Record {
    var numbers: [Int]?, names: [String]?, points: [Point]?, strict: [Int]?, grid: [[Int]]?, few: [Int]?
    static let schema = Schema<Series>(.absent("")) {
        Field(\.numbers, .dropInvalid)
        Field(\.names, .dropInvalid)
        Field(\.points, .dropInvalid)
        Field(\.strict)
        Field(\.grid, .dropInvalid)
        Field(\.few, .atMost(2))
    }
}

@Suite("Invalid elements")
struct ElementTests {
    @Test(
        "Invalid elements are dropped and counted at any position, and the first index is the example",
        arguments: [
            ("[]", "[]", nil), ("[1,2]", "[1,2]", nil), ("[{},1,2]", "[1,2]", "1 numbers[0]"),
            ("[1,2,\"x\"]", "[1,2]", "1 numbers[2]"), ("[1,[],{},true,2]", "[1,2]", "3 numbers[1]"),
            ("[[],{},true]", "[]", "3 numbers[0]"), ("[1,null,2]", "[1,2]", "1 numbers[1]"),
        ] as [(String, String, String?)])
    func removed(arrives: String, becomes: String, counted: String?) throws {
        let read = try outcome(Series.self, "{\"numbers\":\(arrives)}")
        #expect(read.document == "{\"numbers\":\(becomes)}")
        #expect(read.drift == (counted.map { ["dropped numbers[] mistyped \($0)"] } ?? []))
    }

    @Test("Elements past the maximum length are dropped and counted")
    func tooMany() throws {
        let read = try outcome(Series.self, #"{"few":[1,2,3,4]}"#)
        #expect(read.document == #"{"few":[1,2]}"#)
        #expect(read.drift == ["dropped few[] tooMany 2 few[2]"])
        let many = String(repeating: "0,", count: 20_000) + "0"
        let byDefault = try outcome(Series.self, "{\"numbers\":[\(many)]}")
        #expect(byDefault.drift == ["dropped numbers[] tooMany 10001 numbers[10000]"])
    }

    @Test("Dropped elements are counted by reason")
    func reasons() throws {
        let read = try outcome(Series.self, #"{"numbers":[1.5,"x",1e30,"2"],"names":["a","",5,[]]}"#)
        #expect(read.document == #"{"numbers":[2],"names":["a","5"]}"#)
        #expect(
            read.drift == [
                "dropped numbers[] inexact 2 numbers[0]", "dropped numbers[] mistyped 1 numbers[1]",
                "coerced numbers[] numericString 1 numbers[3]", "dropped names[] sentinel 1 names[1]",
                "coerced names[] textOfNumber 1 names[2]", "dropped names[] mistyped 1 names[3]",
            ])
    }

    @Test("Repairs inside a dropped element are not reported")
    func repairsInDroppedElements() throws {
        let bad = #"{"value":"1","other":1,"marks":["x"],"time":"soon"}"#
        let good = #"{"value":"2","other":1,"marks":["x",1],"time":3}"#
        let read = try outcome(Series.self, "{\"points\":[\(bad),\(good),\(bad),\(bad)]}")
        #expect(read.document == #"{"points":[{"time":3,"value":2,"marks":[1]}]}"#)
        #expect(
            read.drift == [
                "dropped points[] invalid 3 points[0]", "coerced points[].value numericString 1 points[1].value",
                "unexpectedKey points[].other unknownKey 1 points[1].other",
                "dropped points[].marks[] mistyped 1 points[1].marks[0]",
            ])
    }

    @Test("Repairs inside kept elements are counted together")
    func countedTogether() throws {
        let points = (0..<50).map { "{\"time\":\($0),\"value\":\($0 % 3 == 2 ? "\"-999\"" : "1")}" }
        let read = try outcome(Series.self, "{\"points\":[\(points.joined(separator: ","))]}")
        #expect(read.drift == ["defaulted points[].value sentinel 16 points[2].value"])
    }

    @Test("An array without dropInvalid fails as a whole, and is absent if it is optional")
    func withoutDropInvalid() throws {
        let read = try outcome(Series.self, #"{"strict":[1,"2",{}],"numbers":[1]}"#)
        #expect(read == Outcome(document: #"{"numbers":[1]}"#, drift: ["dropped strict invalid 1 strict[2]"]))
    }

    @Test("In nested arrays only the innermost invalid element is dropped")
    func nestedArrays() throws {
        let read = try outcome(Series.self, #"{"grid":[[1,"x"],5,[],[[],2]]}"#)
        #expect(read.document == #"{"grid":[[1],[],[2]]}"#)
        #expect(
            read.drift == [
                "dropped grid[][] mistyped 2 grid[0][1]", "dropped grid[] mistyped 1 grid[1]",
            ])
    }

    @Test("A single value is not read as an array", arguments: ["{}", "1", "\"a\"", "{\"0\":1}"])
    func notArrays(value: String) throws {
        let read = try outcome(Series.self, "{\"numbers\":\(value)}")
        #expect(read == Outcome(document: "{}", drift: ["dropped numbers mistyped 1 numbers"]))
    }

    @Test("An array is read until as many elements were dropped as it may have, and the rest is counted")
    func manyInvalidElements() throws {
        let bad = #"{"value":"1","a":1,"b":2,"time":[]}"#
        let document = "{\"points\":[\(Array(repeating: bad, count: 20_000).joined(separator: ","))]}"
        #expect(
            try outcome(Series.self, document)
                == Outcome(
                    document: #"{"points":[]}"#,
                    drift: ["dropped points[] invalid 10000 points[0]", "dropped points[] tooMany 10000 points[10000]"])
        )
    }
}
