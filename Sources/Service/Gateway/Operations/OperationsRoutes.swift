import Configuration
import Upstreams

/// The routes for operators.
///
/// A further route belongs into one of the lists.
struct OperationsRoutes: Sendable {
    /// The checks of an orchestrator, at each address.
    let probes: [Route]
    /// The figures of the process, on `listen` only without an address for operators.
    let figures: [Route]
    /// The routes below `/-/`, on `listen` only if a setting says so.
    let control: [Route]

    init(_ lifecycle: Lifecycle, _ health: HealthReport, _ reloads: Reloads) {
        let metrics = health.metrics
        probes = HealthRoutes.all(lifecycle, shards: metrics.contexts.map(\.shard))
        figures = [metrics.route, health.route]
        control =
            ReloadRoutes(reloads: reloads).all + [
                DriftRoute(book: metrics.registry.drift).route,
                ResumeRoute(registry: metrics.registry, log: metrics.log).route,
            ]
    }

    /// The routes at the address for operators.
    var all: [Route] { probes + figures + control }

    /// The routes at the addresses for clients.
    func onListen(_ server: ServerConfiguration) -> [Route] {
        if server.operationsOnListen { return all }
        return server.operationsListen == nil ? probes + figures : probes
    }
}
