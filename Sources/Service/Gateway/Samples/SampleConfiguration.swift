import Operations
import Records
package import Settings

/// The file `sample.json` in a sample's folder: the paths that the sample answers, and its answers.
struct SampleConfiguration: Record {
    /// The answers; a request gets the first that matches it.
    var answers: [SampleAnswer] = []
    /// Header fields of every answer, unless the answer has its own.
    var headers: [String: String] = [:]
    /// The answer to all other paths.
    var notFound = SampleError()
    /// The time that every answer takes, to imitate a slow upstream.
    var delayMilliseconds = 0

    static let schema = Schema<SampleConfiguration>(.exact, .defaulted) {
        Field(\.answers, .required)
        Field(\.headers)
        Field(\.notFound, .required)
        Field(\.delayMilliseconds, .plausible(0...3_600_000))
    }
}

/// The answer to one path: a document that is adapted to the requested place and to the time.
struct SampleAnswer: Record {
    /// A template such as `/forecast/{key}/{latitude},{longitude}`.
    ///
    /// Its `{latitude}` and `{longitude}`, or the query parameters of these names, replace those of the document. `{time}` is
    /// the moment or the date to which the times move, by the clock of `{timeZone}`.
    var path = ""
    /// The query parameters that a request must have, with templates of their values; `*` is any value.
    var query: [String: String] = [:]
    var status = 200
    /// The name of the document's file in the sample's folder.
    var body = ""
    /// The time of the document, in unix seconds; without it the times in the document do not move.
    var clock: Int?
    /// The step in seconds by which the times below a key of the root move, so that hours start on the hour; `a.b` is the
    /// key `b` below the key `a` of the root.
    var steps: [String: Int] = [:]
    /// The names of further members whose values are times: unix seconds, dates, or dates and times of ISO 8601.
    var times: [String] = []
    /// Header fields.
    ///
    /// `{count}` is the number of answers so far, `{elapsed}` the milliseconds that this one took, `{expires}` a date one
    /// minute from now, `{reset}` and `{resetTime}` the unix seconds and the timestamp 15 minutes from now.
    var headers: [String: String] = [:]
    /// The answer for a place that does not exist; `notFound` by default.
    var invalidLocation: SampleError?

    static let schema = Schema<SampleAnswer>(.exact, .defaulted) {
        Field(\.path, .required)
        Field(\.query)
        Field(\.status, .plausible(200...599))
        Field(\.body, .required)
        Field(\.clock)
        Field(\.steps)
        Field(\.times)
        Field(\.headers)
        Field(\.invalidLocation)
    }
}

/// An error in the words of the real upstream.
struct SampleError: Record {
    var status = 404
    var body = JSONValue.null

    static let schema = Schema<SampleError>(.exact, .defaulted) {
        Field(\.status, .plausible(400...599))
        Field(\.body, .required)
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

/// A path or a value with parameters: `/forecast/{key}/{latitude},{longitude}`.
///
/// A value is not empty, and contains no `/` in a path.
struct PathTemplate: Sendable, CustomStringConvertible {
    private enum Part {
        case literal([UInt8])
        case value(String)
    }

    let description: String
    /// Whether the template has no parameters.
    let isLiteral: Bool
    private let isPath: Bool
    private let parts: [Part]

    /// The template that `text` describes; a `{` without a `}` is literal.
    init(_ text: String, isPath: Bool = true) {
        (description, self.isPath) = (text, isPath)
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.literal(Array(rest[..<open].utf8))) }
            parts.append(.value(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.literal(Array(rest.utf8))) }
        self.parts = parts
        isLiteral = parts.allSatisfy { part in if case .literal = part { true } else { false } }
    }

    /// Returns the values of the parameters in `path`, or nil if the path does not match.
    ///
    /// A value ends where the literal after it begins.
    func match(_ path: String) -> [String: String]? {
        if isLiteral { return path == description ? [:] : nil }
        var rest = Array(path.utf8)[...]
        var values: [String: String] = [:]
        for (index, part) in parts.enumerated() {
            switch part {
            case .literal(let literal):
                guard rest.starts(with: literal) else { return nil }
                rest = rest.dropFirst(literal.count)
            case .value(let name):
                var stop: UInt8?
                if index + 1 < parts.count, case .literal(let literal) = parts[index + 1] { stop = literal.first }
                let value = rest.prefix { $0 != stop && !(isPath && $0 == UInt8(ascii: "/")) }
                guard !value.isEmpty else { return nil }
                values[name] = String(decoding: value, as: UTF8.self)
                rest = rest.dropFirst(value.count)
            }
        }
        return rest.isEmpty ? values : nil
    }
}
