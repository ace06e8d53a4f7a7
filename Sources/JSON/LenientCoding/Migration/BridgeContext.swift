/// What an outer `Decodable` model passes on through hand-written models to the `Codable` ones in them.
struct BridgeContext: Sendable {
    @TaskLocal static var current: BridgeContext?

    /// The outer decoder's strategies, leniency and user info; the default ones of a decoder of another module.
    let decoder: LenientDecoder
    /// The outer decoder's recorder.
    let recorder: DriftRecorder?
    /// The path from the root of the document to the current value.
    private(set) var path: [RawCodingKey]

    init(_ outer: any Decoder) {
        decoder = (outer as? ValueDecoder)?.state.configuration ?? LenientDecoder()
        recorder = outer.driftRecorder
        path = outer.codingPath.map { key in
            key.intValue.map { RawCodingKey(intValue: $0) } ?? RawCodingKey(key.stringValue)
        }
    }

    /// Runs `body` with the path of a value inside the current one.
    static func at<Result>(_ step: JSONDecodingError.Step, _ body: () throws -> Result) rethrows -> Result {
        guard var context = current else { return try body() }
        context.path.append(RawCodingKey(step))
        return try $current.withValue(context, operation: body)
    }
}
