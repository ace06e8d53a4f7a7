import Foundation
import JSONText
import LenientCoding

/// One document, decoded and encoded as a record, untyped, and by Foundation as a Codable model of the record's fields.
final class ModelContest<Root: Record, Model: Codable> {
    let name: String
    let document: Document
    private let data: Data
    private let foundation: FoundationCoders
    private let orjson: Worker?
    private var parser = JSONParser()
    private var transform = JSONTransform()

    init(_ name: String, _ document: Document, foundation: FoundationCoders) {
        self.name = name
        self.document = document
        self.foundation = foundation
        data = Data(document.bytes)
        orjson = .orjson(document.bytes)
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
            Contestant("transform") { [self] in keep(try transformed()) },
        ]
        if let orjson { all.append(Contestant(elsewhere: "orjson") { try orjson.run($0) }) }
        return all
    }

    /// Those and their parts, for a profiler, under their full names.
    func profiles() throws -> [Contestant] {
        let record = try decodedRecord()
        var all = contestants
        all += [
            Contestant("parse") { [self] in try parser.withDocument(document.bytes) { keep($0.kind) } },
            Contestant("records.decode") { [self] in keep(try decodedRecord()) },
            Contestant("records.encode") { [self] in keep(encoded(record)) },
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
        tellRatio("transform.vsOrjson", "orjson", "transform", bars.transformToOrjson)
    }

    /// Fails unless all decode the same values, and what they encode holds them too.
    func check() throws {
        let expected = Digest(try foundation.decoder.decode(Model.self, from: data))
        try Digest(try decodedRecord()).expect(expected, of: "the record", in: name)
        let answer = try foundation.answerDecoder.decode(Model.self, from: Data(encodedByRecords()))
        try Digest(answer).expect(expected, of: "the record's answer", in: name)
        // The untyped transform keeps dates as they come: it is checked with Dark Sky's, which are numbers.
        if name == "darksky" {
            let answer = try foundation.answerDecoder.decode(Model.self, from: Data(transformed()))
            try Digest(answer).expect(expected, of: "the transform's answer", in: name)
        }
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
    var transformToOrjson = Figure.Bar.atLeast(3)
}
