import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import Records
import Proxy

/// Asks a running service for a report, for commands.
public enum OperationsProbe {
    /// Why there is no answer, in words.
    public struct Fault: Error, CustomStringConvertible {
        /// Whether the URL is malformed.
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

    /// Asks the service at `url`, an http or https URL without a path or `unix:PATH`, for the patterns of drift of the last
    /// time `since`, such as `24h`, or of all times.
    public static func drift(_ url: String, since: String?) async throws -> Answer {
        let target = DriftRoute.path + (since.map { "?since=" + PercentCoding.encode($0) } ?? "")
        return try await ask(url, target) { (summary: DriftSummary) in
            if summary.patterns.isEmpty { return "no drift" }
            let rest = summary.unlistedDocuments
            return summary.table.text + (rest > 0 ? "\nand further patterns in \(rest) documents" : "")
        }
    }

    /// Asks the service at `url`, as for `drift`, for its state.
    public static func status(_ url: String) async throws -> Answer {
        try await ask(url, StatusRoutes.path) { (status: ServiceStatus) in
            status.tables.map { "\($0.title)\n\($0.text)" }.joined(separator: "\n\n")
        }
    }

    private static func ask<Report: Record>(
        _ url: String, _ target: String, _ text: (Report) -> String
    ) async throws -> Answer {
        let base = url.hasSuffix("/") ? String(url.dropLast()) : url
        let response: IncomingResponse
        do {
            response = try await OperationsRequest.get(url.hasPrefix("unix:") ? url : base + target, target: target)
        } catch TransferError.invalidURL {
            throw Fault(isInvalidURL: true, description: "takes an http or https URL or unix:PATH")
        } catch {
            throw Fault(isInvalidURL: false, description: "\(error)")
        }
        var parser = JSONParser()
        guard response.status == 200 else {
            let detail = try? parser.withDocument(response.body) { $0["detail"]?.string }
            let hint = response.status == 404 ? "; is that the address server.operationsListen?" : ""
            throw Fault(
                isInvalidURL: false,
                description: "status \(response.status)\((detail ?? nil).map { ": \($0)" } ?? "")\(hint)")
        }
        do {
            let report = try parser.withDocument(response.body) { try Report.read($0).record }
            return Answer(json: response.body, text: text(report))
        } catch {
            throw Fault(isInvalidURL: false, description: "the answer is none of weir: \(error)")
        }
    }
}
