import JSONText
import Records
import Testing

@Suite("Maps whose keys are data")
struct OpenMapTests {
    struct Run: Record {
        var name: String?
        var times: OpenMap?
        init() {}
        static let schema = Schema<Run>(.absent(-999), .absent("")) {
            Field(\.name)
            Field(\.times, .or("source-times"))
        }
    }

    @Test(
        "Keys keep their spelling; sentinels and objects are dropped and counted",
        arguments: [
            (#"{"hrrr_0-18":"19Z","GFS Model":"12Z","":1}"#, #"{"hrrr_0-18":"19Z","GFS Model":"12Z","":1}"#, ""),
            ("{}", "{}", ""), (#"{"a":null}"#, "{}", ""),
            (
                #"{"a":1.50,"b":10.0,"c":[2e1],"d":true,"e":1234567890123456789}"#,
                #"{"a":1.5,"b":10,"c":[20],"d":true,"e":1234567890123456789}"#, ""
            ),
            (#"{"a":"","b":-999,"c":{"d":1}}"#, "{}", "dropped=1, defaulted=2"),
            (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#, "duplicateKey=1"),
            (#"{"a\u0062":1,"\ud83d\udca7":2}"#, #"{"ab":1,"💧":2}"#, ""),
        ])
    func members(map: String, expected: String, drift: String) throws {
        let (text, summary) = try Self.outcome(of: #"{"source-times":\#(map)}"#)
        #expect(text == #"{"times":\#(expected)}"#)
        #expect(summary == drift)
    }

    @Test("A value that is not an object is dropped", arguments: [#""19Z""#, "1", "true", #"["19Z"]"#])
    func mistyped(value: String) throws {
        let (text, summary) = try Self.outcome(of: #"{"times":\#(value),"name":"a"}"#)
        #expect(text == #"{"name":"a"}"#)
        #expect(summary == "dropped=1")
    }

    @Test("Members past 1,000 are dropped and counted")
    func bounded() throws {
        let members = (0..<1005).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(try Self.outcome(of: "{\"times\":{\(members)}}").drift == "dropped=5")
    }

    private static func outcome(of document: String) throws -> (text: String, drift: String) {
        var parser = JSONParser()
        return try parser.withDocument(Array(document.utf8)) { root in
            let (run, drift) = try Run.read(root)
            var writer = JSONWriter()
            run.write(to: &writer)
            return (String(decoding: writer.bytes, as: UTF8.self), drift.summary)
        }
    }
}
