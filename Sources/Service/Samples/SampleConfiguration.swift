package import Configuration
import Records
import Telemetry

/// The file `sample.json` in a sample's folder: the paths that the sample answers, and its answers.
struct SampleConfiguration: Codable {
    /// The answers; a request gets the first that matches it.
    var answers: [SampleAnswer] = []
    /// Header fields of every answer, unless the answer has its own.
    var headers: [String: String] = [:]
    /// The answer to all other paths.
    var notFound = SampleError()
    /// The time that every answer takes, to imitate a slow upstream.
    var delayMilliseconds = 0

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&headers, .headers)
        answers = settings.elements(.answers)
        notFound = settings.required(.notFound) ?? notFound
        settings.read(&delayMilliseconds, .delayMilliseconds, in: 0...3_600_000)
        try settings.finish()
    }
}

/// The answer to one path: a document that is adapted to the requested place and to the time.
struct SampleAnswer: Codable {
    /// A template such as `/forecast/{key}/{latitude},{longitude}`.
    ///
    /// Its `{latitude}` and `{longitude}`, or the query parameters of these names, replace those of the document.
    var path = ""
    /// The query parameters that a request must have, with their values; `*` is any value.
    var query: [String: String] = [:]
    var status = 200
    /// The name of the document's file in the sample's folder.
    var body = ""
    /// The time of the document, in unix seconds; without it the times in the document do not move.
    var clock: Int?
    /// The step in seconds by which the times below a key of the root move, so that hours start on the hour.
    var steps: [String: Int] = [:]
    /// Header fields.
    ///
    /// `{count}` is the number of answers so far, `{elapsed}` the milliseconds that this one took, `{expires}` a date one
    /// minute from now, `{reset}` and `{resetTime}` the unix seconds and the timestamp 15 minutes from now.
    var headers: [String: String] = [:]
    /// The answer for a place that does not exist; `notFound` by default.
    var invalidLocation: SampleError?

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        path = settings.required(.path) ?? path
        settings.read(&query, .query)
        settings.read(&status, .status, in: 200...599)
        body = settings.required(.body) ?? body
        clock = settings.optional(.clock)
        settings.read(&steps, .steps)
        settings.read(&headers, .headers)
        invalidLocation = settings.optional(.invalidLocation)
        try settings.finish()
    }
}

/// An error in the words of the real upstream.
struct SampleError: Codable {
    var status = 404
    var body = JSONValue.null

    init() {}

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&status, .status, in: 400...599)
        body = settings.required(.body) ?? body
        try settings.finish()
    }
}

extension UpstreamConfiguration {
    /// The reasons why the sample cannot be used; none without a sample.
    package func sampleFaults(in file: ConfigurationFile) -> [String] {
        guard let sample else { return [] }
        do {
            _ = try SampleHandler(folder: file.resolve(sample), clock: .system)
            return []
        } catch {
            // An error of a configuration has a line for each fault.
            return "\(error)".split(separator: "\n").map { "cannot be used: \($0)" }
        }
    }
}
