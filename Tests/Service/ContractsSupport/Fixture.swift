package import API
import Foundation
import JSONText
package import Records
import TestSupport

/// The result of normalizing a document: the body and the drift report, or the error's description.
package struct Answer: Equatable {
    package var body = ""
    package var drift = ""
    package var error: String?

    /// The answer that `normalize` returns.
    package init(_ normalize: () throws -> ShapedDocument) {
        do {
            let normalized = try normalize()
            body = String(decoding: normalized.body, as: UTF8.self)
            drift = normalized.drift.json
        } catch {
            self.error = "\(error)"
        }
    }

    /// An expected answer.
    package init(body: String, drift: String, error: String?) {
        self.body = body
        self.drift = drift
        self.error = error
    }
}

extension DriftReport {
    /// The report as compact JSON.
    package var json: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// A test case in files: `case.in.json` with `case.out.json` and `case.drift.json`, or with `case.error.txt`.
package struct Fixture {
    package let name: String
    package let input: [UInt8]
    package let expected: Answer

    /// Returns the cases of a folder that have another answer than the expected one; the folder itself without a case.
    package static func faults(in folder: String, answer: ([UInt8]) -> Answer) throws -> [String] {
        let fixtures = try all(in: folder)
        if fixtures.isEmpty { return ["\(folder) has no case"] }
        return fixtures.compactMap { fixture in
            let (answer, expected) = (answer(fixture.input), fixture.expected)
            return answer == expected ? nil : "\(fixture.name): expected \(expected), found \(answer)"
        }
    }

    /// Returns the cases of a folder of `Tests/Fixtures`, sorted by name.
    package static func all(in folder: String) throws -> [Fixture] {
        let files = FixtureFiles(folder)
        return try files.cases().map { name in
            let input = try files.bytes(name + ".in.json")
            if files.has(name + ".error.txt") {
                let expected = Answer(body: "", drift: "", error: try files.text(name + ".error.txt"))
                return Fixture(name: name, input: input, expected: expected)
            }
            let expected = Answer(
                body: try files.text(name + ".out.json"), drift: try files.text(name + ".drift.json"), error: nil)
            return Fixture(name: name, input: input, expected: expected)
        }
    }
}

/// The files of one folder of `Tests/Fixtures`.
package struct FixtureFiles {
    private let folder: URL

    package init(_ folder: String) { self.folder = URL(fileURLWithPath: "\(Checkout.root)/Tests/Fixtures/\(folder)") }

    /// Returns the names of the cases, sorted: those of the files `*.in.json`.
    package func cases() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".in.json") }.map { String($0.dropLast(".in.json".count)) }
    }

    package func has(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(file).path)
    }

    /// Returns the bytes of a file without its last line break.
    package func bytes(_ file: String) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
        return bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    }

    /// Returns the text of a file without its last line break.
    package func text(_ file: String) throws -> String { String(decoding: try bytes(file), as: UTF8.self) }
}

/// Counts of values that no answer of Weir may contain.
package struct Inventory {
    package private(set) var nulls = 0
    /// Numbers that mean "no value".
    package private(set) var sentinels = 0

    package init(of bytes: [UInt8]) throws {
        var parser = JSONParser()
        self = try parser.withDocument(bytes) { root in
            var inventory = Inventory()
            inventory.count(root)
            return inventory
        }
    }

    private init() {}

    private mutating func count(_ node: JSONNode) {
        if node.isNull { nulls += 1 }
        if node.double == -999 { sentinels += 1 }
        for element in node.elements { count(element) }
        for (_, value) in node.members { count(value) }
    }
}

extension JSONValue {
    /// The value of a JSON document, or nil if `bytes` are not JSON.
    package init?(parsing bytes: [UInt8]) {
        var parser = JSONParser()
        guard let value = try? parser.withDocument(bytes, { JSONValue($0) }) else { return nil }
        self = value
    }

    /// The value as compact JSON.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
