import EventLoop
import HTTPCore
import HTTPServer
import Operations
import Records
import API
import Synchronization
import JSONText

/// `GET /-/status`: the state of the service as JSON, and as a page for a client that takes HTML; `/-/status/events` keeps
/// the page up to date.
struct StatusRoutes: Sendable {
    static let path = "/-/status"

    let feed: StatusFeed
    /// Whether the explorer and the reference are at the same address.
    var hasExplorer = false

    var page: Route {
        var description = RouteDescription(
            "status", Self.path, tag: "operations", "The state of the service",
            answer: RouteDescription.Answer("application/json") { ServiceStatus.schema(in: &$0) })
        description.otherAnswers = [RouteDescription.Answer("text/html")]
        return Route(description) { [feed, hasExplorer] call in
            // Browsers name the type when they load a page; other clients take anything.
            let isPage = call.request.headers.values("Accept").contains { $0.lowercased().contains("text/html") }
            return .later {
                let status = await feed.snapshot.status
                guard isPage else {
                    return Response(status, "application/json", .ok, [("Vary", "Accept")], dates: .iso8601)
                }
                return Response(
                    headers: [
                        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"), ("Vary", "Accept"),
                    ] + PageRoutes.protection,
                    body: Self.html(status, hasExplorer: hasExplorer))
            }
        }
    }

    /// The stream of the page, which is no part of the API.
    var events: Route {
        let description = RouteDescription(
            "statusEvents", Self.path + "/events", tag: "pages", "The stream of the status page",
            answer: RouteDescription.Answer("text/event-stream"))
        return Route(description) { [feed] _ in
            guard let stream = StatusStream(feed) else {
                let detail = "\(StatusFeed.maximumStreams) streams are open; load \(Self.path) again and again instead."
                return .now(Problem(.overloaded, detail, retryAfter: 10).response)
            }
            let fields = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
            return .streamed(Response(headers: fields + PageRoutes.protection)) { await stream.next() }
        }
    }

    private static func html(_ status: ServiceStatus, hasExplorer: Bool) -> [UInt8] {
        let parts = PageFile.status
        let tables = status.tables.map(\.html).joined()
        return Array((parts[0] + (hasExplorer ? parts[1] : "") + parts[2] + tables + parts[3]).utf8)
    }
}

/// The messages for one client: one at once, then one each second, for some minutes.
private final class StatusStream: Sendable {
    /// The time after which a client must ask again, so that a forgotten window gives its place up.
    private static let lifetime = Duration.seconds(600)

    private let feed: StatusFeed
    private let end = MonotonicTime.now + lifetime
    private let hasBegun = Atomic(false)

    /// A stream that counts as open as long as the object exists; nil if there are too many.
    init?(_ feed: StatusFeed) {
        guard feed.admitStream() else { return nil }
        self.feed = feed
    }

    deinit { feed.removeStream() }

    /// Waits for the next message; nil at the end, and if the task is cancelled.
    func next() async -> [UInt8]? {
        if !hasBegun.exchange(true, ordering: .relaxed) { return await feed.snapshot.message }
        guard (try? await Task.sleep(for: .seconds(1))) != nil, feed.isOpen, .now < end else { return nil }
        return await feed.snapshot.message
    }
}

/// The state of the service for the status page, its streams and `weir status`: made at most four times a second for all.
final class StatusFeed: Sendable {
    /// The state, and the message of streams.
    struct Snapshot: Sendable {
        let status: ServiceStatus
        let message: [UInt8]
    }

    /// The streams that are open at a time.
    static let maximumStreams = 16
    private static let freshness = Duration.milliseconds(250)

    private let sources: FigureSources
    private let latest = Mutex<(made: MonotonicTime, snapshot: Task<Snapshot, Never>)?>(nil)
    private let streams = Atomic(0)

    init(_ sources: FigureSources) { self.sources = sources }

    /// Whether streams go on.
    var isOpen: Bool { sources.lifecycle.stage != .draining }

    /// Counts a further stream; returns false if there are too many.
    func admitStream() -> Bool {
        if streams.add(1, ordering: .relaxed).newValue <= Self.maximumStreams { return true }
        removeStream()
        return false
    }

    func removeStream() { streams.subtract(1, ordering: .relaxed) }

    /// The state, at most a quarter of a second old.
    var snapshot: Snapshot {
        get async {
            let task = latest.withLock { latest in
                if let latest, MonotonicTime.now - latest.made < Self.freshness { return latest.snapshot }
                let task = Task { await self.makeSnapshot() }
                latest = (.now, task)
                return task
            }
            return await task.value
        }
    }

    private func makeSnapshot() async -> Snapshot {
        let status = ServiceStatus(await sources.withRequests)
        let tables = status.tables
        let message = JSONWriter.bytes(expecting: 16 << 10) { text in
            text.write(raw: "data: ")
            tables.write(to: &text)
            text.write(raw: "\n\n")
        }
        return Snapshot(status: status, message: message)
    }
}
