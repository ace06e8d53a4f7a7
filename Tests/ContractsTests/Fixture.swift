import Contracts
import Foundation
import JSONText
import LenientCoding
import Testing

/// What clients get of a document: the body and the report, or the error's description.
struct Answer: Equatable {
    var body = ""
    var drift = ""
    var error: String?

    /// What `dialect` makes of `document`.
    init(of document: [UInt8], in dialect: Dialect) { self.init { try dialect.normalize(document) } }

    /// What `dialect` makes of `document`.
    init(of document: [UInt8], in dialect: TweetDialect) { self.init { try dialect.normalize(document) } }

    private init(_ normalize: () throws -> Normalized) {
        do {
            let normalized = try normalize()
            var writer = JSONWriter()
            normalized.drift.write(to: &writer)
            body = String(decoding: normalized.body, as: UTF8.self)
            drift = String(decoding: writer.bytes, as: UTF8.self)
        } catch {
            self.error = "\(error)"
        }
    }

    /// What is expected, as the files of a case say it.
    init(body: String, drift: String, error: String?) {
        self.body = body
        self.drift = drift
        self.error = error
    }
}

/// A case of files: `case.in.json` with `case.out.json` and `case.drift.json`, or with `case.error.txt`.
struct Fixture {
    /// A file that a case lacks.
    struct MissingFile: Error { let path: String }

    let name: String
    let input: [UInt8]
    let expected: Answer

    /// Expects of every case in a folder that its answer is as its files say; one at least has to be there.
    static func check(all folder: String, answer: ([UInt8]) -> Answer) throws {
        let fixtures = try all(in: folder)
        #expect(!fixtures.isEmpty, "\(folder) has no case")
        for fixture in fixtures {
            let answer = answer(fixture.input)
            #expect(answer.error == fixture.expected.error, "\(fixture.name)")
            #expect(answer.body == fixture.expected.body, "\(fixture.name)")
            #expect(answer.drift == fixture.expected.drift, "\(fixture.name)")
        }
    }

    /// Every case in a folder of `Tests/Fixtures`, in the order of their names.
    static func all(in folder: String) throws -> [Fixture] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures").appendingPathComponent(folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        return try files.filter { $0.hasSuffix(".in.json") }.map { file in
            let name = String(file.dropLast(".in.json".count))
            func text(_ ending: String) throws -> String {
                let path = url.appendingPathComponent(name + ending).path
                guard let bytes = FileManager.default.contents(atPath: path) else { throw MissingFile(path: path) }
                let text = String(decoding: bytes, as: UTF8.self)
                return text.hasSuffix("\n") ? String(text.dropLast()) : text
            }
            let input = Array(try text(".in.json").utf8)
            if files.contains(name + ".error.txt") {
                let expected = Answer(body: "", drift: "", error: try text(".error.txt"))
                return Fixture(name: name, input: input, expected: expected)
            }
            let expected = Answer(body: try text(".out.json"), drift: try text(".drift.json"), error: nil)
            return Fixture(name: name, input: input, expected: expected)
        }
    }
}

/// What is in a document anywhere: values that no answer of Weir holds.
struct Inventory {
    private(set) var nulls = 0
    /// Numbers and strings that stand for no value.
    private(set) var sentinels = 0

    init(of bytes: [UInt8]) throws {
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
