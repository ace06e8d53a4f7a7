import Foundation
import JSONText
import TestSupport
import Testing

@Suite("Public conformance suites")
struct ConformanceSuiteTests {
    @Test("JSONTestSuite: y_ files are accepted, n_ files are refused, i_ files are either")
    func jsonTestSuite() throws {
        var wrong: [String] = []
        for file in Checkout.sharedFiles("suites/JSONTestSuite/test_parsing", ending: ".json") {
            let isRead = refusal(of: file.bytes) == nil
            if file.name.hasPrefix("y_"), !isRead { wrong.append(file.name) }
            if file.name.hasPrefix("n_"), isRead { wrong.append(file.name) }
        }
        #expect(wrong == [])
    }

    @Test("JSONTestSuite's transformations: every value can be read, and numbers keep their text")
    func jsonTestSuiteTransformations() throws {
        for file in Checkout.sharedFiles("suites/JSONTestSuite/test_transform", ending: ".json") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            let copy = try reading(text) { root in Self.scalars(of: root) }
            #expect(!copy.isEmpty, "\(file.name)")
            // Some contain bytes that are not UTF-8.
            let kept = try transformed(file.bytes, JSONOptions(leniency: .invalidUTF8), keys: .keep, nulls: .keep)
            #expect(refusal(of: kept) == nil, "\(file.name)")
            #expect(refusal(of: try transformed(text)) == nil, "\(file.name)")
            guard file.name.hasPrefix("number_") else { continue }
            #expect(kept == text.filter { !$0.isWhitespace })
            #expect("[\(copy.joined(separator: ","))]" == text.filter { !$0.isWhitespace })
        }
    }

    @Test("simdjson's jsonchecker: pass files are accepted; fail files are refused unless RFC 8259 allows them")
    func jsonChecker() throws {
        let excluded = ["fail41_toolarge.json", "fail60.json", "fail73.json"]
        var wrong: [String] = []
        for file in Checkout.sharedFiles("suites/simdjson-jsonchecker", ending: ".json")
        where !file.name.contains("_EXCLUDE") && !excluded.contains(file.name) {
            let isRead = refusal(of: file.bytes) == nil
            if isRead != file.name.hasPrefix("pass") { wrong.append(file.name) }
        }
        #expect(wrong == [])
    }

    @Test("simdjson's jsonchecker: files of several values are read with the leniency `concatenated`")
    func jsonCheckerConcatenated() throws {
        for file in Checkout.sharedFiles("suites/simdjson-jsonchecker", ending: ".ndjson") {
            var parser = JSONParser(options: JSONOptions(leniency: .concatenated))
            var count = 0
            let isRead = (try? parser.withDocuments(file.bytes) { _ in count += 1 }) != nil
            #expect(isRead == file.name.hasPrefix("pass"), "\(file.name)")
            #expect(!isRead || count > 1, "\(file.name)")
            #expect(refusal(of: file.bytes) != nil, "\(file.name)")
        }
    }

    @Test("nativejson's round-trip files are written unchanged, from their text and from their values")
    func roundtrips() throws {
        // Doubles that are integers are written without a fraction: `0.0` becomes `0`.
        let integral = ["[0.0]": "[0]", "[-0.0]": "[-0]"]
        for file in Checkout.sharedFiles("suites/nativejson-roundtrip", ending: ".json") {
            let text = String(decoding: file.bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try transformed(file.bytes, keys: .keep, nulls: .keep) == text)
            let values = try reading(text) { root in written { Self.write(root, to: &$0) } }
            #expect(values == integral[text] ?? text)
        }
    }

    @Test("parse-number-fxx: every decimal of JSON's grammar is read as the double that the suite expects")
    func parseNumber() throws {
        var wrong: [String] = []
        var count = 0
        for file in Checkout.sharedFiles("suites/parse-number-fxx", ending: ".txt") {
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

    /// Returns the text of every scalar, with strings decoded.
    private static func scalars(of node: JSONNode) -> [String] {
        switch node.kind {
        case .array: node.elements.flatMap(scalars)
        case .object: node.members.flatMap { [$0.key.string ?? ""] + scalars(of: $0.value) }
        case .string, .escapedString: [node.string ?? ""]
        default: [String(decoding: node.text, as: UTF8.self)]
        }
    }

    /// Writes the node from its typed values.
    private static func write(_ node: JSONNode, to writer: inout JSONWriter) {
        switch node.kind {
        case .null: writer.writeNull()
        case .true, .false: writer.write(node.bool == true)
        case .integer: if let value = node.int64 { writer.write(value) }
        case .number: if let value = node.double { writer.write(value) }
        case .string, .escapedString: writer.write(node.string ?? "")
        case .array:
            writer.write(raw: "[")
            for (index, element) in node.elements.enumerated() {
                if index > 0 { writer.write(raw: ",") }
                write(element, to: &writer)
            }
            writer.write(raw: "]")
        case .object:
            writer.write(raw: "{")
            for (index, member) in node.members.enumerated() {
                if index > 0 { writer.write(raw: ",") }
                write(member.key, to: &writer)
                writer.write(raw: ":")
                write(member.value, to: &writer)
            }
            writer.write(raw: "}")
        }
    }
}
