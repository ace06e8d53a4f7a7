import API
import CivilDates
import EventLoop
import HTTPCore
import HTTPServer
import JSONText
import Records
import Settings
import Synchronization
public import Operations

/// A small upstream that answers on a loopback port like the real one, from a folder of documents.
public final class SampleUpstream: Sendable {
    /// The address, such as `http://127.0.0.1:40123`.
    public let baseURL: String
    private let server: Server
    private let shard: Shard
    private let isStopped = Atomic<Bool>(false)

    /// Starts the sample in `folder` on a free loopback port; its times are those of `clock`.
    /// - Throws: `SystemError`, or `ConfigurationError` if a file in the folder is malformed.
    public init(folder: String, clock: Clock = .system) throws {
        shard = try Shard(index: 0)
        let handler = try SampleHandler(folder: folder, clock: clock)
        // The service around it says which files are missing.
        var options = ServerOptions()
        (options.otherFiles, options.reservedConnections) = (0, 0)
        server = try Server(.network(host: "127.0.0.1", port: 0), shards: [shard], handler: handler, options: options)
        baseURL = "http://\(server.address)"
        shard.start()
        server.start()
    }

    // The last request of a replaced configuration has ended.
    deinit {
        if isStopped.load(ordering: .relaxed) { return }
        Task { [server, shard] in await Self.stop(server, shard) }
    }

    /// Closes its listener and its connections at once.
    public func stop() async {
        if !isStopped.exchange(true, ordering: .relaxed) { await Self.stop(server, shard) }
    }

    private static func stop(_ server: Server, _ shard: Shard) async {
        server.cut()
        _ = await server.drain()
        shard.stop()
    }
}

final class SampleHandler: RequestHandler {
    /// The size of a document.
    private static let maximumBytes = 16 << 20

    private let sample: SampleConfiguration
    private struct Answer {
        let settings: SampleAnswer
        let path: PathTemplate
        let query: [String: PathTemplate]
        let document: SampleDocument

        init(_ settings: SampleAnswer, _ document: SampleDocument) {
            (self.settings, self.document) = (settings, document)
            path = PathTemplate(settings.path)
            query = settings.query.mapValues { PathTemplate($0, isPath: false) }
        }

        /// Returns the parameters of a request, and those of the templates; nil if the request does not match.
        func match(_ path: String, _ parameters: [String: String]) -> [String: String]? {
            guard let values = self.path.match(path) else { return nil }
            return query.reduce(parameters.merging(values) { $1 }) { known, parameter in
                guard let known, let value = known[parameter.key] else { return nil }
                if parameter.value.description == "*" { return known }
                return parameter.value.match(value).map { known.merging($0) { $1 } }
            }
        }
    }

    private let answers: [Answer]
    private let count = Atomic<Int>(0)
    private let clock: Clock

    init(folder: String, clock: Clock) throws {
        let sample = try ConfigurationFile(path: "\(folder)/sample.json").read(SampleConfiguration.self)
        (self.sample, self.clock) = (sample, clock)
        answers = try sample.answers.map { settings in
            let file = "\(folder)/\(settings.body)"
            let bytes = try Self.document(at: file)
            let document = SampleDocument(
                bytes: bytes, clock: settings.clock, steps: settings.steps, times: settings.times)
            do {
                _ = try document.rewritten(now: settings.clock ?? 0, values: [:])
            } catch {
                throw ConfigurationError("\(file): \(error)")
            }
            return Answer(settings, document)
        }
    }

    private static func document(at path: String) throws -> [UInt8] {
        do {
            return try FileContents.read(path: path, limit: maximumBytes)
        } catch let error as FileContents.NotAFile {
            throw ConfigurationError("\(path): \(error)")
        } catch let error as FileContents.TooLarge {
            throw ConfigurationError("\(path): \(error)")
        }
    }

    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply {
        let start = clock.now()
        guard sample.delayMilliseconds > 0 else { return .now(response(to: request, since: start)) }
        return .later { [self] in
            // The sleep is cancelled when the client has gone.
            try? await Task.sleep(for: .milliseconds(sample.delayMilliseconds))
            return response(to: request, since: start)
        }
    }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        Response(status: failure.status, headers: [("Content-Type", "text/plain")], body: Array(failure.detail.utf8))
    }

    private func response(to request: Request, since start: MonotonicTime) -> Response {
        let query = Dictionary(request.target.query.pairs, uniquingKeysWith: { $1 })
        for answer in answers {
            guard let parameters = answer.match(request.target.path, query) else { continue }
            let location = parameters.filter { $0.key == "latitude" || $0.key == "longitude" }
            guard Self.exists(location),
                let body = try? answer.document.rewritten(
                    now: moment(parameters, in: answer.document), values: location)
            else { return Self.response(answer.settings.invalidLocation ?? sample.notFound) }
            return Response(
                status: Status(answer.settings.status), headers: headers(of: answer.settings, since: start), body: body)
        }
        return Self.response(sample.notFound)
    }

    private func headers(of answer: SampleAnswer, since start: MonotonicTime) -> [(name: String, value: String)] {
        let now = clock.seconds, reset = now + 900
        let date = String(decoding: HTTPDate.format(secondsSinceEpoch: now + 60), as: UTF8.self)
        let values = [
            "count": "\(count.add(1, ordering: .relaxed).newValue)",
            "elapsed": "\((clock.now() - start).wholeMilliseconds)",
            // Dark Sky writes the zone as +0000, so the field is not an HTTP date.
            "expires": date.replacing("GMT", with: "+0000"),
            "reset": "\(reset)", "resetTime": ISO8601Timestamp.format(secondsSinceEpoch: Double(reset)) ?? "",
        ]
        let fields = sample.headers.merging(answer.headers) { $1 }.sorted { $0.key < $1.key }
        return fields.map { name, value in
            (name, values.reduce(value) { text, variable in text.replacing("{\(variable.key)}", with: variable.value) })
        }
    }

    /// Returns the moment that a time machine request asks for, or now.
    private func moment(_ parameters: [String: String], in document: SampleDocument) -> Int {
        // WeatherKit is asked about another time without its data set of now.
        let isPast = parameters["dataSets"]?.contains("currentWeather") == false
        let text = parameters["time"] ?? parameters["start_date"] ?? (isPast ? parameters["hourlyStart"] : nil)
        let zone = parameters["timeZone"].flatMap(ZoneRules.named)
        let moment = text.flatMap { document.moment($0, in: zone) } ?? clock.seconds
        return max(-100_000_000_000, min(100_000_000_000, moment))
    }

    private static func exists(_ location: [String: String]) -> Bool {
        location.allSatisfy { name, text in
            guard text.wholeMatch(of: /-?[0-9]*\.?[0-9]+/) != nil, let degrees = Double(text) else { return false }
            return abs(degrees) <= (name == "latitude" ? 90 : 180)
        }
    }

    private static func response(_ error: SampleError) -> Response {
        Response(
            status: Status(error.status), headers: [("Content-Type", "application/json; charset=utf-8")],
            body: JSONWriter.bytes(expecting: 128) { error.body.write(to: &$0) })
    }
}
