import API
import ContractsSupport
import Glibc
import JSONText
import Mapping
import Records
import Testing

@Suite("Limits of shapes")
struct ShapeLimitTests {
    private static func repeated(_ text: String, _ count: Int) -> String {
        Array(repeating: text, count: count).joined(separator: ",")
    }

    /// Documents as deep and as large as an upstream may send, with so many elements.
    private static func hostile(_ count: Int) -> [(name: String, document: String)] {
        [
            ("nested arrays", String(repeating: "[", count: 512) + String(repeating: "]", count: 512)),
            ("nested objects", String(repeating: #"{"a":"#, count: 511) + "{}" + String(repeating: "}", count: 511)),
            ("empty elements", "[" + repeated("{}", count) + "]"),
            ("nulls", "[" + repeated("null", count) + "]"),
            ("elements", #"{"xs":[\#(repeated(#"{"id":1,"a":"x"}"#, count))],"data":{"a":[1]}}"#),
            ("keys", "{" + (0..<count).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"),
            ("equal keys", "{" + repeated(#""a":{"b":1}"#, count) + "}"),
            ("a long text", #"{"a":"\#(String(repeating: "\\u0041", count: count * 6))"}"#),
            ("a long number", #"{"a":1\#(String(repeating: "0", count: min(count * 40, 1_000_000)))}"#),
        ]
    }

    @Test("A hostile document gives an answer or an error in every case")
    func hostileDocuments() throws {
        for fixture in try ShapeFixture.all() {
            guard let shape = try? Shape.compiled(fixture.shape, parameters: ["id", "hours", "most"]) else { continue }
            for (name, document) in Self.hostile(1000) {
                let answer = Result { try shape.normalize(Array(document.utf8)) }
                let size = (try? answer.get().body.count) ?? 0
                #expect(size <= 100 * document.utf8.count, "\(fixture.name) of \(name)")
            }
        }
    }

    private static let shapes = [
        #"{"items": {"properties": {"a": "a", "b": {"from": "b", "properties": {"c": "c"}}}}}"#,
        #"{"from": {"id": "xs[*].id"}, "uniqueItems": true, "items": {"required": ["id"], "properties": {"id": "id"}}}"#,
        #"{"properties": {"whole": {}, "all": "*"}, "additionalProperties": {"properties": {"b": "b"}}}"#,
        String(repeating: #"{"items":"#, count: 60) + "{}" + String(repeating: "}", count: 60),
    ]

    @Test("A text of the document that a value holds many times is limited, too")
    func madeValues() throws {
        let shape = try Shape.compiled(
            #"{"properties": {"r": "map(&let $p = id in xs[*].{p: $p, x: x}, list)[]"}}"#)
        let text = String(repeating: "3", count: 3_000_000)
        let document = #"{"list":[{"id":"\#(text)","xs":[\#(Self.repeated(#"{"x":1}"#, 100))]}]}"#
        #expect(throws: ShapeFailure.limit("the expression makes too many values")) {
            try shape.normalize(Array(document.utf8))
        }
    }

    @Test(
        "A document of 200,000 elements or 8 MB gives an answer within the limit, or an error", .timeLimit(.minutes(10))
    )
    func largeDocuments() throws {
        let shapes = try Self.shapes.map { try Shape.compiled($0) }
        // Some of the documents: a debug build takes seconds for each.
        let names = ["nested arrays", "elements", "keys", "a long text"]
        for (name, document) in Self.hostile(200_000) where names.contains(name) {
            let bytes = Array(document.utf8)
            for (index, shape) in shapes.enumerated() {
                let answer = Result { try shape.normalize(bytes) }
                let size = (try? answer.get().body.count) ?? 0
                #expect(size <= 64 << 20, "\(name), shape \(index)")
            }
        }
    }

    @Test("An answer that multiplies its document ends at a limit")
    func multiplied() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let shape = try Shape.compiled(#"{"let": {"x": "x"}, "from": "xs", "items": {"properties": {"x": "$x"}}}"#)
        let document = #"{"x":"\#(text)","xs":[\#(Self.repeated("{}", 10_000))]}"#
        #expect(throws: ShapeFailure.limit("67108864 bytes")) { try shape.normalize(Array(document.utf8)) }
    }

    @Test("An answer is made completely or not at all, whenever the time passes")
    func expired() throws {
        let shape = try Shape.compiled(
            #"{"from": "xs", "items": {"properties": {"id": "id", "names": "a[*].b", "n": "length(a)"}}}"#)
        let document = #"{"xs":[\#(Self.repeated(#"{"id":1,"a":[{"b":1}]}"#, 20_000))]}"#
        #expect(Expiry.faults { try shape.normalize(Array(document.utf8), options: $0) } == [])
    }

    @Test("A document that is cut off at any byte is an error")
    func truncated() throws {
        for fixture in try ShapeFixture.all() where fixture.expected.error == nil && fixture.input.first == 0x7B {
            let shape = try Shape.compiled(fixture.shape, parameters: ["id", "hours", "most"])
            for length in fixture.input.indices {
                #expect(throws: JSONSyntaxError.self) { try shape.normalize(Array(fixture.input[..<length])) }
            }
        }
    }

    /// Shapes whose work is not that of reading their document once, and documents of less than 64 KiB.
    private static let dear: [(shape: String, document: String)] = [
        (#""map(&sum($.xs), xs)""#, numbers), (#""map(&avg($.xs), xs)""#, numbers),
        (#""map(&$.xs[-1], xs)""#, numbers), (#""map(&length($.xs[5:]), xs)""#, numbers),
        (#""map(&reverse($.xs), xs)""#, numbers), (#""map(&contains($.xs, `-1`), xs)""#, numbers),
        (#""map(&sort($.xs), xs)""#, numbers), (#""map(&max($.xs), xs)""#, numbers),
        (#""map(&zip($.xs, $.xs), xs)""#, numbers), (#""xs[].[$.xs[]]""#, numbers),
        (#""xs[?contains($.xs, `-1`)]""#, numbers),
        (#""pad_left('x', `30000000`)""#, "{}"), (#""map(&pad_right('x', `100000`), xs)""#, numbers),
        (#""map(&lower($.t), xs)""#, texts), (#""map(&trim($.t), xs)""#, texts),
        (#""map(&split($.t, ''), xs)""#, texts),
        (#""map(&replace($.t, 'é', 'x'), xs)""#, texts), (#""map(&contains($.t, 'x'), xs)""#, texts),
        (#""map(&find_last($.t, 'é'), xs)""#, texts), (#""map(&join('', [$.t, $.t]), xs)""#, texts),
        (#""map(&reverse($.t), xs)""#, texts), (#""map(&length($.t), xs)""#, texts),
        (#""map(&starts_with($.t, $.t), xs)""#, texts),
        (#""sort(map(&to_string($.t), xs))""#, texts), (#""max(map(&to_string($.t), xs))""#, texts),
        (#""map(&($.t == to_string($.t)), xs)""#, texts), (#""map(&($.t < to_string($.t)), xs)""#, texts),
        (#""map(&keys($.o), xs)""#, members), (#""map(&merge($.o, $.o), xs)""#, members),
        (#""map(&from_items(items($.o)), xs)""#, members), (#""map(&length($.o), xs)""#, members),
        (#""map(&($.o == merge($.o, `{}`)), xs)""#, members), (#""map(&values($.o), xs)""#, members),
        (#""map(&length(group_by(values($.o), &to_string(@))), xs)""#, members),
        (#"{"from": "xs", "items": {"from": "$.xs", "items": {"properties": {"a": "a.b"}}}}"#, numbers),
        (
            #"{"from": "xs", "items": {"properties": {"o": {"from": "$.o", "additionalProperties": {"type": "string"}}}}}"#,
            members
        ),
        (#"{"from": "xs", "items": {"from": "$.t", "type": "string", "pattern": "(é+é+)+$."}}"#, texts),
        (#"{"from": "ts", "items": {"type": "string", "pattern": "^(x+x+)+$"}}"#, words),
        (#"{"from": "ts", "items": {"type": "string", "pattern": "x*x*x*x*x*[y-z]"}}"#, words),
        (#"{"from": "ts", "items": {"enum": [\#(repeated(#"{"a":[1,2,3]}"#, 2000))]}}"#, words),
    ]

    private static let numbers = #"{"xs":[\#(repeated("1", 30_000))]}"#
    private static let texts = #"{"t":"\#(String(repeating: "é", count: 15_000))","xs":[\#(repeated("1", 15_000))]}"#
    private static let words = #"{"ts":[\#(repeated(#""xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx!""#, 1800))]}"#
    private static let members =
        #"{"o":{\#((0..<3000).map { #""k\#($0)":"\#($0)""# }.joined(separator: ","))},"xs":[\#(repeated("1", 10_000))]}"#

    @Test("Whatever a small document and a shape do, the time is looked at often", arguments: dear.indices)
    func turns(_ index: Int) throws {
        let (shape, document) = Self.dear[index]
        let compiled = try Shape.compiled(shape)
        #expect(document.utf8.count < 64 << 10)
        let start = Self.processorTime
        let options = JSONOptions(isExpired: { Self.processorTime - start > .milliseconds(20) })
        _ = try? compiled.normalize(Array(document.utf8), options: options)
        // A debug build takes many times the time of a release.
        #expect(Self.processorTime - start < .milliseconds(300), "\(shape)")
    }

    /// The processor time of the thread.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
