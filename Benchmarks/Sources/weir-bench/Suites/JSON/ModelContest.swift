import Foundation
import JSONText
import LenientCoding

/// One document, decoded and encoded by everyone who can: as a record, as a Codable model of the same fields, untyped.
final class ModelContest<Root: Record, Model: Codable> {
    let name: String
    let document: Document
    private let data: Data
    private let foundation: FoundationCoders
    private let lenient: LenientCoders
    private let orjson: Orjson?
    private var parser = JSONParser()
    private var transform = JSONTransform()

    init(_ name: String, _ document: Document, foundation: FoundationCoders, lenient: LenientCoders) {
        self.name = name
        self.document = document
        self.foundation = foundation
        self.lenient = lenient
        data = Data(document.bytes)
        orjson = Orjson(document.bytes)
        Terminal.say("json.\(name): \(document.origin), \(document.bytes.count) bytes")
        if orjson == nil { Terminal.say("skipped: json.\(name).transform.vsOrjson, there is no python3 with orjson") }
    }

    /// Those that take part in the contest.
    var contestants: [Contestant] {
        var all = [
            Contestant("foundation") { [self] in
                keep(try foundation.encoder.encode(foundation.decoder.decode(Model.self, from: data)))
            },
            Contestant("records") { [self] in keep(try encodedByRecords()) },
            Contestant("codable") { [self] in
                keep(try lenient.encoder.encode(lenient.decoder.decode(Model.self, from: document.bytes)))
            },
            Contestant("transform") { [self] in keep(try transformed()) },
        ]
        if let orjson { all.append(Contestant(elsewhere: "orjson") { try orjson.run($0) }) }
        return all
    }

    /// Those and their parts, for a profiler, under their full names.
    func profiles() throws -> [Contestant] {
        let record = try decodedRecord()
        let model = try foundation.decoder.decode(Model.self, from: data)
        var all = contestants
        all += [
            Contestant("parse") { [self] in try parser.withDocument(document.bytes) { keep($0.kind) } },
            Contestant("records.decode") { [self] in keep(try decodedRecord()) },
            Contestant("records.encode") { [self] in keep(encoded(record)) },
            Contestant("codable.decode") { [self] in
                keep(try lenient.decoder.decode(Model.self, from: document.bytes))
            },
            Contestant("codable.encode") { [self] in keep(try lenient.encoder.encode(model)) },
            Contestant("foundation.decode") { [self] in keep(try foundation.decoder.decode(Model.self, from: data)) },
            Contestant("foundation.encode") { [self] in keep(try foundation.encoder.encode(model)) },
        ]
        return all.map { Contestant(elsewhere: "\(name).\($0.name)", run: $0.run) }
    }

    /// Measures for about so many seconds, and tells each figure.
    func run(seconds: Double, bars: Bars, _ tell: (Figure) -> Void) throws {
        let results = try Contest(contestants: contestants).run(seconds: seconds)
        Terminal.say("json.\(name): \(results.summary)")
        func tellRatio(_ figure: String, _ slower: String, _ faster: String, _ bar: Figure.Bar) {
            guard let ratio = results.ratio(of: slower, to: faster) else { return }
            tell(Figure(name: "json.\(name).\(figure)", value: ratio, bar: bar))
        }
        tellRatio("records.vsFoundation", "foundation", "records", bars.recordsToFoundation)
        tellRatio("records.vsTransform", "records", "transform", bars.recordsToTransform)
        tellRatio("codable.vsFoundation", "foundation", "codable", bars.codableToFoundation)
        tellRatio("transform.vsOrjson", "orjson", "transform", bars.transformToOrjson)
    }

    /// Fails unless all decode the same values, and what they encode holds them too.
    func check() throws {
        let expected = Digest(try foundation.decoder.decode(Model.self, from: data))
        try compare("the record", Digest(try decodedRecord()), expected)
        let answer = try foundation.answerDecoder.decode(Model.self, from: Data(encodedByRecords()))
        try compare("the record's answer", Digest(answer), expected)
        // The untyped transform keeps dates as they come: it is checked with Dark Sky's, which are numbers.
        if name == "darksky" {
            let answer = try foundation.answerDecoder.decode(Model.self, from: Data(transformed()))
            try compare("the transform's answer", Digest(answer), expected)
        }
        let model = try lenient.decoder.decode(Model.self, from: document.bytes)
        try compare("the Codable model", Digest(model), expected)
        let encoded = try foundation.answerDecoder.decode(Model.self, from: Data(lenient.encoder.encode(model)))
        try compare("the Codable model's answer", Digest(encoded), expected)
    }

    private func compare(_ who: String, _ digest: Digest, _ expected: Digest) throws {
        let differences = digest.differences(from: expected)
        if !differences.isEmpty { throw UnequalWork(document: name, who: who, differences: differences) }
    }

    /// How many allocations the encoding of a decoded record into a writer with room takes.
    func encodeAllocations() throws -> Int? {
        let record = try decodedRecord()
        // The first one may set up tables; no allocation is the document's then.
        _ = encoded(record)
        var writer = JSONWriter(capacity: 2 * document.bytes.count)
        return Allocations.count { record.write(to: &writer) }
    }

    private func decodedRecord() throws -> Root { try decodedRecord(of: document.bytes) }

    private func decodedRecord(of bytes: [UInt8]) throws -> Root {
        try parser.withDocument(bytes) { try Root.read($0).record }
    }

    private func encoded(_ record: Root) -> [UInt8] {
        JSONWriter.bytes(expecting: document.bytes.count) { record.write(to: &$0) }
    }

    private func transformed() throws -> [UInt8] {
        try parser.withDocument(document.bytes) { transform.bytes(of: $0) }
    }

    private func encodedByRecords() throws -> [UInt8] { encoded(try decodedRecord()) }
}

/// What a document's figures should be.
struct Bars {
    var recordsToFoundation = Figure.Bar.atLeast(25)
    var recordsToTransform = Figure.Bar.atMost(3.2)
    var codableToFoundation: Figure.Bar
    var transformToOrjson = Figure.Bar.atLeast(3)
}

/// Contestants that do not do the same work: nothing they are measured by would mean anything.
struct UnequalWork: Error, CustomStringConvertible {
    let document: String, who: String, differences: [String]

    var description: String {
        "\(document): \(who) does not hold what Foundation decodes: \(differences.joined(separator: "; "))"
    }
}
