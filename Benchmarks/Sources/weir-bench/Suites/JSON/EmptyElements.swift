import Contracts
import JSONText

/// An array of empty objects, as large as the largest answer of an upstream: each element of a list of tweets is dropped.
///
/// A failure with a path for each would take a microsecond an element, which is three seconds for 8 MB.
final class EmptyElements {
    private static let count = (8 << 20) / 3
    private let elements: [UInt8], points: [UInt8]
    private var parser = JSONParser(), transform = JSONTransform(), writer = JSONWriter()

    init() {
        let list = "[" + Array(repeating: "{}", count: Self.count).joined(separator: ",") + "]"
        elements = Array(list.utf8)
        points = Array(#"{"latitude":1,"longitude":2,"timezone":"UTC","hourly":{"data":\#(list)}}"#.utf8)
    }

    private var contestants: [Contestant] {
        TweetDialect.all.map { dialect in
            Contestant(dialect.name) { [self] in keep(try? dialect.normalize(elements)) }
        } + [
            Contestant("darkSky") { [self] in keep(try? ForecastDialect.darkSky.normalize(points)) },
            Contestant("transform") { [self] in
                writer.reset()
                try parser.withDocument(elements) { transform.write($0, to: &writer) }
            },
        ]
    }

    /// Returns the nanoseconds for an element, of the slowest reader.
    func run(seconds: Double) throws -> Double {
        let results = try Contest(contestants: contestants).run(seconds: seconds)
        Terminal.say("json.empty: \(results.summary)")
        return (results.times.values.map(\.median).max() ?? .nan) / Double(Self.count)
    }
}
