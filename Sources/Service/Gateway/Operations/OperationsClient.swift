import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import Records
import Proxy

/// Asks a running service, for commands.
///
/// URLs are http or https URLs, or `unix:PATH`. Each request waits for at most three seconds, and a command for 30.
public enum OperationsClient {
    /// Why there is no answer, in words.
    public struct Fault: Error, CustomStringConvertible {
        /// Whether the URL is malformed or has another scheme.
        public let isInvalidURL: Bool
        /// The reason.
        public let description: String
    }

    /// The answer: its JSON, and a text for people.
    public struct Answer: Sendable {
        /// The body as it came.
        public let json: [UInt8]
        /// Tables of one line for each row, behind a line of names.
        public let text: String
    }

    /// Asks `url`, or `/readyz` of a Unix socket, whether the service is ready.
    /// - Throws: `Fault` if the answer is not 200.
    public static func checkReadiness(_ url: String) async throws -> Answer {
        let response = try await get(url, "/readyz")
        guard response.status == 200 else { throw fault("it answered with status \(response.status)") }
        return Answer(json: response.body, text: "healthy")
    }

    /// Asks the service at `url`, without a path, for the patterns of drift of the last time `since`, such as `24h`, or of
    /// all times; with `new`, for those alone that came after the baseline, in that time.
    public static func drift(_ url: String, since: String?, new: String? = nil) async throws -> Answer {
        let target = ControlRoutes.driftPath + query([("since", since), ("new", new)])
        return try await report(url, target) { (summary: DriftSummary) in
            if summary.patterns.isEmpty { return "no drift" }
            let rest = summary.unlistedDocuments
            return summary.table.text() + (rest > 0 ? "\nand further patterns in \(rest) documents" : "")
        }
    }

    /// Asks the service at `url`, without a path, for its state.
    public static func status(_ url: String) async throws -> Answer {
        try await report(url, StatusRoutes.path) { (status: ServiceStatus) in
            status.tables.map { "\($0.title)\n\($0.text(width: terminalWidth))" }.joined(separator: "\n\n")
        }
    }

    /// Asks the service at `url`, without a path, for the trail of the answers with an id.
    public static func explain(_ url: String, _ id: String) async throws -> Answer {
        try await report(url, "\(RequestTrail.path)/\(PercentCoding.encode(id))") { (trail: RequestTrail) in trail.text
        }
    }

    /// Gives the service at `url`, without a path, the command of an operator, such as `pause`, and returns its answer.
    public static func command(
        _ url: String, _ action: String, _ subject: String, _ parameters: [(name: String, value: String?)]
    ) async throws -> Answer {
        let target =
            switch action {
            case "resume": "/-/upstreams/\(PercentCoding.encode(subject))/resume" + query(parameters)
            case "snapshot": InterventionRoutes.snapshotPath + query(parameters)
            default: "\(InterventionRoutes.path)/\(action)" + query([("subject", subject)] + parameters)
            }
        let body = try await body(url, target, isCommand: true)
        return Answer(json: body, text: String(decoding: body, as: UTF8.self))
    }

    private static func query(_ parameters: [(name: String, value: String?)]) -> String {
        let pairs = parameters.compactMap { name, value in value.map { "\(name)=\(PercentCoding.encode($0))" } }
        return (pairs.isEmpty ? "" : "?") + pairs.joined(separator: "&")
    }

    /// The columns of a table for people, who cannot read lines that a terminal breaks.
    private static let terminalWidth = 160

    private static func report<Report: Record>(
        _ url: String, _ target: String, _ text: (Report) -> String
    ) async throws -> Answer {
        let body = try await body(url, target)
        var parser = JSONParser()
        do {
            let report = try parser.withDocument(body) { try Report.read($0).record }
            return Answer(json: body, text: text(report))
        } catch {
            throw fault("the answer is none of weir: \(error)")
        }
    }

    /// Returns the body of the answer to a GET, or to a POST for a command.
    private static func body(_ url: String, _ target: String, isCommand: Bool = false) async throws -> [UInt8] {
        let base = url.hasSuffix("/") ? String(url.dropLast()) : url
        let response = try await get(url.hasPrefix("unix:") ? url : base + target, target, isCommand: isCommand)
        if response.status == 200 { return response.body }
        var parser = JSONParser()
        let detail = try? parser.withDocument(response.body) { $0["detail"]?.string }
        let hint = response.status == 404 && !isCommand ? "; is that the address server.operationsListen?" : ""
        throw fault("status \(response.status)\((detail ?? nil).map { ": \($0)" } ?? "")\(hint)")
    }

    private static func fault(_ description: String) -> Fault { Fault(isInvalidURL: false, description: description) }

    /// Returns the response to a GET of `url`, or of `target` on a Unix socket; to a POST for a command.
    private static func get(
        _ url: String, _ target: String, isCommand: Bool = false
    ) async throws -> IncomingResponse {
        var request: OutgoingRequest
        if case .unix(let path)? = SocketAddress(url) {
            request = OutgoingRequest(url: Secret("http://localhost" + target))
            request.policy = ConnectionPolicy(unixSocketPath: path)
        } else {
            request = OutgoingRequest(url: Secret(url))
        }
        // A snapshot of a large cache takes a while.
        request.deadline = isCommand ? .seconds(30) : .seconds(3)
        if isCommand { request.content = Secret("") }
        do {
            guard url.hasPrefix("unix:") || url.hasPrefix("http://") || url.hasPrefix("https://") else {
                throw TransferError.invalidURL
            }
            let shard = try Shard(index: 0)
            shard.start()
            defer { shard.stop() }
            return try await Client(on: shard).fetch(request)
        } catch TransferError.invalidURL {
            throw Fault(isInvalidURL: true, description: "takes an http or https URL or unix:PATH")
        } catch {
            throw fault("\(error)")
        }
    }
}
