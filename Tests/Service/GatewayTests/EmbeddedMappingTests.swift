import API
import ContractsSupport
import Foundation
import JSONText
import Records
import TestSupport
import Testing

@testable import Contracts
@testable import Gateway
@testable import Settings

@Suite("The mappings that come with Weir")
struct EmbeddedMappingTests {
    /// A document of a mapping and its answer in `Tests/Fixtures/mappings`: `NAME.in.json`, `NAME.KIND.in.json`, or
    /// `NAME.FORM.in.json`.
    struct Document: CustomTestStringConvertible {
        let name: String, kind: MappingNormalization.Kind?, fixture: Fixture
        var testDescription: String { fixture.name }

        static let all = ((try? Fixture.all(in: "mappings")) ?? []).map { fixture in
            let words = fixture.name.split(separator: ".").map(String.init)
            return Document(
                name: words[0], kind: words.dropFirst().first.flatMap(MappingNormalization.Kind.init), fixture: fixture)
        }

        func mapping() throws -> MappingNormalization { try MappingNormalization(name, kind: kind, in: nil) }
    }

    /// Returns the answer made of a document.
    private static func answer(_ text: [UInt8], by mapping: MappingNormalization) throws -> ShapedDocument {
        let read = try mapping.text(text, options: JSONOptions())
        if let dialect = mapping.dialect as? ForecastDialect { return try dialect.normalize(read).shaped() }
        let dialect = try #require(mapping.dialect as? TweetDialect)
        return try dialect.normalize(read).shaped(TweetShaping())
    }

    @Test(
        "Each is a file of at most 150 lines, has no faults, and its own page",
        arguments: EmbeddedMapping.all.map(\.name))
    func files(name: String) throws {
        let lines = try Checkout.text("Sources/Service/Contracts/Upstreams/\(name).json").split(separator: "\n")
        #expect(lines.count <= 150)
        #expect(lines.allSatisfy { $0.utf8.count <= 160 })
        #expect(throws: Never.self) { try MappingNormalization(name, kind: nil, in: nil) }
        let page = try Checkout.text("docs/upstreams/\(name).md")
        #expect(page.contains("https://") && page.split(separator: "\n", omittingEmptySubsequences: false).count <= 70)
        #expect(Document.all.contains { $0.name == name })
    }

    @Test("A document of each becomes the expected answer, with the expected repairs", arguments: Document.all)
    func documents(document: Document) throws {
        let mapping = try document.mapping()
        #expect(Answer { try Self.answer(document.fixture.input, by: mapping) } == document.fixture.expected)
    }

    /// The mutated documents of each fixture; `WEIR_MUTATIONS` asks for more.
    private static let mutations = ProcessInfo.processInfo.environment["WEIR_MUTATIONS"].flatMap { Int($0) } ?? 150

    private static let values: [JSONValue] = [
        "null", "-999", "0", "7", "-12.50", "1e2", "1234567890123456789", "1e400", "true", "[]", "{}",
        #"[null,"a",3,"",{}]"#, #"{"time":5}"#, "\"\"", "\"-999\"", "\"12.5\"", "\"NaN\"", "\"2026-02-06T12:00:00Z\"",
        "\"2026-02-06\"", "\"at://did:plc:a/b/c\"", "\"<p>&amp;<a href='x'>\"", "99999999999999", "\"🌧️é\"",
    ].compactMap { JSONValue(parsing: Array($0.utf8)) }

    @Test("No mutated document crashes, and each answer is one of the contract", arguments: Document.all)
    func mutations(of document: Document) throws {
        let mapping = try document.mapping(), text = document.fixture.input
        let value = try #require(JSONValue(parsing: text))
        var mutation = JSONMutation(seed: UInt64(text.count), values: Self.values)
        var answers = 0
        for _ in 0..<Self.mutations {
            var mutated = value
            mutation.damage(&mutated)
            guard let answer = try? Self.answer(mutated.text, by: mapping) else { continue }
            answers += 1
            guard mapping.dialect is ForecastDialect else {
                #expect(JSONValue(parsing: answer.body) != nil)
                continue
            }
            // An answer is itself a document of Dark Sky in si, all of whose values are in the contract's ranges.
            let again = try ForecastDialect.darkSky.normalize(answer.body).shaped()
            let lost = again.drift.entries.filter { [.dropped, .coerced, .defaulted].contains($0.kind) }
            #expect(lost.isEmpty, "\(String(decoding: mutated.text, as: UTF8.self)): \(lost)")
        }
        #expect(answers > Self.mutations / 8)
    }
}

@Suite("Faults of mappings")
struct MappingFaultTests {
    /// Returns the faults of a configuration with a mapping, without their locations.
    private static func faults(_ mapping: String, dialect: String = "ours") -> String {
        let text = """
            {"upstreams": [{"name": "a", "dialect": "\(dialect)", "baseURL": "https://a.example"}],
             "weather": {"upstreams": ["a"]}, "mappings": {"ours": \(mapping)}}
            """
        do {
            _ = try ConfigurationFile(path: "weir.json", bytes: Array(text.utf8)).configuration()
            return ""
        } catch {
            return "\(error)"
        }
    }

    private static let hours = #""hourly": {"from": "h", "items": {"properties": {"time": "t", "temperature": "c"}}}"#

    private static func forecast(
        _ properties: String = hours, fetch: String = #""fetch": {"path": "/"}"#, more: String = ""
    ) -> String {
        #"{"contract": "forecast", "forecast": {\#(fetch), "answer": {"properties": {\#(properties)}}}\#(more)}"#
    }

    @Test("A mapping without faults has none")
    func good() { #expect(Self.faults(Self.forecast()) == "") }

    static let cases: [(mapping: String, fault: String)] = [
        ("{}", "mappings.ours.contract is missing: it takes forecast or tweets"),
        (#"{"contract": "forecast"}"#, "mappings.ours.forecast is missing: it takes a request and an answer"),
        (#"{"contract": "tweets"}"#, "mappings.ours.status is missing: a mapping has status, timeline or search"),
        (
            forecast(#""daily": {"from": "d", "items": {"properties": {"temperatureHihg": "x"}}}"#),
            "is no field of the contract; did you mean \"temperatureHigh\"?"
        ),
        (
            forecast(#""hourly": {"from": "h", "properties": {"time": "t"}}"#),
            "hourly.properties.time is no field of the contract"
        ),
        (
            forecast(#""currently": {"items": {"properties": {}}}"#),
            "currently.items makes an array, and the contract has an object"
        ),
        (
            forecast(#""latitude": {"from": "l", "type": "string"}"#),
            "latitude.type must be number: the contract has a number"
        ),
        (
            forecast(#""alerts": {"items": {"properties": {"time": {"from": "t", "format": "date"}}}}"#),
            "time.format must be date-time"
        ),
        (
            forecast(
                #""currently": {"properties": {"time": "t", "pressure": {"from": "p", "unit": {"from": "#
                    + #""inHg", "to": "kPa"}}}}"#
            ), "pressure.unit.to must be hPa"
        ),
        (
            forecast(
                #""currently": {"properties": {"time": "t", "visibility": {"from": "v", "unit": {"from": "#
                    + #""m", "to": "mi"}}}}"#
            ), "visibility.unit.to must be km"
        ),
        (
            forecast(fetch: #""fetch": {"upstream": "a", "path": "/"}"#),
            "fetch.upstream must be left out in a "
                + "mapping"
        ),
        (forecast(fetch: #""fetch": {"path": "/{lat}"}"#), "there is no parameter \"lat\""),
        (
            forecast(fetch: #""parts": {"a": {"path": "/{b.x}"}, "b": {"path": "/{a.x}"}}"#),
            "needs itself: a, which needs b, which needs a"
        ),
        (forecast(fetch: #""parts": {"latitude": {"path": "/"}}"#), "has the name of a value that requests have"),
        (
            forecast(fetch: #""parts": {"a": {"path": "/", "each": "x"}}"#),
            "parts.a.each must be left out in "
                + "a mapping"
        ),
        (
            forecast(more: #", "status": {"fetch": {"path": "/"}, "answer": {}}"#),
            "mappings.ours.status must be left out: the contract is forecast"
        ),
        (
            forecast(more: #", "key": {"query": "a", "bearer": true}"#),
            "mappings.ours.key must have one of query, header and bearer"
        ),
        (
            forecast(#""hourly": {"from": "h", "items": {"properties": {"temperature": "c"}}}"#),
            "items.properties must have time"
        ),
        (
            forecast(
                #""currently": {"properties": {"time": "t", "rain": {"from": "r", "unit": {"from": "in", "#
                    + #""to": "m"}}}}"#
            ), "rain.unit.to must be mm"
        ),
        (
            forecast(
                #""currently": {"properties": {"time": "t", "uvIndex": {"from": "r", "unit": {"from": "min", "#
                    + #""to": "s"}}}}"#
            ), "uvIndex.unit must be left out"
        ),
        (
            forecast(
                #""currently": {"properties": {"time": "t", "cloudCover": {"from": "c", "unit": {"from": "#
                    + #""ms", "to": "s"}}}}"#
            ), "cloudCover.unit.to must be 1"
        ),
        (
            forecast(
                #""currently": {"properties": {"time": "t", "condition": {"from": "c", "map": {"1": "#
                    + #""sunny"}}}}"#),
            "condition.map.1 must be null or one of"
        ),
        (
            forecast(#""currently": {"properties": {"time": "t", "code": {"from": "c", "map": {"1": 4711}}}}"#),
            "code.map.1 must be null or one of"
        ),
        (
            forecast(
                #""currently": {"properties": {"time": {"from": "t", "format": "date-time", "reads": "#
                    + #""dd.MM.yyyy HH:mm"}}}"#
            ), "time.zone is missing"
        ),
        (
            forecast(fetch: #""parts": {"a": {"path": "/", "optional": true}}"#),
            "parts must have a part that is not optional"
        ),
        (
            forecast(fetch: #""parts": {"a": {"path": "/", "optional": true}, "b": {"path": "/{a.x}"}}"#),
            "parts.a must not be optional: b needs it"
        ),
        (
            forecast(more: #", "key": {"header": "a b"}"#),
            "mappings.ours.key.header must be the name of a "
                + "header field"
        ),
        (forecast(more: #", "key": {"query": "a&b"}"#), "mappings.ours.key.query must be a name of letters"),
        (
            #"{"contract": "tweets", "status": {"fetch": {"path": "/{id}"}, "answer": {"shape": "status"}}}"#,
            "shape must name a shape that has properties"
        ),
        (forecast(more: #", "error": "a[""#), "error"),
        (
            #"{"file": "/nonexistent/ours.json"}"#,
            "mappings.ours.file names /nonexistent/ours.json, which cannot be used"
        ),
        (
            #"{"contract": "tweets", "ids": "(", "status": {"fetch": {"path": "/{id}"}, "answer": "#
                + #"{"properties": {"id": "id"}}}}"#,
            "ids must be a regular expression"
        ),
        (
            #"{"contract": "tweets", "status": {"fetch": {"path": "/{id}"}, "answer": {"properties": "#
                + #"{"quotedStatus": {"from": "q", "shape": "state"}}}}}"#,
            "shape must be one of status"
        ),
    ]

    @Test("Each fault is named with its place", arguments: cases)
    func faults(mapping: String, fault: String) {
        let found = Self.faults(mapping)
        #expect(found.contains(fault), "\(found)")
    }

    private static let depth = 200

    static let hostileCases: [(name: String, mapping: String, fault: String)] = [
        (
            "many posts in each other",
            #"{"contract": "tweets", "status": {"fetch": {"path": "/{id}"}, "answer": {"properties": {"id": "id", "#
                + #""createdAt": "at", "#
                + repeatElement(#""quotedStatus": {"from": "q", "shape": "status"}"#, count: 12).joined(separator: ", ")
                + "}}}}",
            "has more than 10000 values"
        ),
        (
            "deep shapes",
            #"{"contract": "tweets", "status": {"fetch": {"path": "/"}, "answer": "#
                + String(repeating: #"{"properties": {"user": "#, count: depth) + "\"x\""
                + String(repeating: "}}", count: depth) + "}}", "nested deeper than the limit of 64"
        ),
        (
            "a long expression", forecast(#""latitude": "\#(String(repeating: "a.", count: 60_000))b""#),
            "an expression has at most 65536 characters"
        ),
        (
            "many parts",
            forecast(fetch: #""parts": {\#((0..<30).map { #""p\#($0)": {"path": "/"}"# }.joined(separator: ", "))}"#),
            "parts must have at most 8 parts"
        ),
        (
            "a part without a name", forecast(fetch: #""parts": {"a b": {"path": "/"}}"#),
            "must have a name of at most 64"
        ),
        (
            "a request beside parts", forecast(fetch: #""fetch": {"path": "/"}, "parts": {"a": {"path": "/"}}"#),
            "mappings.ours.forecast.fetch must be left out: there are parts"
        ),
    ]

    @Test("Hostile mappings get a fault that says why", arguments: hostileCases)
    func hostile(name: String, mapping: String, fault: String) {
        let found = Self.faults(mapping)
        #expect(found.contains(fault), "\(name): \(found.prefix(2000))")
    }

    @Test("The name of a dialect of Swift is taken, and a configured mapping wins over an embedded one")
    func names() throws {
        func read(_ name: String, _ mapping: String) throws -> Configuration {
            let text = """
                {"upstreams": [{"name": "a", "dialect": "\(name)", "baseURL": "https://a.example"}],
                 "weather": {"upstreams": ["a"]}, "mappings": {"\(name)": \(mapping)}}
                """
            return try ConfigurationFile(path: "weir.json", bytes: Array(text.utf8)).configuration()
        }
        #expect(throws: ConfigurationError.self) { try read("openMeteo", Self.forecast()) }
        let configuration = try read("metNorway", Self.forecast())
        // The embedded one wants a User-Agent.
        #expect(configuration.upstreams[0].mapping?.headers.isEmpty == true)
    }
}
