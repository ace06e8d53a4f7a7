import Foundation
import LenientCoding

/// The figures of each model.
enum ShapeFigure: String, CaseIterable {
    case decode
    /// Decoding with a `DriftReport`, which Foundation does not have, against its plain decoding.
    case decodeDrift
    case encode
}

/// A contest of any model.
protocol ShapeMeasuring {
    var name: String { get }
    func contestants() throws -> [Contestant]
    /// Throws unless both decoders read the same values, also from what either encoder writes.
    func check() throws
    /// Measures for about `seconds` and reports each figure.
    func run(seconds: Double, _ report: (Figure) -> Void) throws
}

/// Decodes a document as one Codable model and encodes the model, with Foundation's coders and with ours.
final class ShapeContest<Model: Codable>: ShapeMeasuring {
    let name: String
    private let bytes: [UInt8]
    private let data: Data
    private let decoder: JSONDecoder
    private let encoder: JSONEncoder
    private let lenient: LenientCoders

    init(_ name: String, _ document: GeneratedValue, _ coders: ShapeCoders = ShapeCoders()) {
        self.name = name
        bytes = document.compact
        data = Data(bytes)
        decoder = coders.decoder
        encoder = coders.encoder
        lenient = coders.lenient
    }

    func contestants() throws -> [Contestant] {
        let model = try decoder.decode(Model.self, from: data)
        return [
            Contestant("foundation.decode") { [self] in keep(try decoder.decode(Model.self, from: data)) },
            Contestant("decode") { [self] in keep(try lenient.decoder.decode(Model.self, from: bytes)) },
            Contestant("decodeDrift") { [self] in
                var drift = DriftReport()
                keep(try lenient.decoder.decode(Model.self, from: bytes, drift: &drift))
                keep(drift)
            },
            Contestant("foundation.encode") { [self] in keep(try encoder.encode(model)) },
            Contestant("encode") { [self] in keep(try lenient.encoder.encode(model)) },
        ]
    }

    func run(seconds: Double, _ report: (Figure) -> Void) throws {
        let results = try Contest(contestants: contestants()).run(seconds: seconds)
        Terminal.say("shapes.\(name): \(bytes.count) bytes, \(results.summary)")
        for figure in ShapeFigure.allCases {
            let peer = figure == .encode ? "foundation.encode" : "foundation.decode"
            guard let ratio = results.ratio(of: peer, to: figure.rawValue) else { continue }
            report(Figure(name: "shapes.\(name).\(figure.rawValue)", value: ratio, bar: .atLeast(1.3)))
        }
    }

    func check() throws {
        let model = try decoder.decode(Model.self, from: data)
        let expected = try digest(model)
        func expect(_ other: Model, of who: String) throws {
            if try digest(other) != expected {
                throw UnequalWork(document: "shapes.\(name)", who: who, differences: ["the whole document"])
            }
        }
        var drift = DriftReport()
        try expect(lenient.decoder.decode(Model.self, from: bytes), of: "our model")
        try expect(lenient.decoder.decode(Model.self, from: bytes, drift: &drift), of: "our model with a drift report")
        try expect(decoder.decode(Model.self, from: Data(lenient.encoder.encode(model))), of: "our document")
        try expect(
            lenient.decoder.decode(Model.self, from: [UInt8](encoder.encode(model))), of: "Foundation's document")
    }

    /// The model as Foundation writes it, with sorted keys, because dictionaries have no order.
    private func digest(_ model: Model) throws -> Data {
        let sorted = JSONEncoder()
        sorted.keyEncodingStrategy = encoder.keyEncodingStrategy
        sorted.outputFormatting = .sortedKeys
        return try sorted.encode(model)
    }
}

/// Foundation's coders and ours with equal strategies.
struct ShapeCoders {
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    var lenient = LenientCoders()

    /// Coders for dates in ISO 8601.
    static var dates: ShapeCoders {
        var coders = ShapeCoders()
        coders.decoder.dateDecodingStrategy = .iso8601
        coders.encoder.dateEncodingStrategy = .iso8601
        coders.lenient.decoder.dateDecodingStrategy = .iso8601
        coders.lenient.encoder.dateEncodingStrategy = .iso8601
        return coders
    }

    /// Coders for keys in snake_case.
    static var snakeCase: ShapeCoders {
        var coders = ShapeCoders()
        coders.decoder.keyDecodingStrategy = .convertFromSnakeCase
        coders.encoder.keyEncodingStrategy = .convertToSnakeCase
        coders.lenient.decoder.keyDecodingStrategy = .convertFromSnakeCase
        coders.lenient.encoder.keyEncodingStrategy = .convertToSnakeCase
        return coders
    }
}
