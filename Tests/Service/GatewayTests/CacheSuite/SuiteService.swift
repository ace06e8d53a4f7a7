import HTTPCore
import TestSupport

@testable import Gateway
@testable import Settings
@testable import Proxy

/// The service in place of the suite's cache: the client asks it over sockets, and it asks the suite's upstream.
///
/// Answers do not have the upstream's fields and bodies, so documents have the number of the response that they are from.
final class SuiteService: Sendable {
    /// A test that is played.
    private struct Play: Sendable {
        /// The number of the test, which is the latitude of its places.
        let index: Int
        let upstream: SuiteUpstream
        /// The number of the request that the client has sent.
        var number = ""
        /// The targets that the client has asked for: each one is a place.
        var targets: [String] = []
        /// The entity tags of a document: the one that the upstream gave, and the service's own.
        var tags: (given: String, own: String)?
    }

    /// The rules of `CacheSuiteTables.policy` as settings, beside those that are constants of the service.
    static let settings = """
        "weather": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0, "staleIfErrorSeconds": 3600, "obeysClients": true}
        """
    /// What the settings add to Cache-Control.
    private static let addition = ", stale-if-error=3600"
    /// Fields by which the suite recognizes a response; a client takes them from the document.
    private static let marks = [
        "server-base-url", "server-request-count", "client-request-count", "server-now", "request-numbers", "a",
    ]

    private let hands: CachedService.Hands
    private let scripted: ScriptedUpstream
    private let service: CachedService
    private let play: Watched<Play?>

    private init(_ settings: String) throws {
        let play = Watched<Play?>(nil)
        scripted = try ScriptedUpstream { head in
            guard let play = play.current else { return .close }
            let lines = head.split(separator: "\r\n").dropFirst().map { $0.split(separator: ": ", maxSplits: 1) }
            let fields = lines.filter { $0.count == 2 }.map { (name: String($0[0]), value: String($0[1])) }
            let request = SuiteRequest(
                method: "GET", target: "/", fields: HeaderFields(fields + [(name: "Req-Num", value: play.number)]))
            guard let response = play.upstream.answer(request) else { return .close }
            return .bytes(Self.bytes(response, number: play.upstream.arrivals.count))
        }
        (self.play, hands) = (play, CachedService.Hands())
        service = try CachedService(
            [scripted.baseURL], cache: settings, upstream: #", "breaker": {"minimumRequests": 1000000}"#,
            shards: 1, hands: hands
        ) { configuration in
            configuration.cache.weather.ceilingSeconds = CacheControl.longest
            configuration.cache.weather.guessesLifetime = true
        }
    }

    /// Plays these tests through a cache with settings; the outcomes are by the names of the tests.
    static func outcomes(
        of tests: [CacheTest], cache settings: String = settings
    ) async throws -> [String: SuiteClient.Outcome] {
        guard !tests.isEmpty else { return [:] }
        let suite = try SuiteService(settings)
        let outcomes = await WorkQueue("cache suite").run {
            tests.enumerated().map { (test: $0.element.id, outcome: suite.outcome(of: $0.element, $0.offset)) }
        }
        await suite.service.stop()
        suite.scripted.stop()
        return Dictionary(outcomes.map { ($0.test, $0.outcome) }) { first, _ in first }
    }

    private func outcome(of test: CacheTest, _ index: Int) -> SuiteClient.Outcome {
        let upstream = SuiteUpstream(test, hands)
        play.update { $0 = Play(index: index, upstream: upstream) }
        var client = SuiteClient(test, hands, upstream, passesFields: false) {
            [self] request throws(SuiteClient.Failure) in
            do { return try answer(request, upstream) } catch {
                throw SuiteClient.Failure(text: "no answer: \(error)", isSetup: true)
            }
        }
        return client.outcome()
    }

    /// The response of the suite's upstream as that of an upstream of forecasts.
    private static func bytes(_ response: SuiteResponse, number: Int) -> [UInt8] {
        var lines = response.fields.pairs.map { "\($0.name): \($0.value)" } + ["Connection: close"]
        var body = ""
        if response.status != 204, response.status != 304 {
            body = response.status == 200 ? forecast(number) : #"{"error":"\#(number)"}"#
            lines.append("Content-Length: \(body.utf8.count)")
        }
        return Array("HTTP/1.1 \(response.status) Some\r\n\(lines.map { "\($0)\r\n" }.joined())\r\n\(body)".utf8)
    }

    private func answer(_ request: SuiteRequest, _ upstream: SuiteUpstream) throws -> SuiteResponse {
        let known = upstream.arrivals.count
        let (target, fields) = play.update { Self.translated(request, &$0) }
        let raw = try service.get(target, headers: fields)
        service.settle()
        let arrivals = upstream.arrivals
        var (status, number) = (raw.status, Int?.none)
        switch status {
        case 200: number = try raw.temperature
        case 304: number = arrivals.count > known ? arrivals.count : nil
        default:
            let error = try raw.json()["upstream"]
            status = error["status"].integer ?? status
            number = error["error"].string.flatMap { Int($0) }
        }
        let source = number.flatMap { 1...arrivals.count ~= $0 ? arrivals[$0 - 1].response : nil }
        let tags = play.update { play in
            if let own = raw.header("ETag"), let source { play?.tags = source["ETag"].map { (given: $0, own: own) } }
            return play?.tags
        }
        var lines = raw.headers.map { field in
            switch field.name.lowercased() {
            case "etag": (field.name, field.value == tags?.own ? tags?.given ?? "" : field.value)
            case "cache-control": (field.name, field.value.replacing(Self.addition, with: ""))
            default: (field.name, field.value)
            }
        }
        for field in source?.fields.pairs ?? [] where Self.marks.contains(field.name.lowercased()) {
            lines.append((field.name, field.value))
        }
        return SuiteResponse(
            status: status, fields: HeaderFields(lines), body: status == 304 ? "" : source?.body ?? "")
    }

    /// The place that stands for the request's target, and the lines of its fields.
    private static func translated(_ request: SuiteRequest, _ play: inout Play?) -> (target: String, lines: [String]) {
        play?.number = request.fields["Req-Num"] ?? ""
        if play?.targets.contains(request.target) == false { play?.targets.append(request.target) }
        let longitude = play?.targets.firstIndex(of: request.target) ?? 0
        // Fields that only keep the suite's library from adding its own would hide the shortest way of a hit.
        let isPlain = request.fields.values("Pragma").count == 1 && request.fields.values("Cache-Control").count == 1
        let lines = request.fields.pairs.compactMap { field -> String? in
            switch field.name.lowercased() {
            case "pragma" where isPlain, "cache-control" where isPlain: return nil
            case "if-none-match":
                let tags = field.value.split(separator: ", ").map(String.init)
                let own = tags.map { $0 == play?.tags?.given ? play?.tags?.own ?? $0 : $0 }
                return "If-None-Match: \(own.joined(separator: ", "))"
            default: return "\(field.name): \(field.value)"
            }
        }
        let index = play?.index ?? 0
        return ("/weather?lat=\(index / 10).\(index % 10)&lon=\(longitude)", lines)
    }
}
