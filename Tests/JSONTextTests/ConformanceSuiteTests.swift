import JSONText
import Testing

@Suite("Public conformance suites")
struct ConformanceSuiteTests {
    @Test("JSONTestSuite: y_ is read, n_ is refused, i_ is either")
    func jsonTestSuite() throws {
        var wrong: [String] = []
        for file in try ConformanceSuite(name: "JSONTestSuite/test_parsing").files(".json") {
            let isRead = refusal(of: file.bytes) == nil
            if file.name.hasPrefix("y_"), !isRead { wrong.append(file.name) }
            if file.name.hasPrefix("n_"), isRead { wrong.append(file.name) }
        }
        #expect(wrong == [])
    }

    @Test("JSONTestSuite's transformations: every value can be asked for, and the numbers keep their text")
    func jsonTestSuiteTransformations() throws {
        for file in try ConformanceSuite(name: "JSONTestSuite/test_transform").files(".json") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            let copy = try reading(text) { root in Self.scalars(of: root) }
            #expect(!copy.isEmpty, "\(file.name)")
            guard file.name.hasPrefix("number_") else { continue }
            #expect("[\(copy.joined(separator: ","))]" == text.filter { !$0.isWhitespace })
        }
    }

    @Test("simdjson's jsonchecker: pass is read, fail is refused, but for what RFC 8259 does not refuse")
    func jsonChecker() throws {
        let excluded = ["fail41_toolarge.json", "fail60.json", "fail73.json"]
        var wrong: [String] = []
        for file in try ConformanceSuite(name: "simdjson-jsonchecker").files(".json")
        where !file.name.contains("_EXCLUDE") && !excluded.contains(file.name) {
            let isRead = refusal(of: file.bytes) == nil
            if isRead != file.name.hasPrefix("pass") { wrong.append(file.name) }
        }
        #expect(wrong == [])
    }

    @Test("parse-number-fxx: every decimal of JSON's grammar is the double that the suite says")
    func parseNumber() throws {
        var wrong: [String] = []
        var count = 0
        for file in try ConformanceSuite(name: "parse-number-fxx").files(".txt") {
            for line in String(decoding: file.bytes, as: UTF8.self).split(separator: "\n") {
                let columns = line.split(separator: " ")
                guard columns.count == 4, let bits = UInt64(columns[2], radix: 16) else { continue }
                let text = String(columns[3])
                guard let value = try? reading(text, { $0.isNumber ? $0.double : .nan }) else {
                    if refusal(of: text) == nil, Double(bitPattern: bits).isFinite { wrong.append(text) }
                    continue
                }
                count += 1
                if value.bitPattern != bits { wrong.append(text) }
            }
        }
        if count > 0 { print("parse-number-fxx: \(count) decimals") }
        #expect(wrong == [])
    }

    /// The text of every scalar, strings decoded.
    private static func scalars(of node: JSONNode) -> [String] {
        switch node.kind {
        case .array: node.elements.flatMap(scalars)
        case .object: node.members.flatMap { [$0.key.string ?? ""] + scalars(of: $0.value) }
        case .string, .escapedString: [node.string ?? ""]
        default: [String(decoding: node.text, as: UTF8.self)]
        }
    }
}
