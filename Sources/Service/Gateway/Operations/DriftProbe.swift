import CivilDates
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import Records
import Upstreams

/// Asks a running service for the drift of its upstreams.
public enum DriftProbe {
    /// Why there is no answer, in words.
    public struct Fault: Error, CustomStringConvertible {
        /// Whether the URL is malformed.
        public let isInvalidURL: Bool
        /// The reason.
        public let description: String
    }

    /// The answer: its JSON, and a table for people.
    public struct Answer: Sendable {
        /// The body as it came.
        public let json: [UInt8]
        /// One line for each pattern behind a line of names; one sentence without a pattern.
        public let table: String
    }

    /// Asks the service at `url`, an http or https URL without a path or `unix:PATH`, for the patterns of the last time
    /// `since`, such as `24h`, or of all times.
    public static func ask(_ url: String, since: String?) async throws -> Answer {
        let target = DriftRoute.path + (since.map { "?since=" + PercentCoding.encode($0) } ?? "")
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
            let summary = try parser.withDocument(response.body) { try DriftSummary.read($0).record }
            return Answer(json: response.body, table: table(summary))
        } catch {
            throw Fault(isInvalidURL: false, description: "the answer is none of weir: \(error)")
        }
    }

    private static func table(_ summary: DriftSummary) -> String {
        if summary.patterns.isEmpty { return "no drift" }
        let names = ["last", "first", "upstream", "route", "kind", "reason", "documents", "path", "from"]
        let rows = summary.patterns.map { pattern in
            [
                time(pattern.last), time(pattern.first), pattern.upstream, pattern.route, pattern.kind, pattern.reason,
                "\(pattern.documents)", pattern.path, pattern.from,
            ].map(plain)
        }
        let widths = names.indices.map { column in ([names] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([names] + rows).map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }
        let rest = summary.unlistedDocuments
        return
            (lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }
            + (rest > 0 ? ["and further patterns in \(rest) documents"] : [])).joined(separator: "\n")
    }

    private static func time(_ time: UnixSeconds) -> String {
        ISO8601Timestamp.format(secondsSinceEpoch: time.seconds) ?? ""
    }

    /// Returns a text without control characters, which keys of upstreams can have and a terminal could obey.
    private static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
