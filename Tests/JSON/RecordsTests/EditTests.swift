import JSONText
import Records
import TestSupport
import Testing

@Suite("Edits of documents")
struct EditTests {
    @Test("Every pair of files gives the expected document and report", arguments: try cases())
    func goldenPairs(name: String) throws {
        let expected = (try text(name, "out"), try text(name, "drift"))
        let edit = try DocumentEdit(text(name, "edit"))
        #expect(try edited(text(name, "in"), edit) == expected)
        // A second document gets the same, although keys and names are known now.
        var transform = edit.makeTransform()
        var parser = JSONParser()
        for _ in 0..<2 {
            let bytes = try parser.withDocument(Array(try text(name, "in").utf8)) { transform.bytes(of: $0) }
            #expect(String(decoding: bytes, as: UTF8.self) == expected.0)
            #expect(DriftReport(transform).text == expected.1)
        }
    }

    @Test(
        "A fault names its place and what to write instead",
        arguments: [
            (
                #"{"remove":["a..b"]}"#,
                [".remove[0]: a step is empty; a path is a.b, a[*].b, [*].b, a.*.b or **.b"]
            ),
            (
                #"{"remove":["ok",""]}"#,
                [".remove[1]: the path is empty, but the document itself stays; name something in it"]
            ),
            (
                #"{"remove":["a[0]"],"keys":"keep"}"#,
                [".remove[0]: [*] stands for every element; an edit cannot choose one by its index"]
            ),
            (#"{"keep":["a[]"]}"#, [".keep[0]: [*] stands for every element; an edit cannot choose one by its index"]),
            (#"{"exempt":["a[]","[].b",""]}"#, []),
            (#"{"remove":["a[*]b"]}"#, [".remove[0]: a dot stands between steps, as in items[*].id"]),
            (
                #"{"remove":["a*.b","a]"]}"#,
                [0, 1].map {
                    ".remove[\($0)]: * and ** stand for whole steps; a name with * or a bracket is quoted: \"a*\".b"
                }
            ),
            (#"{"remove":["\"a"]}"#, [".remove[0]: a quoted name has no end"]),
            (
                #"{"remove":["\"a\\n\""]}"#,
                [".remove[0]: in a quoted name, only a quote and a backslash follow a backslash"]
            ),
            (
                #"{"keep":["a"],"remove":["b"]}"#,
                [".remove: keep already says what is left out; use only one of keep and remove"]
            ),
            (#"{"keep":[]}"#, [".keep: name at least one path, or leave it out to keep everything"]),
            (#"{"rename":{"features[*].x":""}}"#, [#".rename["features[*].x"]: the new name is empty"#]),
            (
                #"{"rename":{"a.*":"b","a.**":"b","a[*]":"b"}}"#,
                ["a.*", "a.**", "a[*]"].map {
                    ".rename[\"\($0)\"]: only a member with a name can be renamed, so the path ends in its name"
                }
            ),
            (#"{"rename":{"a.b":"c","a.\"b\"":"d"}}"#, [#".rename["a."b""]: another path renames the same members"#]),
        ])
    func faults(edit: String, expected: [String]) throws {
        var faults: [String] = []
        _ = try DocumentEdit(edit) { faults.append($0.description) }
        #expect(faults == expected)
        do {
            _ = try DocumentEdit(edit)
            #expect(expected == [])
        } catch let fault as EditFault {
            #expect(fault.description == expected.first)
        }
    }

    @Test("The number of paths and of their steps is limited")
    func limits() throws {
        let text = ": at most 256 paths are possible, of 2048 steps in all"
        for (paths, index) in [
            (Array(repeating: "**.a", count: 1000), 256), (Array(repeating: "a.b.c.d.e.f.g.h.i", count: 256), 204),
            ([Array(repeating: "a", count: 2048).joined(separator: ".")], 0),
        ] {
            let fault = #expect(throws: EditFault.self) { try DocumentEdit(remove: paths) }
            #expect(fault?.description == ".remove[\(index)]\(text)")
        }
        _ = try DocumentEdit(remove: Array(repeating: "a.b.c.d.e.f.g", count: 256))
    }

    @Test(
        "A selection of fields passes through arrays at every level",
        arguments: [
            (["a"], #"{"a":[{"b":1}],"c":2}"#, #"{"a":[{"b":1}]}"#, []),
            (
                ["a.b", "a.c.d"], #"{"a":[{"b":1,"x":0},[{"b":[2]}],{"c":[[{"d":3,"e":4}]]}]}"#,
                #"{"a":[{"b":1},[{"b":[2]}],{"c":[[{"d":3}]]}]}"#, []
            ),
            (["id"], #"[{"id":1,"x":2},[{"id":3}],null,4]"#, #"[{"id":1},[{"id":3}],null]"#, []),
            (["userName"], #"{"userName":1,"user_name":2}"#, #"{"userName":1}"#, []),
            (["a.b", "*"], #"{"a":1,"c":null}"#, "{}", ["a.b", "*"]),
        ])
    func selection(fields: [String], document: String, expected: String, missing: [String]) throws {
        let (text, report) = try edited(document, DocumentEdit.selecting(fields: fields))
        #expect(text == expected)
        #expect(try JSONValue(parsing: report).elements?.compactMap { $0["path"]?.stringValue } == missing)
    }

    @Test("A selection of empty or too many fields is refused")
    func wrongSelection() {
        for fields in [[""], ["a..b"], ["a."]] {
            let fault = #expect(throws: EditFault.self) { try DocumentEdit.selecting(fields: fields) }
            #expect(fault?.text == "a field is written as names with dots, such as hourly.data.time")
        }
        let long = Array(repeating: "a", count: 300).joined(separator: ".")
        #expect(throws: EditFault.self) { try DocumentEdit.selecting(fields: Array(repeating: long, count: 100)) }
    }

    @Test("Edits with many paths end in time, however large, deep or varied the document is")
    func hostileDocuments() throws {
        let few = try DocumentEdit(remove: ["**.a.*.*.*.b.c"], rename: [("**.*.z", "y")])
        let many = try DocumentEdit(keep: (0..<256).map { "**.*.*.*.*.b.c\($0)" })
        let deep = String(repeating: "{\"a\":[", count: 255) + String(repeating: "]}", count: 255)
        func documents(_ count: Int) -> [String] {
            [
                "[" + (0..<count).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]",
                "{" + (0..<count).map { "\"b\($0)\":{\"a\":1}" }.joined(separator: ",") + "}",
                "[" + Array(repeating: deep, count: count / 200).joined(separator: ",") + "]",
            ]
        }
        let start = ProcessorTime.ofThread
        for document in documents(200_000) { #expect(try edited(document, few).0 == document) }
        for document in documents(4000) { #expect(try edited(document, many).0.utf8.count <= document.utf8.count) }
        #expect(ProcessorTime.ofThread - start < .seconds(30))
    }

    @Test("Random edits of random documents agree with a direct reading of the rules")
    func agreesWithTheRules() throws {
        var random = SplitMix64(seed: 41)
        var parser = JSONParser()
        for round in 0..<2000 {
            let rules = EditRules(&random)
            var transform = try rules.edit().makeTransform()
            for _ in 0..<3 {
                let document = EditRules.value(&random, depth: 4).description
                let (expected, actual) = try parser.withDocument(Array(document.utf8)) { root in
                    (rules.outcome(JSONValue(root)), String(decoding: transform.bytes(of: root), as: UTF8.self))
                }
                let missing = transform.events.filter { $0.kind == .missing }.map(\.path)
                let collisions = transform.events.reduce(0) { $0 + ($1.kind == .collision ? $1.count : 0) }
                if actual != expected.text || missing != expected.missing || collisions != expected.collisions {
                    Issue.record(
                        "round \(round): \(rules) of \(document) gave \(actual) \(missing) \(collisions), not \(expected)"
                    )
                    return
                }
            }
        }
    }
}

/// Returns the names of the cases in `Tests/Fixtures/edits`.
private func cases() throws -> [String] {
    let ending = ".edit.json"
    return try Checkout.names(in: "Tests/Fixtures/edits").filter { $0.hasSuffix(ending) }.sorted()
        .map { String($0.dropLast(ending.count)) }
}

private func text(_ name: String, _ part: String) throws -> String {
    let text = try Checkout.text("Tests/Fixtures/edits/\(name).\(part).json")
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
}

/// Returns the edited document and the report.
private func edited(_ document: String, _ edit: DocumentEdit) throws -> (String, String) {
    var transform = edit.makeTransform()
    var parser = JSONParser()
    let bytes = try parser.withDocument(Array(document.utf8)) { transform.bytes(of: $0) }
    return (String(decoding: bytes, as: UTF8.self), DriftReport(transform).text)
}

extension DriftReport {
    fileprivate var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONValue {
    fileprivate init(parsing text: String) throws {
        var parser = JSONParser()
        self = try parser.withDocument(Array(text.utf8)) { JSONValue($0) }
    }

    fileprivate func strings(_ key: String) -> [String]? { self[key]?.elements?.compactMap(\.stringValue) }
}

extension DocumentEdit {
    /// The edit that a configuration would have.
    fileprivate init(_ text: String) throws {
        var first: EditFault?
        try self.init(text) { first = first ?? $0 }
        if let first { throw first }
    }

    fileprivate init(_ text: String, note: (EditFault) -> Void) throws {
        let json = try JSONValue(parsing: text)
        self.init(
            keys: json["keys"]?.stringValue.flatMap(JSONTransform.Keys.init) ?? .camel,
            exempt: json.strings("exempt") ?? [], keep: json.strings("keep"), remove: json.strings("remove") ?? [],
            rename: json["rename"]?.members?.map { ($0.key, $0.value.stringValue ?? "") } ?? [],
            nulls: json["nulls"]?.stringValue.flatMap(JSONTransform.Nulls.init) ?? .keep, note: note)
    }
}
