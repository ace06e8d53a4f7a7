import CivilDates
import Settings
import EventLoop
import Records
import Synchronization
import Operations

/// Runs the reloads of a service one after another, and knows the configuration in use and how the last reload ended.
final class Reloads: Sendable {
    private struct State {
        var report: ConfigurationReport
        var file: ConfigurationFile
        /// The text before the last reload that changed something; nil before such a one.
        var previous: ConfigurationFile?
        /// The time of the last reload, refused ones included, or else of the start, in unix seconds.
        var seconds: Int
        var last: Task<Outcome, Never>?
        var lastRefusal: ReloadReport?
        weak var service: Service?
    }

    /// How a reload ended, and whether the service stops instead.
    struct Outcome: Sendable {
        let report: ReloadReport
        var stops = false
    }

    private let state: Mutex<State>

    /// The reloads of a service that uses the configuration of `report` from `file`.
    init(_ report: ConfigurationReport, _ file: ConfigurationFile) {
        state = Mutex(State(report: report, file: file, seconds: WallClock.seconds))
    }

    /// No reloads, for descriptions of routes.
    convenience init() { self.init(ConfigurationReport(), ConfigurationFile(path: "", bytes: [])) }

    /// Reloads the configuration of `service` from now on.
    func serve(_ service: Service) { state.withLock { $0.service = service } }

    /// The configuration in use, the time of the last reload in unix seconds, refused ones included, or else of the start,
    /// and the last reload that was refused.
    var current: (report: ConfigurationReport, seconds: Int, lastRefusal: ReloadReport?) {
        state.withLock { ($0.report, $0.seconds, $0.lastRefusal) }
    }

    /// Reads the configuration again, after the reloads that have begun; with `goesBack`, takes the one before the last change.
    func run(goesBack: Bool = false) async -> Outcome {
        let task = state.withLock { state in
            let task = Task { [previous = state.last] in
                _ = await previous?.value
                return await self.reload(goesBack: goesBack)
            }
            state.last = task
            return task
        }
        return await task.value
    }

    private func reload(goesBack: Bool) async -> Outcome {
        let (service, file, previous, old) = state.withLock { ($0.service, $0.file, $0.previous, $0.report) }
        let milliseconds = WallClock.milliseconds
        var last = ReloadReport()
        last.at = ISO8601Timestamp.format(millisecondsSinceEpoch: milliseconds)
        (last.hash, last.number, last.needsRestart) = (old.hash, old.number, old.needsRestart)
        guard let service, !service.stops else {
            last.result = ReloadReport.Result.refused.rawValue
            return Outcome(report: last, stops: true)
        }
        var report = old
        do {
            let current = file
            if goesBack, previous == nil { throw ConfigurationError("no reload has changed the configuration") }
            let file = goesBack ? previous ?? file : try file.reread()
            let configuration = try file.checkedConfiguration().settings
            try configuration.requireStacks()
            let keys = try configuration.readKeys(in: file)
            let new = try ConfigurationReport(configuration, keys, file, takenAt: milliseconds)
            if let changed = try await service.take(configuration, keys, from: file) {
                report = new
                report.number = old.number + 1
                report.needsRestart = service.settingsForRestart(of: configuration)
                (last.hash, last.number, last.needsRestart) = (report.hash, report.number, report.needsRestart)
                last.note(changed: changed, from: old, to: new)
                state.withLock { ($0.file, $0.previous) = (file, current) }
            } else {
                last.result = ReloadReport.Result.unchanged.rawValue
            }
        } catch {
            last.note(refused: error)
            state.withLock { $0.lastRefusal = last }
        }
        report.lastReload = last
        state.withLock { ($0.report, $0.seconds) = (report, milliseconds / 1000) }
        log(last, file.path, service)
        return Outcome(report: last)
    }

    private func log(_ report: ReloadReport, _ path: String, _ service: Service) {
        switch ReloadReport.Result(rawValue: report.result) {
        case .refused:
            service.note(.warning, "configuration refused", ["file": path, "detail": report.detail ?? ""])
        case .unchanged:
            service.note(.info, "configuration unchanged", ["file": path, "hash": report.hash])
        default:
            service.note(
                .info, "configuration reloaded",
                [
                    "file": path, "hash": report.hash, "number": report.number,
                    "changed": report.changed.joined(separator: ", "),
                ])
        }
        if !report.needsRestart.isEmpty, !report.isRefused {
            service.note(
                .warning, "settings need a restart", ["settings": report.needsRestart.joined(separator: ", ")])
        }
    }
}
