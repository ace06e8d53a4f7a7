import EventLoop
import Operations
import Proxy
import Records
import Synchronization

/// A change by hand, which lasts until a time, the next reload, or another command.
struct Intervention: Record, Equatable {
    enum Action: String, CaseIterable, Sendable {
        case pause, shed, logLevel, accessLog, purge
    }

    /// The reason for which a change has ended.
    enum Ending: String, Sendable {
        case time, reload, command
    }

    var action = "", subject = "", address = "", who: String?, why: String?, since = "", until = ""

    static let schema = Schema<Intervention> {
        Field(\.action, .note("`pause` (an upstream), `shed` (a route), `logLevel` or `accessLog`."))
        Field(\.subject, .note("The upstream, the path of the route, the level, or `on` or `off`."))
        Field(\.address, .note("The address that the command came from."))
        Field(\.who, .note("The operator, if the command names one."))
        Field(\.why, .note("The reason."))
        Field(\.since, .note("When it began."))
        Field(\.until, .note("When it ends, unless a reload or a command ends it before."))
    }

    /// Whether one of the two takes the other's place.
    fileprivate func replaces(_ other: Intervention) -> Bool {
        let isOfLogs = [Action.logLevel, .accessLog].map(\.rawValue).contains(action)
        return action == other.action && (isOfLogs || subject == other.subject)
    }
}

/// The changes by hand that are in force.
final class Interventions: Sendable {
    private struct State {
        var all: [Intervention] = []
        /// The level of the configuration, while an operator's is in force.
        var level: Log.Level?
        weak var handler: ServiceHandler?
    }

    private let registry: UpstreamRegistry
    private let labels: RouteLabels
    private let log: Log
    private let accessLog: AccessLogSwitch
    private let state = Mutex(State())

    init(
        _ registry: UpstreamRegistry, labels: RouteLabels = RouteLabels(), log: Log = .standard,
        accessLog: AccessLogSwitch = AccessLogSwitch(isOn: false)
    ) {
        (self.registry, self.labels, self.log, self.accessLog) = (registry, labels, log, accessLog)
    }

    /// The changes that are in force, the oldest first.
    var all: [Intervention] { state.withLock { $0.all } }

    /// Commands are about the routes of `handler` from now on.
    func serve(_ handler: ServiceHandler) { state.withLock { $0.handler = handler } }

    /// Returns the routes for clients on the shard of the caller; nil in descriptions of routes.
    func router(on shard: Shard) -> Router? { state.withLock { $0.handler }?.router(on: shard) }

    /// Begins an intervention for `seconds`, or, if that is 0, ends the one in whose place it would be.
    func begin(_ new: Intervention, for seconds: Int, on shard: Shard) {
        if seconds == 0 { return end(.command, by: new) { new.replaces($0) } }
        var new = new
        let now = registry.clock.seconds
        (new.since, new.until) = (timestamp(now), timestamp(now + seconds))
        state.withLock { [new] state in
            state.all.removeAll { new.replaces($0) }
            state.all.append(new)
            apply(new, until: registry.clock.now() + .seconds(seconds), &state.level)
        }
        note("intervention begun", new, by: new)
        shard.schedule(at: shard.now + .seconds(seconds)) { [weak self, new] in
            self?.end(.time) { $0 == new }
        }
    }

    /// Ends interventions: all of them without `isEnded`, after a reload.
    func end(
        _ cause: Intervention.Ending, by command: Intervention? = nil,
        where isEnded: (Intervention) -> Bool = { _ in true }
    ) {
        let ended = state.withLock { state in
            let ended = state.all.filter(isEnded)
            state.all.removeAll(where: isEnded)
            for intervention in ended { apply(intervention, until: nil, &state.level) }
            return ended
        }
        for intervention in ended { note("intervention ended", intervention, cause, by: command) }
    }

    /// Writes a line about an intervention, and who has given the command, at every level of the log.
    func note(
        _ message: String, _ intervention: Intervention, _ cause: Intervention.Ending? = nil, by command: Intervention?,
        documents: Int? = nil
    ) {
        log.write(
            .info, message,
            [
                "action": intervention.action, "subject": intervention.subject, "documents": documents,
                "cause": cause?.rawValue,
                "until": intervention.until.isEmpty ? nil : intervention.until, "address": command?.address,
                "who": command?.who, "why": command?.why,
            ], always: true
        ) { _ in }
    }

    /// Applies an intervention until `end`, or what is configured if that is nil.
    private func apply(_ intervention: Intervention, until end: MonotonicTime?, _ configured: inout Log.Level?) {
        switch Intervention.Action(rawValue: intervention.action) {
        case .pause: registry.hold(intervention.subject, until: end)
        case .shed:
            for label in labels.all where label.template == intervention.subject {
                label.shedEnd.store(end?.nanoseconds ?? 0, ordering: .relaxed)
            }
        case .logLevel:
            let former = configured ?? log.leastLevel
            configured = end == nil ? nil : former
            log.setLeastLevel(end == nil ? former : Log.Level(rawValue: intervention.subject) ?? former)
        case .accessLog:
            accessLog.isOn.store(
                end == nil ? accessLog.isConfigured : intervention.subject == "on", ordering: .relaxed)
        case .purge, nil: break
        }
    }
}
