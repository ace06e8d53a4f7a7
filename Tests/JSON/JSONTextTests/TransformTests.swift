import JSONText
import TestSupport
import Testing

@Suite("The untyped transform")
struct TransformTests {
    @Test(
        "Keys become camelCase at every depth, nulls are removed, and all other values keep their text",
        arguments: [
            (#"{"wind_speed":1.50}"#, #"{"windSpeed":1.50}"#), (" [ 1 , 2 ] ", "[1,2]"), ("null", "null"), ("7", "7"),
            (#"{"a-b":{"c_d":[{"E_F":{}}]}}"#, #"{"aB":{"cD":[{"eF":{}}]}}"#), (#""a\/\u0041b""#, #""a\/\u0041b""#),
            (#"{"a":null,"b":[null,{"c":null}],"d":null}"#, #"{"b":[null,{}]}"#), ("{ }", "{}"), ("[ ]", "[]"),
            (
                #"{"n":[1E+2,-0.0,10.0,123456789012345678901234567890,0.10]}"#,
                #"{"n":[1E+2,-0.0,10.0,123456789012345678901234567890,0.10]}"#
            ),
            (#"{"z":1,"a":true,"M":false}"#, #"{"z":1,"a":true,"m":false}"#), (#"{"":1,"-":2}"#, #"{"":1,"-":2}"#),
            (#"{"größe_m":1,"_id":2,"+1":3}"#, #"{"größe_m":1,"_id":2,"1":3}"#),
            (#"{"a\u005fb":1,"c\"_d":2}"#, #"{"aB":1,"cD":2}"#),
            (
                #"["\ud83d\ude00","\ud83d","x\udc00\ud800y"]"#,
                #"["\ud83d\ude00","\ufffd","x\ufffd\ufffdy"]"#
            ), (#"{"a":"","b":","}"#, #"{"a":"","b":","}"#),
            (#"[[],[[]],{"a":{}},","]"#, #"[[],[[]],{"a":{}},","]"#),
        ])
    func camel(document: String, expected: String) throws { #expect(try transformed(document) == expected) }

    @Test(
        "With keys and nulls kept, only white space changes",
        arguments: [
            #"{"wind_speed":null,"a\u0062":[null,{"c_d":null}]}"#, #"{"a_b":1,"aB":2,"+1":3,"-1":4}"#,
            #"["\ud83d\ude00 é \n",1.0e5,-0]"#, #"{"":{"":[]}}"#,
        ])
    func kept(document: String) throws {
        #expect(try transformed(document, keys: .keep, nulls: .keep) == document)
        let spaced = document.replacing(",", with: " ,\n\t").replacing(":", with: " :  ")
        #expect(try transformed(spaced, keys: .keep, nulls: .keep) == document)
    }

    @Test(
        "Two keys that would become equal are never merged, in any order",
        arguments: [
            (#"{"+1":1,"-1":2}"#, #"{"1":1,"-1":2}"#, ["collision -1"]),
            (#"{"@type":1,"type":2}"#, #"{"@type":1,"type":2}"#, ["collision @type"]),
            (#"{"type":1,"@type":2}"#, #"{"type":1,"@type":2}"#, ["collision @type"]),
            (
                #"{"a_b":1,"a-b":2,"aB":3,"A_B":4}"#, #"{"a_b":1,"a-b":2,"aB":3,"A_B":4}"#,
                ["collision a_b", "collision a-b", "collision A_B"]
            ),
            (
                #"{"x_y":[{"+1":1,"-1":{"a":0}},{"+1":1,"-1":{"a":0}}]}"#,
                #"{"xY":[{"1":1,"-1":{"a":0}},{"1":1,"-1":{"a":0}}]}"#, ["collision xY[].-1 2"]
            ),
            (#"{"a_b":null,"a-b":1}"#, #"{"aB":1}"#, []), (#"{"a_b":1,"aB":null}"#, #"{"aB":1}"#, []),
            (#"{"a_b":1,"aB":null,"a-b":2}"#, #"{"aB":1,"a-b":2}"#, ["collision a-b"]),
        ])
    func collisions(document: String, expected: String, events: [String]) throws {
        let (text, seen) = try transformedWithEvents(document)
        #expect(text == expected)
        #expect(seen == events)
    }

    @Test(
        "Of members with equal keys the last value is kept, at the position of the first",
        arguments: [
            (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#, ["duplicate a"]),
            (
                #"{"a":{"b":1},"\u0061":[2],"a":{"c_d":{"e":1,"e":2}}}"#, #"{"a":{"cD":{"e":2}}}"#,
                ["duplicate a 2", "duplicate a.cD.e"]
            ),
            (#"{"a":1,"a":null}"#, "{}", ["duplicate a"]),
            (
                #"[{"a_b":1,"a_b":2},[{"a_b":1,"a_b":2}]]"#, #"[{"aB":2},[{"aB":2}]]"#,
                ["duplicate [].aB", "duplicate [][].aB"]
            ),
            (#"{"a_b":1,"aB":2,"a_b":3}"#, #"{"a_b":3,"aB":2}"#, ["duplicate a_b", "collision a_b"]),
        ])
    func duplicates(document: String, expected: String, events: [String]) throws {
        let (text, seen) = try transformedWithEvents(document)
        #expect(text == expected)
        #expect(seen == events)
    }

    @Test(
        "The keys of an exempt map are unchanged, and the keys below its values are converted",
        arguments: [
            (
                ["flags.sourceTimes"], #"{"flags":{"source_times":{"hrrr_0-18":"x","b-c":{"d_e":1}}}}"#,
                #"{"flags":{"sourceTimes":{"hrrr_0-18":"x","b-c":{"dE":1}}}}"#
            ),
            (["flags.source_times"], #"{"flags":{"source_times":{"a_b":1}}}"#, #"{"flags":{"sourceTimes":{"a_b":1}}}"#),
            (
                ["items[].labels"],
                #"{"items":[{"labels":{"a_b":1}},{"labels":{"c-d":2},"x_y":{"labels":{"e_f":3}}}]}"#,
                #"{"items":[{"labels":{"a_b":1}},{"labels":{"c-d":2},"xY":{"labels":{"eF":3}}}]}"#
            ),
            ([""], #"{"a_b":{"c_d":1}}"#, #"{"a_b":{"cD":1}}"#),
            (
                ["[]"], #"[{"a_b":1},{"c_d":[]}]"#,
                #"[{"a_b":1},{"c_d":[]}]"#
            ),
            (["a[][].b"], #"{"a":[[{"b":{"c_d":1}}]]}"#, #"{"a":[[{"b":{"c_d":1}}]]}"#),
            (["a", "a.b_c"], #"{"a":{"b_c":{"d_e":{"f_g":1}}}}"#, #"{"a":{"b_c":{"d_e":{"fG":1}}}}"#),
            (["a"], #"{"a":[{"b_c":1}],"x":{"a":{"b_c":1}}}"#, #"{"a":[{"bC":1}],"x":{"a":{"bC":1}}}"#),
            (["a"], #"{"a":{"+1":1,"-1":2}}"#, #"{"a":{"+1":1,"-1":2}}"#),
        ])
    func exempt(paths: [String], document: String, expected: String) throws {
        #expect(try transformed(document, exempt: paths) == expected)
    }

    @Test("A transform gives the same result for every document, however many keys it has seen before")
    func reuse() throws {
        var transform = JSONTransform()
        var parser = JSONParser()
        for round in 0..<300 {
            let keys = (0..<40).map { "key_\(round * 7 + $0)_x" }
            let members = keys.map { "\"\($0)\":{\"\($0)\":\(round)}" }.joined(separator: ",")
            let expected = keys.map { "\"\(CamelCase.convert($0))\":{\"\(CamelCase.convert($0))\":\(round)}" }
            let bytes = try parser.withDocument(Array("{\(members)}".utf8)) { transform.bytes(of: $0) }
            #expect(String(decoding: bytes, as: UTF8.self) == "{\(expected.joined(separator: ","))}")
            #expect(transform.events == [])
        }
    }

    @Test("A number that would be written as null is removed with the nulls and takes no name")
    func notANumber() throws {
        let document = Array(#"{"a_b":NaN,"aB":-Infinity,"a-b":1.5,"c":[NaN]}"#.utf8)
        #expect(try transformed(document, JSONOptions(leniency: .notANumber)) == #"{"aB":1.5,"c":[null]}"#)
    }

    @Test("Random objects with few and many similar keys match a direct implementation of the rules")
    func agreesWithTheRules() throws {
        var random = SplitMix64(seed: 6)
        var transform = JSONTransform()
        var parser = JSONParser()
        for _ in 0..<3000 {
            let document = Self.object(&random, depth: 3)
            let (expected, actual) = try parser.withDocument(Array(document.utf8)) { root in
                (Self.rewritten(root), String(decoding: transform.bytes(of: root), as: UTF8.self))
            }
            if actual != expected { Issue.record("\(document) gave \(actual), not \(expected)") }
        }
    }

    @Test("Events at a long path are counted under the beginning of the path")
    func deepEvents() throws {
        let inner = "[{\"a\":1,\"a\":2},{\"b\":[{\"a\":1,\"a\":2}]}]"
        let document = (0..<400).reduce(inner) { value, _ in "{\"some_key\":\(value)}" }
        let (_, events) = try transformedWithEvents(document)
        let path = Array(repeating: "someKey", count: 32).joined(separator: ".") + ".someKey…"
        #expect(events == ["duplicate \(path) 2"])
        let shallow = try transformedWithEvents("{\"x\":[{\"y\":\(inner)},{\"z\":\(inner)}]}").1
        #expect(
            shallow == [
                "duplicate x[].y[].a", "duplicate x[].y[].b[].a", "duplicate x[].z[].a", "duplicate x[].z[].b[].a",
            ])
    }

    @Test("The list of events is bounded and contains no values")
    func boundedEvents() throws {
        let members = (0..<500).map { "\"k\($0)\":\"secret\",\"k\($0)\":\"secret\"" }.joined(separator: ",")
        var transform = JSONTransform()
        var parser = JSONParser()
        _ = try parser.withDocument(Array("{\(members)}".utf8)) { transform.bytes(of: $0) }
        #expect(transform.events.count == JSONTransform.maximumEvents)
        #expect(transform.unlistedEvents == 400)
        #expect(!transform.events.contains { $0.path.contains("secret") })
    }

    /// Returns an object of up to 12 members whose keys are likely to collide.
    private static func object(_ random: inout SplitMix64, depth: Int) -> String {
        let keys = [
            "a_b", "a-b", "aB", "A_B", "ab", "+1", "-1", "1", "\\u0061_b", "x", "_x", "very_long_key_of_20_bytes",
        ]
        let members = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            let key = keys.randomElement(using: &random) ?? ""
            let value: String =
                switch Int.random(in: 0...5, using: &random) {
                case 0 where depth > 0: object(&random, depth: depth - 1)
                case 1 where depth > 0: "[\(object(&random, depth: depth - 1)),null]"
                case 2: "null"
                default: "\(Int.random(in: 0...99, using: &random))"
                }
            return "\"\(key)\":\(value)"
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// Returns the transformed document, from a comparison of every pair of keys.
    private static func rewritten(_ node: JSONNode) -> String {
        guard node.kind == .object else {
            if node.kind == .array { return "[\(node.elements.map(rewritten).joined(separator: ","))]" }
            return String(decoding: node.text, as: UTF8.self)
        }
        var members: [(key: String, text: String, value: JSONNode)] = []
        for (node, value) in node.members {
            let key = node.string ?? ""
            if let index = members.firstIndex(where: { $0.key == key }) {
                members[index].value = value
            } else {
                members.append((key, String(decoding: node.text, as: UTF8.self), value))
            }
        }
        // A removed member takes no name.
        members.removeAll { $0.value.isNull }
        var names = members.map(\.key).filter { CamelCase.convert($0) == $0 }
        return "{"
            + members.map { key, text, value in
                var name = CamelCase.convert(key)
                if name != key {
                    if names.contains(name) { name = text } else { names.append(name) }
                }
                return "\"\(name)\":\(rewritten(value))"
            }.joined(separator: ",") + "}"
    }
}

/// Returns the transformed document.
func transformed(
    _ document: [UInt8], _ options: JSONOptions = JSONOptions(), keys: JSONTransform.Keys = .camel,
    nulls: JSONTransform.Nulls = .drop, exempt: [String] = []
) throws -> String {
    var transform = JSONTransform(keys: keys, nulls: nulls, exempt: exempt)
    var parser = JSONParser(options: options)
    return String(decoding: try parser.withDocument(document) { transform.bytes(of: $0) }, as: UTF8.self)
}

func transformed(
    _ document: String, keys: JSONTransform.Keys = .camel, nulls: JSONTransform.Nulls = .drop, exempt: [String] = []
) throws -> String { try transformed(Array(document.utf8), keys: keys, nulls: nulls, exempt: exempt) }

/// Returns the transformed document and its events as `kind path count`, without a count of 1.
func transformedWithEvents(_ document: String) throws -> (String, [String]) {
    var transform = JSONTransform()
    var parser = JSONParser()
    let bytes = try parser.withDocument(Array(document.utf8)) { transform.bytes(of: $0) }
    let events = transform.events.map { "\($0.kind.rawValue) \($0.path)" + ($0.count > 1 ? " \($0.count)" : "") }
    return (String(decoding: bytes, as: UTF8.self), events)
}
