import Settings
import Proxy

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

    init(_ lifecycle: Lifecycle, _ health: HealthReport, _ reloads: Reloads) {
        let metrics = health.metrics
        probes = HealthRoutes.all(lifecycle, shards: metrics.contexts.map(\.shard))
        figures = [metrics.route, health.route]
        control =
            ReloadRoutes(reloads: reloads).all + [
                DriftRoute(book: metrics.registry.drift).route,
                ResumeRoute(registry: metrics.registry, log: metrics.log).route,
            ]
        status = StatusFeed(lifecycle, metrics)
    }

    /// The routes at the address for operators.
    var all: [Route] { probes + figures + control + [StatusRoutes(feed: status).page] }

    /// The routes at the address for operators that are no part of the API.
    var pages: [Route] { [StatusRoutes(feed: status).events, PageRoutes.files] }

    /// The routes at the addresses for clients.
    func onListen(_ server: ServerConfiguration) -> [Route] {
        let page = StatusRoutes(feed: status, hasExplorer: server.pages.enabled).page
        if server.operationsOnListen { return probes + figures + control + [page] }
        return (server.operationsListen == nil ? probes + figures : probes) + (server.pages.status ? [page] : [])
    }

    /// The pages at the addresses for clients, and their files.
    func pagesOnListen(_ server: ServerConfiguration) -> [Route] {
        let explorer = server.pages.enabled ? PageRoutes.explorer : []
        return server.operationsOnListen || server.pages.status
            ? explorer + pages : explorer.isEmpty ? [] : explorer + [PageRoutes.files]
    }
}
