import Settings
import API
import Proxy
import CivilDates
import EventLoop
import Contracts
import HTTPClient
import HTTPCore
import JSONText
import Operations
import Records
import Synchronization

/// An upstream of forecasts.
///
/// A class, because every request holds it.
final class ForecastUpstream: DocumentUpstream {
    /// An address of the upstream, and the requests that it gets.
    final class Place: Sendable {
        let site: ForecastSite
        let address: UpstreamAddress
        let kind: RequestKind
        /// How its documents are kept; nil if they are not.
        let policy: CachePolicy?
        /// The time for one try.
        let deadline: Duration

        init(
            _ site: ForecastSite, _ address: UpstreamAddress, _ kind: RequestKind, _ policy: CachePolicy?,
            _ deadline: Duration
        ) {
            (self.site, self.address, self.kind) = (site, address, kind)
            (self.policy, self.deadline) = (policy, deadline)
        }
    }

    let upstream: Upstream
    /// Its addresses, in order of preference; the first one is its own.
    let places: [Place]
    let dialect: ForecastDialect
    /// The number of decimals to which coordinates are rounded.
    private let coordinateDigits: Int
    /// The time zone and the country of all places, and the weather model; nil if they are not set.
    private let timeZone: String?, countryCode: String?, model: String?
    /// The mapping that makes the requests; nil for a dialect of Swift.
    private let mapping: ForecastMapping?
    private let errors: ErrorReader
    /// The errors of a request for which there is a simpler one: its program fails at what only this request asks for, which
    /// is no sign of an outage.
    private let errorsOfExtended: ErrorReader
    /// The targets that the upstream fails to answer.
    private let failing = FailingTargets()

    init(
        upstream: Upstream, places: [Place], dialect: ForecastDialect, settings: UpstreamConfiguration,
        coordinateDigits: Int
    ) {
        (self.upstream, self.places, self.dialect) = (upstream, places, dialect)
        (timeZone, countryCode, model) = (settings.timeZone, settings.countryCode, settings.model)
        mapping = settings.mapping as? ForecastMapping
        self.coordinateDigits = min(coordinateDigits, mapping?.coordinateDigits ?? coordinateDigits)
        func errors(_ identity: String, _ meaning: @escaping @Sendable (Int) -> Int?) -> ErrorReader {
            ErrorReader(
                identity, explain: { (dialect.errorMessage(in: $0.body), meaning($0.status)) },
                pause: { dialect.pause(after: $0, now: Int64($1)) })
        }
        self.errors = errors("forecasts") { _ in nil }
        errorsOfExtended = errors("extended") { [500, 502].contains($0) ? 501 : nil }
    }

    func canAnswer(_ request: WeatherRequest, now: Int64) -> Bool { place(for: request.query, now: now) != nil }

    /// A time machine takes longer than a forecast, and has a deadline of its own.
    func deadline(for request: WeatherRequest, now: Int64) -> Duration? {
        place(for: request.query, now: now).flatMap { $0.site.isPast ? $0.deadline : nil }
    }

    static func refusal(of request: WeatherRequest, by upstreams: [ForecastUpstream], now: Int64) -> Problem? {
        let able = upstreams.filter(\.dialect.hasPast)
        if able.isEmpty, !upstreams.isEmpty {
            let detail = "must be left out: the upstreams have no weather of another time"
            return Problem.invalidParameters([Parameters.Fault(name: WeatherParameters.time.spec.name, detail: detail)])
        }
        let ranges = able.compactMap { $0.dialect.coverage(of: $0.places.map(\.site), now: now) }
        guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else { return nil }
        func text(_ seconds: Int64) -> String { ISO8601Timestamp.format(secondsSinceEpoch: Double(seconds)) ?? "" }
        let detail = "must be from \(text(first)) to \(text(last)): the upstreams have no weather of another time"
        return Problem.invalidParameters([Parameters.Fault(name: WeatherParameters.time.spec.name, detail: detail)])
    }

    nonisolated(nonsending) func answer(
        _ request: WeatherRequest, _ form: AnswerForm, in context: FetchContext
    ) async throws(FetchFailure) -> Answer {
        var query = rounded(request.query)
        (query.timeZone, query.countryCode, query.model) = (timeZone, countryCode, model)
        query.units = .si
        if dialect.asksForClientUnits { query.take(request.shaping.units) }
        query.now = Int64(context.clock.seconds)
        let (asked, now) = (query, Int64(context.clock.seconds))
        if let mapping { return try await answer(request, asked, mapping, form, in: context) }
        // A time can leave the range of its site between two looks at the clock; then the upstream refuses it.
        let place = place(for: asked, now: now) ?? places[0]
        let target = dialect.target(for: asked, at: place.site, now: now)
        let simpler = dialect.simplerTarget(than: target)
        func documentRequest(_ target: String, _ errors: ErrorReader) -> DocumentRequest {
            DocumentRequest(
                to: upstream, at: place.address, place.kind, target: target,
                // Coordinates and times begin so, and no other segment of any dialect does.
                shownPath: { target.path { $0.first == "-" || $0.first?.isNumber == true } }, policy: place.policy,
                deadline: place.deadline, errors: errors
            ) { [self, shaping = request.shaping, requires = request.requires] in
                let document = try dialect.normalize($0.body, answering: asked, options: $1)
                if let block = requires.first(where: { !document.has($0) }) { throw MissingBlock(block) }
                return ReadDocument { document.shaped(shaping) }
            }
        }
        guard let simpler else { return try await documentRequest(target, errors).answer(form, in: context) }
        let simplerRequest = documentRequest(simpler, errors)
        if failing.contains(target, now: now) { return try await simplerRequest.answer(form, in: context) }
        let failure: FetchFailure
        do throws(FetchFailure) {
            return try await documentRequest(target, errorsOfExtended).answer(form, in: context)
        } catch {
            failure = error
        }
        guard failure.isNotImplemented else { throw failure }
        do throws(FetchFailure) {
            let answer = try await simplerRequest.answer(form, in: context)
            failing.insert(target, now: now)
            return answer
        } catch {
            throw failure
        }
    }

    /// Returns the answer of an upstream of a mapping, which makes the requests.
    nonisolated(nonsending) private func answer(
        _ request: WeatherRequest, _ asked: ForecastQuery, _ mapping: ForecastMapping, _ form: AnswerForm,
        in context: FetchContext
    ) async throws(FetchFailure) -> Answer {
        let place = places[0]
        let (plan, dialect) = mapping.plan(for: asked)
        let prepared = try await plan.prepare(
            upstream, mapping.values(of: asked, excluded: request.shaping.excluded), policy: place.policy,
            meaning: { _ in Int?.none }, in: context)
        let errors = ErrorReader("forecasts " + prepared.identity) { (prepared.rules.explain($0).message, nil) }
        let document = DocumentRequest(
            to: upstream, at: place.address, asked.time == nil ? .forecast : .history, target: prepared.request.target,
            shownPath: { prepared.shownPath }, content: prepared.request.content, policy: place.policy,
            deadline: place.deadline, errors: errors
        ) { [shaping = request.shaping, requires = request.requires] in
            let text = try prepared.text(with: $0.body, $1)
            var options = $1
            options.maximumBytes = max(options.maximumBytes, text.count)
            let document = try dialect.normalize(text, answering: asked, options: options)
            if let block = requires.first(where: { !document.has($0) }) { throw MissingBlock(block) }
            return ReadDocument { document.shaped(shaping).adding(prepared.losses) }
        }
        return try await document.answer(form, in: context)
    }

    private func place(for query: ForecastQuery, now: Int64) -> Place? {
        if query.time == nil { return places.first }
        guard dialect.hasPast else { return nil }
        let site = dialect.site(for: query, among: places.map(\.site), now: now)
        return places.first { $0.site == site }
    }

    private var scale: Double { (0..<coordinateDigits).reduce(1.0) { scale, _ in scale * 10 } }

    private func rounded(_ query: ForecastQuery) -> ForecastQuery {
        let scale = scale
        var query = query
        // Adding zero turns -0 into 0.
        query.latitude = (query.latitude * scale).rounded() / scale + 0
        query.longitude = (query.longitude * scale).rounded() / scale + 0
        return query
    }
}

extension RequestKind {
    /// The kinds of requests for forecasts; those for another time can go to other servers of the upstream.
    static let ofForecasts = [forecast, history]
    static let forecast = RequestKind("forecast", rank: 0)
    static let history = RequestKind("history", weighedAs: forecast, isSlow: true, rank: 5)
}

/// The error for a document without a block that the settings require.
private struct MissingBlock: UnusableDocument, CustomStringConvertible {
    let description: String

    init(_ block: ForecastBlock) { description = "it has no \(block.rawValue), which weather.requires names" }
}

extension ForecastQuery {
    /// Asks for a client's units; nil keeps those of the query.
    fileprivate mutating func take(_ clientUnits: Shaping.Units?) {
        switch clientUnits {
        case .system(let system): units = system
        case .automatic: unitsAreAutomatic = true
        case nil: break
        }
    }
}

extension ForecastSite {
    /// Whether the site has other limits than the one that knows the weather of now.
    var isPast: Bool { self == .history || self == .archive }
}

extension UpstreamConfiguration {
    /// Returns the addresses of a forecast upstream, in order of preference, for an upstream at `baseURL`.
    ///
    /// The public APIs have other addresses for the past, which are known; another server is asked about any time,
    /// unless the settings name such addresses.
    func forecastSites(of dialect: ForecastDialect, at baseURL: String) -> [(site: ForecastSite, baseURL: String)] {
        let host = (try? BaseURL(baseURL))?.host ?? ""
        let isPublic = dialect.limitedHosts.contains(host)
        guard isPublic || historyURL != nil || archiveURL != nil else {
            return [(site: .own, baseURL: baseURL)]
        }
        func address(_ site: ForecastSite, _ setting: String?) -> String? {
            guard setting == nil, isPublic else { return setting }
            return dialect.sites[site].map { url in
                host.hasPrefix("customer-") ? url.replacing("https://", with: "https://customer-") : url
            }
        }
        let others = [
            (ForecastSite.history, address(.history, historyURL)), (.archive, address(.archive, archiveURL)),
        ]
        let past = others.compactMap { site, url in url.map { (site: site, baseURL: $0) } }
        return [(site: .current, baseURL: baseURL)] + past
    }
}

/// The targets that an upstream fails to answer, while it answers a simpler one about the same place.
///
/// Without them, each request would fail once before the cache is asked for the simpler answer.
private final class FailingTargets: Sendable {
    private static let seconds: Int64 = 3600
    private static let maximumCount = 1024

    /// When each target is tried again, in unix seconds.
    private let ends = Mutex<[String: Int64]>([:])

    /// Whether the target is not to be asked for at `now`, in unix seconds.
    func contains(_ target: String, now: Int64) -> Bool { ends.withLock { $0[target].map { now < $0 } ?? false } }

    /// Notes that the upstream has failed to answer a target.
    func insert(_ target: String, now: Int64) {
        ends.withLock { ends in
            if ends.count >= Self.maximumCount { ends.removeAll() }
            ends[target] = now + Self.seconds
        }
    }
}
