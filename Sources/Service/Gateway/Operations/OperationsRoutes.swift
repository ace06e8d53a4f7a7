import API
import HTTPCore
import HTTPServer
import Operations
import Proxy
import Records
import Settings

/// The routes for operators.
///
/// A further route belongs into one of the lists.
struct OperationsRoutes: Sendable {
    /// The checks of an orchestrator, at each address.
    let probes: [Route]
    /// The figures of the process, on `listen` only without an address for operators.
    let figures: [Route]
    /// The routes below `/-/` but for the status, on `listen` only if a setting says so.
    let control: [Route]
    private let status: StatusFeed

    init(_ sources: FigureSources) {
        probes = HealthRoutes.all(sources.lifecycle, shards: sources.contexts.map(\.shard))
        figures = [sources.metrics, HealthReport(sources: sources).route]
        control =
            ControlRoutes(reloads: sources.reloads, registry: sources.registry).all
            + InterventionRoutes(sources: sources).all + [RequestTrail.route(sources)]
        status = StatusFeed(sources)
    }

    /// The routes at the address for operators.
    var all: [Route] { probes + figures + control + [StatusRoutes(feed: status).page] }

    /// The routes at the address for operators that are no part of the API.
    var pages: [Route] { [StatusRoutes(feed: status).events, PageRoutes.files] }

    /// The routes at the addresses for clients.
    func onListen(_ server: ServerConfiguration) -> [Route] {
        let page = StatusRoutes(feed: status, hasExplorer: server.hasPages).page
        if server.operationsOnListen { return probes + figures + control + [page] }
        return (server.operationsListen == nil ? probes + figures : probes) + (server.showsStatus ? [page] : [])
    }

    /// The pages at the addresses for clients, and their files.
    func pagesOnListen(_ server: ServerConfiguration) -> [Route] {
        let explorer = server.hasPages ? PageRoutes.explorer : []
        return server.operationsOnListen || server.showsStatus
            ? explorer + pages : explorer.isEmpty ? [] : explorer + [PageRoutes.files]
    }
}

/// The routes below `/-/` for the configuration and the drift of upstreams.
///
/// A route that changes something takes POST alone.
struct ControlRoutes: Sendable {
    static let driftPath = "/-/drift"
    private static let mediaType = "application/json"

    let reloads: Reloads
    let registry: UpstreamRegistry

    var all: [Route] { [configuration, reload, drift] }

    /// The configuration in use.
    private var configuration: Route {
        let description = RouteDescription(
            "configuration", "/-/config", tag: "operations", "The configuration in use",
            answer: RouteDescription.Answer(Self.mediaType) { ConfigurationReport.schema(in: &$0) })
        return Route(description) { [reloads] _ in .now(Response(reloads.current.report, Self.mediaType, .ok)) }
    }

    /// Reads the file of the configuration again.
    private var reload: Route {
        var description = RouteDescription(
            "reload", "/-/reload", tag: "operations", "Read the configuration again",
            answer: RouteDescription.Answer(Self.mediaType) { ReloadReport.schema(in: &$0) })
        (description.method, description.problems) = (.post, [.configurationRefused, .invalidParameters])
        description.parameters = [Self.previous.spec]
        return Route(description) { call throws(Problem) in
            var parameters = call.parameters
            let goesBack = parameters.read(Self.previous)
            try parameters.finish()
            return goesBack ?? false
        } respond: { [reloads] (goesBack: Bool, _) throws(Problem) in
            let outcome = await reloads.run(goesBack: goesBack)
            if outcome.stops { throw Problem(.configurationRefused, "The service stops.", status: Status(409)) }
            guard outcome.report.isRefused else { return Response(outcome.report, Self.mediaType, .ok) }
            let faults = (outcome.report.faults ?? []).map { fault in
                Parameters.Fault(name: fault.setting, detail: "\(fault.place): \(fault.detail)")
            }
            throw Problem(.configurationRefused, outcome.report.detail ?? "", faults: faults)
        }
    }

    private static let previous = Parameter(
        "previous", .oneOf([("", true), ("true", true), ("false", false)]), orElse: "false",
        "Takes the configuration before the last change, and not the file's.")

    private static let since = Parameter(
        "since", ParameterType.seconds, orElse: "all patterns",
        "Only patterns that a document had in this time until now.", example: "24h")
    private static let news = Parameter(
        "new", ParameterType.seconds, orElse: "all patterns",
        "Only patterns that came after the baseline, and were seen first in this time until now.", example: "24h")

    static let driftDescription = {
        var description = RouteDescription(
            "drift", driftPath, tag: "operations", "The drift of the upstreams' documents",
            answer: RouteDescription.Answer(mediaType) { DriftSummary.schema(in: &$0) })
        (description.parameters, description.problems) = ([since.spec, news.spec], [.invalidParameters])
        description.isProbe = true
        return description
    }()

    /// What the documents of upstreams needed to be repaired, and since when.
    private var drift: Route {
        Route(Self.driftDescription) { (call) throws(Problem) -> (since: Int?, news: Int?) in
            var parameters = call.parameters
            let (since, news) = (parameters.read(Self.since), parameters.read(Self.news))
            try parameters.finish()
            return (since, news)
        } respond: { [registry] (times: (since: Int?, news: Int?), _) throws(Problem) -> Response in
            let summary = registry.drift.summary(since: times.since, news: times.news)
            return Response(summary, Self.mediaType, .ok, dates: .iso8601)
        }
    }
}
