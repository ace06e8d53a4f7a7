import API
import HTTPCore
import HTTPServer
import Operations
import Proxy
import Records

/// The answer to a command: what is in force by hand, and the documents that were purged.
struct InterventionReport: Record {
    var interventions: [Intervention] = [], documents: Int?

    static let schema = Schema<InterventionReport> {
        Field(\.interventions, .note("What is in force, the oldest first."))
        Field(\.documents, .note("The documents that the command has removed from the cache of this replica."))
    }
}

/// The answer to the command that writes the snapshot.
struct SnapshotReport: Record {
    var documents = 0, bytes = 0

    static let schema = Schema<SnapshotReport> {
        Field(\.documents, .note("The documents in the file."))
        Field(\.bytes, .note("The bytes of their records."))
    }
}

/// The routes for changes by hand, which end by themselves, and for purges and the snapshot of documents.
struct InterventionRoutes: Sendable {
    static let path = "/-/interventions"
    private static let mediaType = "application/json"

    let sources: FigureSources

    var all: [Route] { [list, command, resume, snapshot] }

    private static let action = Parameter(
        "action", .oneOf(Intervention.Action.self), in: .path, "What is done.", example: "pause")
    private static let subject = Parameter(
        "subject", .text(atMost: 2000), isRequired: true,
        "`pause`: an upstream. `shed`: the path of a route. `logLevel`: a level. `accessLog`: `on` or `off`. `purge`: an "
            + "upstream, the path of a route, the path and the query of a request, or `all` documents.",
        example: "openMeteo")
    private static let seconds = Parameter(
        "seconds", .integer(in: 0...86_400), orElse: "600", "For how long; 0 ends what is in force. Not of `purge`.")
    private static let who = Parameter("who", .text(atMost: 100), orElse: "nobody", "The operator, for the log.")
    private static let why = Parameter(
        "why", .text(atMost: 200), isRequired: true, "The reason, for the log.", example: "wrong temperatures")
    private static let whyOfResume = Parameter("why", .text(atMost: 200), orElse: "none", "The reason, for the log.")
    private static let name = Parameter(
        "name", .text(atMost: 200), in: .path, "The name of the upstream in the configuration.", example: "openMeteo")

    private var list: Route {
        let description = RouteDescription(
            "interventions", Self.path, tag: "operations", "What operators have changed by hand",
            answer: RouteDescription.Answer(Self.mediaType) { InterventionReport.schema(in: &$0) })
        return Route(description) { _ in .now(report()) }
    }

    private func report(documents: Int? = nil) -> Response {
        let report = InterventionReport(interventions: sources.interventions.all, documents: documents)
        return Response(report, Self.mediaType, .ok)
    }

    static let commandDescription = {
        var description = RouteDescription(
            "intervene", path + "/{action}", tag: "operations", "Change something by hand for a while",
            answer: RouteDescription.Answer(mediaType) { InterventionReport.schema(in: &$0) })
        (description.method, description.problems) = (.post, [.notFound, .invalidParameters])
        description.parameters = [action.spec, subject.spec, seconds.spec, who.spec, why.spec]
        return description
    }()

    /// Changes something until a time or the next reload, or purges documents.
    private var command: Route {
        Route(Self.commandDescription) { call throws(Problem) in
            var parameters = call.parameters
            let new = Intervention(
                action: parameters.read(Self.action)?.rawValue ?? "", subject: parameters.read(Self.subject) ?? "",
                address: call.source?.client.text ?? "", who: parameters.read(Self.who),
                why: parameters.read(Self.why))
            let seconds = parameters.read(Self.seconds) ?? 600
            try parameters.finish()
            return (new, seconds, sources.interventions.router(on: call.context.shard))
        } respond: { (question: (Intervention, Int, Router?), call) throws(Problem) in
            let (new, seconds, router) = question
            let known: [String]
            switch Intervention.Action(rawValue: new.action) {
            case .pause: known = upstreams
            case .shed: known = router?.ofClients.map(\.template.text) ?? []
            case .logLevel: known = Log.Level.allCases.map(\.rawValue)
            case .accessLog: known = ["on", "off"]
            case .purge, nil:
                let documents = await sources.registry.purge(try await rule(for: new.subject, router, call))
                sources.snapshot?.update()
                sources.interventions.note("documents purged", new, by: new, documents: documents)
                return report(documents: documents)
            }
            guard known.contains(new.subject) else { throw missing(new.subject, among: known) }
            sources.interventions.begin(new, for: seconds, on: call.context.shard)
            return report()
        }
    }

    private var upstreams: [String] { sources.registry.configured.filter(\.isUsed).map(\.name) }

    private func missing(_ subject: String, among known: [String]) -> Problem {
        let hint = NearestName.find(subject, among: known).map { "; did you mean \($0)?" } ?? "."
        return Problem(.notFound, "There is no \(Quotation.quote(subject))\(hint)")
    }

    /// Returns the documents that `subject` stands for.
    private func rule(
        for subject: String, _ router: Router?, _ call: Route.Call
    ) async throws(Problem) -> PurgeRule {
        if subject == "all" { return { _, _ in true } }
        if upstreams.contains(subject) { return { key, _ in key.upstream == subject } }
        guard subject.hasPrefix("/"), let router else { throw missing(subject, among: upstreams) }
        if let route = router.ofClients.first(where: { $0.template.text == subject && $0.source == .documents }) {
            let kinds = Set(route.requestKinds)
            return { _, kind in kind.map(kinds.contains) ?? true }
        }
        let keys = try await router.keys(of: subject, on: call.context)
        return { key, _ in keys.contains(key) }
    }

    static let snapshotPath = "/-/snapshot"

    static let snapshotDescription = {
        var description = RouteDescription(
            "snapshot", snapshotPath, tag: "operations", "Write the documents of the cache to their file",
            answer: RouteDescription.Answer(mediaType) { SnapshotReport.schema(in: &$0) })
        (description.method, description.problems) = (.post, [.notFound, .invalidParameters, .fileNotWritten])
        description.parameters = [who.spec, whyOfResume.spec]
        return description
    }()

    /// Writes the documents of the cache to their file.
    private var snapshot: Route {
        Route(Self.snapshotDescription) { call throws(Problem) in
            var parameters = call.parameters
            let command = Intervention(
                address: call.source?.client.text ?? "", who: parameters.read(Self.who),
                why: parameters.read(Self.whyOfResume))
            try parameters.finish()
            return command
        } respond: { (command: Intervention, call) throws(Problem) in
            guard let snapshot = sources.snapshot else {
                throw Problem(.notFound, "The configuration names no file: set cache.snapshotFile.")
            }
            guard let (documents, bytes) = await snapshot.writeNow() else {
                let fault = snapshot.files[0].state.fault ?? "cannot be written"
                throw Problem(.fileNotWritten, "The file \(fault).")
            }
            sources.log.write(
                .info, "snapshot written",
                [
                    "documents": documents, "bytes": bytes, "address": command.address, "who": command.who,
                    "why": command.why,
                ], always: true
            ) { _ in }
            return Response(SnapshotReport(documents: documents, bytes: bytes), Self.mediaType, .ok)
        }
    }

    /// Ends the pauses of an upstream and closes its breakers.
    private var resume: Route {
        var description = RouteDescription(
            "resume", "/-/upstreams/{name}/resume", tag: "operations", "Ask an upstream again at once",
            answer: RouteDescription.Answer(Self.mediaType) { ResumedUpstream.schema(in: &$0) })
        description.method = .post
        description.parameters = [Self.name.spec, Self.who.spec, Self.whyOfResume.spec]
        description.problems = [.notFound, .invalidParameters]
        return Route(description) { call throws(Problem) in
            var parameters = call.parameters
            let command = Intervention(
                action: Intervention.Action.pause.rawValue, subject: parameters.read(Self.name) ?? "",
                address: call.source?.client.text ?? "", who: parameters.read(Self.who),
                why: parameters.read(Self.whyOfResume))
            try parameters.finish()
            return command
        } respond: { (command: Intervention, call) throws(Problem) in
            guard let resumed = sources.registry.resume(command.subject) else {
                throw missing(command.subject, among: sources.registry.configured.map(\.name))
            }
            sources.interventions.begin(command, for: 0, on: call.context.shard)
            sources.log.write(
                .info, "upstream resumed",
                [
                    "upstream": command.subject, "pauses": resumed.pauses.count, "breakers": resumed.breakers.count,
                    "address": command.address, "who": command.who, "why": command.why,
                ], always: true
            ) { _ in }
            return Response(resumed, Self.mediaType, .ok)
        }
    }
}
