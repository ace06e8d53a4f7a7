import Foundation
import LenientCoding

/// Decodes and encodes one document as one Codable model, with Foundation's coders and with ours.
final class CodableContest<Model: Codable> {
    private let name: String
    private let document: Document
    private let data: Data
    private let foundation: FoundationCoders
    private let lenient: LenientCoders

    init(_ name: String, _ document: Document, foundation: FoundationCoders, lenient: LenientCoders) {
        self.name = name
        self.document = document
        self.foundation = foundation
        self.lenient = lenient
        data = Data(document.bytes)
    }

    /// The contestants.
    private var contestants: [Contestant] {
        [
            Contestant("foundation") { [self] in
                keep(try foundation.encoder.encode(foundation.decoder.decode(Model.self, from: data)))
            },
            Contestant("codable") { [self] in
                keep(try lenient.encoder.encode(lenient.decoder.decode(Model.self, from: document.bytes)))
            },
        ]
    }

    /// Returns decoding and encoding apart, for a profiler.
    func profiles() throws -> [Contestant] {
        let model = try foundation.decoder.decode(Model.self, from: data)
        let parts = [
            Contestant("decode") { [self] in keep(try lenient.decoder.decode(Model.self, from: document.bytes)) },
            Contestant("encode") { [self] in keep(try lenient.encoder.encode(model)) },
            Contestant("foundation.decode") { [self] in keep(try foundation.decoder.decode(Model.self, from: data)) },
            Contestant("foundation.encode") { [self] in keep(try foundation.encoder.encode(model)) },
        ]
        return parts.map { Contestant(elsewhere: "\(name).codable.\($0.name)", run: $0.run) }
    }

    /// Measures for about `seconds` and reports the figure.
    func run(seconds: Double, bar: Figure.Bar, _ report: (Figure) -> Void) throws {
        let results = try Contest(contestants: contestants).run(seconds: seconds)
        Terminal.say("json.\(name).codable: \(results.summary)")
        guard let ratio = results.ratio(of: "foundation", to: "codable") else { return }
        report(Figure(name: "json.\(name).codable.vsFoundation", value: ratio, bar: bar))
    }

    /// Throws unless both decoders read the same values, also from what either encoder writes.
    func check() throws {
        let expected = Digest(try foundation.decoder.decode(Model.self, from: data))
        let model = try lenient.decoder.decode(Model.self, from: document.bytes)
        try Digest(model).expect(expected, of: "the Codable model", in: name)
        let theirs = try foundation.answerDecoder.decode(Model.self, from: foundation.encoder.encode(model))
        try Digest(theirs).expect(expected, of: "Foundation's answer", in: name)
        let ours = try foundation.answerDecoder.decode(Model.self, from: Data(lenient.encoder.encode(model)))
        try Digest(ours).expect(expected, of: "the Codable model's answer", in: name)
    }
}
