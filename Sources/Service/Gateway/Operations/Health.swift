import EventLoop
import API
import HTTPCore
import HTTPServer
import Records
import Synchronization
import Operations
import Proxy

/// The stage of the service's life, for `/readyz`.
final class Lifecycle: Sendable {
    enum Stage: UInt8, CaseIterable, AtomicRepresentable {
        case starting, serving, draining
    }

    private let current = Atomic(Stage.starting)

    var stage: Stage { current.load(ordering: .relaxed) }

    func enter(_ stage: Stage) { current.store(stage, ordering: .relaxed) }
}

/// The routes for monitoring, both application/health+json: `/livez` passes while all event loops turn, `/readyz` while the
/// service takes requests; both answer 503 otherwise.
enum HealthRoutes {
    /// The longest time without a turn of an event loop that is alive.
    private static let longestTurn = Duration.seconds(1)

    static func all(_ lifecycle: Lifecycle, shards: [Shard] = []) -> [Route] {
        // Serialized once, so that a probe allocates nothing.
        let alive = response(.ok, "all event loops turn").serialized
        let ready = Lifecycle.Stage.allCases.map { stage in
            response(stage == .serving ? .ok : .serviceUnavailable, "\(stage)").serialized
        }
        return [
            Route(
                description(
                    "livez", "/livez", "Whether all event loops turn", of: Health.self,
                    failure: "An event loop has not turned for a second.")
            ) { call in
                let now = call.context.clock.now()
                let silent = shards.filter { !$0.hasTurned(within: longestTurn, before: now) }
                if silent.isEmpty { return .now(alive) }
                let shard = call.context.shard
                return .later { await turned(silent, until: now + longestTurn, on: shard) }
            },
            Route(
                description(
                    "readyz", "/readyz", "Whether the service accepts requests", of: Health.self,
                    failure: "The service starts or drains.", isExample: true)
            ) { _ in .now(ready[Int(lifecycle.stage.rawValue)]) },
        ]
    }

    /// The description of a route for monitoring, whose answer is a 503 for the reason `failure`.
    static func description<Answer: Record>(
        _ name: String, _ path: String, _ summary: String, of _: Answer.Type, failure: String, isExample: Bool = false
    ) -> RouteDescription {
        var description = RouteDescription(
            name, path, tag: "operations", summary,
            answer: RouteDescription.Answer(mediaType) { Answer.schema(in: &$0) })
        description.otherAnswers = [
            RouteDescription.Answer(mediaType, status: 503, failure) { Answer.schema(in: &$0) }
        ]
        (description.isProbe, description.isExample) = (true, isExample)
        return description
    }

    /// Wakes event loops that have not turned, most of which wait for events, and returns whether they turn before `end`.
    private static func turned(_ silent: [Shard], until end: MonotonicTime, on shard: Shard) async -> Response {
        let turns = silent.map { silent in
            let turn = Promise<Bool>()
            silent.post { turn.finish(true) }
            return (silent.index, turn)
        }
        for (index, turn) in turns where await turn.wait(until: end, on: shard) == nil {
            return response(.serviceUnavailable, "event loop \(index) does not turn")
        }
        return response(.ok, "all event loops turn")
    }

    static let mediaType = "application/health+json"

    private static func response(_ status: Status, _ output: String) -> Response {
        let health = Health(status: status == .ok ? "pass" : "fail", output: output)
        return Response(health, mediaType, status)
    }
}

private struct Health: Record {
    var status = "", output = ""

    static let schema = Schema<Health> {
        Field(\.status)
        Field(\.output)
    }
}
