import Configuration
import Routing
import Upstreams
import CivilDates
import Contracts
import EventLoop
import Forecast
import HTTPClient
import HTTPCore
import Records
import Telemetry

/// An upstream of forecasts.
///
/// A class, because every request copies it several times, and a dialect has a dozen closures to retain.
final class ForecastUpstream: DocumentUpstream {
    /// The upstream at its own address.
    let upstream: Upstream
    /// The upstream at each of its addresses, in order of preference.
    let sites: [(site: ForecastSite, upstream: Upstream)]
    let dialect: ForecastDialect
    /// The units to request, unless the dialect asks for the client's.
    let units: UnitSystem
    /// The number of decimals to which coordinates are rounded.
    let coordinateDigits: Int
    /// The targets that the upstream fails to answer.
    private let failing = FailingTargets()
    /// The time zone and the country of all places, and the weather model; nil if they are not set.
    let timeZone: String?, countryCode: String?, model: String?

    init(
        upstream: Upstream, sites: [(site: ForecastSite, upstream: Upstream)], dialect: ForecastDialect,
        settings: UpstreamConfiguration, coordinateDigits: Int
    ) {
        (self.upstream, self.sites, self.dialect) = (upstream, sites, dialect)
        units = UnitSystem(rawValue: settings.units) ?? .si
        (timeZone, countryCode, model) = (settings.timeZone, settings.countryCode, settings.model)
        self.coordinateDigits = coordinateDigits
    }

    func canAnswer(_ request: WeatherRequest, now: Int64) -> Bool { site(for: request.query, now: now) != nil }

    /// A time machine takes longer than a forecast, and has a deadline of its own.
    func deadline(for request: WeatherRequest, now: Int64) -> Duration? {
        guard let place = site(for: request.query, now: now) else { return nil }
        return place.site.isPast ? place.upstream.deadline : nil
    }

    static func refusal(of request: WeatherRequest, by upstreams: [ForecastUpstream], now: Int64) -> Problem? {
        let ranges = upstreams.compactMap { $0.dialect.coverage(of: $0.sites.map(\.site), now: now) }
        guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else { return nil }
        func text(_ seconds: Int64) -> String { ISO8601Timestamp.format(secondsSinceEpoch: Double(seconds)) ?? "" }
        let detail = "must be from \(text(first)) to \(text(last)): the upstreams have no weather of another time"
        return Problem.invalidParameters([Parameters.Fault(name: WeatherParameters.time.spec.name, detail: detail)])
    }

    nonisolated(nonsending) func answer(
        _ request: WeatherRequest, _ form: AnswerForm, in context: FetchContext
    ) async throws(FetchFailure) -> UpstreamAnswer {
        var query = rounded(request.query)
        (query.timeZone, query.countryCode, query.model) = (timeZone, countryCode, model)
        query.units = units
        if dialect.asksForClientUnits { query.take(request.shaping.units) }
        let (asked, shaping, requires, clock) = (query, request.shaping, request.requires, context.clock)
        let now = Int64(clock.seconds)
        // A time can leave the range of its site between two looks at the clock; then the upstream refuses it.
        let place = site(for: asked, now: now) ?? (site: .own, upstream: upstream)
        let target = dialect.target(for: asked, at: place.site, now: now)
        let simpler = dialect.simplerTarget(than: target)
        func errors(ofExtended isExtended: Bool) -> ErrorReader {
            ErrorReader(
                explain: { [self] in
                    // The program fails at what only the extended request asks for: no sign of an outage.
                    let isOfProgram = isExtended && [500, 502].contains($0.status)
                    return (dialect.errorMessage(in: $0.body), isOfProgram ? 501 : nil)
                },
                pause: { [self] in dialect.pause(after: $0, now: Int64(clock.seconds)) })
        }
        let request = DocumentRequest(
            kind: place.site.isPast ? .history : .forecast, target: target,
            errors: errors(ofExtended: simpler != nil)
        ) { [self] in
            let document = try dialect.normalize($0.body, answering: asked, options: $1)
            if let block = requires.first(where: { !document.has($0) }) { throw MissingBlock(block) }
            return document.shaped(shaping)
        }
        guard let simpler else {
            return try await place.upstream.document(request, form, in: context)
        }
        let simplerRequest = DocumentRequest(
            kind: request.kind, target: simpler, errors: errors(ofExtended: false), read: request.read)
        if failing.contains(target, now: now) {
            return try await place.upstream.document(simplerRequest, form, in: context)
        }
        let failure: FetchFailure
        do throws(FetchFailure) {
            return try await place.upstream.document(request, form, in: context)
        } catch {
            failure = error
        }
        guard failure.isNotImplemented else { throw failure }
        do throws(FetchFailure) {
            let answer = try await place.upstream.document(simplerRequest, form, in: context)
            failing.insert(target, now: now)
            return answer
        } catch {
            throw failure
        }
    }

    private func site(for query: ForecastQuery, now: Int64) -> (site: ForecastSite, upstream: Upstream)? {
        if query.time == nil { return sites.first }
        let site = dialect.site(for: query, among: sites.map(\.site), now: now)
        return sites.first { $0.site == site }
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

    /// The settings of the requests to another address of the upstream, with their own deadline.
    func forHistory(at baseURL: String) -> UpstreamConfiguration {
        var settings = self
        settings.baseURL = baseURL
        settings.deadlineMilliseconds = historyDeadlineMilliseconds
        return settings
    }
}
