import API
import Contracts
import Foundation
import Gateway
import Records

/// Normalizing a Dark Sky answer, compared with typed peers that only decode and encode.
struct ForecastSuite: Suite {
    static let name = "forecast"
    static let names =
        ["forecast.normalize.vsFoundation", "forecast.normalize.vsSerde"]
        + DialectContest.names(name, ForecastDialect.all.map(\.name) + mappings)

    /// The mappings that are compared with the dialects of Swift.
    private static let mappings = ["metNorway", "openWeatherMap"]

    private let seconds: Double
    private let document: Document
    private let foundation = FoundationCoders.darkSky
    private let serde: Worker?
    private let dialects: DialectContest

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        document = Document.darkSky(options)
        serde = .serde("forecast", document.bytes)
        dialects = DialectContest(
            suite: Self.name,
            entries: try ForecastDialect.all.map { dialect in
                DialectContest.Entry(
                    dialect: dialect.name, document: try .forecast(of: dialect.name, options),
                    normalize: { try dialect.normalize($0).shaped() })
            }
                + Self.mappings.map { name in
                    let mapping = try MappingNormalization(name, kind: .forecast, in: nil)
                    let dialect = mapping.dialect as? ForecastDialect ?? .darkSky
                    return DialectContest.Entry(
                        dialect: name, document: try .forecast(of: name, options),
                        normalize: { try dialect.normalize($0).shaped() })
                })
        Terminal.say("forecast: \(document.origin), \(document.bytes.count) bytes")
        if serde == nil { Terminal.say("skipped: forecast.normalize.vsSerde, serde_json is not built: see README.md") }
        try check()
    }

    func contestants() throws -> [Contestant] { try peers() + dialects.contestants }

    private func peers() throws -> [Contestant] {
        let data = Data(document.bytes)
        var metric = Shaping()
        metric.units = .system(.si)
        var all = [
            Contestant("forecast.normalize") { keep(try ForecastDialect.darkSky.normalize(document.bytes).shaped()) },
            Contestant("forecast.normalize.converted") {
                keep(try ForecastDialect.darkSky.normalize(document.bytes).shaped(metric))
            },
            Contestant("forecast.foundation") {
                let forecast = try foundation.decoder.decode(DarkSkyCodable.Forecast.self, from: data)
                keep(try foundation.encoder.encode(forecast))
            },
        ]
        if let serde { all.append(Contestant(elsewhere: "forecast.serde") { try serde.run($0) }) }
        return all
    }

    func run(_ report: (Figure) -> Void) throws {
        let results = try Contest(contestants: peers()).run(seconds: seconds / 2)
        Terminal.say("forecast: \(results.summary)")
        for (peer, figure, bar) in [("foundation", "vsFoundation", 30.0), ("serde", "vsSerde", 1.5)] {
            guard let ratio = results.ratio(of: "forecast.\(peer)", to: "forecast.normalize") else { continue }
            report(Figure(name: "forecast.normalize.\(figure)", value: ratio, bar: .atLeast(bar)))
        }
        try dialects.run(seconds: seconds / 2, report)
    }

    /// Throws unless the answer holds the values that Foundation decodes from the document.
    private func check() throws {
        let model = DarkSkyCodable.Forecast.self
        let expected = Digest(try foundation.decoder.decode(model, from: Data(document.bytes)))
        let answer = Data(try ForecastDialect.darkSky.normalize(document.bytes).shaped().body)
        try Digest(try foundation.answerDecoder.decode(model, from: answer))
            .expect(expected, of: "the answer", in: "forecast")
    }
}
