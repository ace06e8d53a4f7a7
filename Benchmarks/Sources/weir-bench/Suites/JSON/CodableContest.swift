import Foundation
import LenientCoding

/// One document, decoded and encoded again as the same Codable model by Foundation's coders and by ours.
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

    /// Those that take part in the contest.
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

    /// Their parts, for a profiler, under their full names.
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

    /// Measures for about so many seconds, and tells the figure.
    func run(seconds: Double, bar: Figure.Bar, _ tell: (Figure) -> Void) throws {
        let results = try Contest(contestants: contestants).run(seconds: seconds)
        Terminal.say("json.\(name).codable: \(results.summary)")
        guard let ratio = results.ratio(of: "foundation", to: "codable") else { return }
        tell(Figure(name: "json.\(name).codable.vsFoundation", value: ratio, bar: bar))
    }

    /// Fails unless both decode the same values, and read them from what either encodes.
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
