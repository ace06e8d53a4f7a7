import Foundation
import JSONText
import Records

/// Decodes and encodes one document as a record, untyped, and with Foundation as a Codable model of the same fields.
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
        if orjson == nil { Terminal.say("skipped: json.\(name).transform.vsOrjson, it needs python3 with orjson") }
    }

    /// The contestants.
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

    /// Returns the contestants and their parts, for a profiler.
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

    /// Measures for about `seconds` and reports each figure.
    func run(seconds: Double, bars: Bars, _ report: (Figure) -> Void) throws {
        let results = try Contest(contestants: contestants).run(seconds: seconds)
        Terminal.say("json.\(name): \(results.summary)")
        func reportRatio(_ figure: String, _ slower: String, _ faster: String, _ bar: Figure.Bar) {
            guard let ratio = results.ratio(of: slower, to: faster) else { return }
            report(Figure(name: "json.\(name).\(figure)", value: ratio, bar: bar))
        }
        reportRatio("records.vsFoundation", "foundation", "records", bars.recordsToFoundation)
        reportRatio("records.vsTransform", "records", "transform", bars.recordsToTransform)
        reportRatio("transform.vsOrjson", "orjson", "transform", bars.transformToOrjson)
    }

    /// Throws unless all contestants decode the same values and their output holds them.
    func check() throws {
        let expected = Digest(try foundation.decoder.decode(Model.self, from: data))
        try Digest(try decodedRecord()).expect(expected, of: "the record", in: name)
        let answer = try foundation.answerDecoder.decode(Model.self, from: Data(encodedByRecords()))
        try Digest(answer).expect(expected, of: "the record's answer", in: name)
        // The untyped transform does not convert dates, so it is checked with Dark Sky, whose dates are numbers.
        if name == "darksky" {
            let answer = try foundation.answerDecoder.decode(Model.self, from: Data(transformed()))
            try Digest(answer).expect(expected, of: "the transform's answer", in: name)
        }
    }

    /// Returns the number of allocations for encoding a record into a writer with sufficient capacity.
    func encodeAllocations() throws -> Int? {
        let record = try decodedRecord()
        // The first run may initialize tables.
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

/// The bars of a document's figures.
struct Bars {
    var recordsToFoundation = Figure.Bar.atLeast(30)
    var recordsToTransform = Figure.Bar.atMost(3.2)
    var transformToOrjson = Figure.Bar.atLeast(3)
}
