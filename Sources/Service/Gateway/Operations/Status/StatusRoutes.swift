import EventLoop
import HTTPCore
import HTTPServer
import JSONText
import Operations
import Records
import API
import Synchronization

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
                var style = WritingStyle()
                style.dates = .iso8601
                return Response(
                    headers: [
                        ("Content-Type", isPage ? "text/html; charset=utf-8" : "application/json"),
                        ("Cache-Control", "no-store"), ("Vary", "Accept"),
                    ] + (isPage ? PageRoutes.protection : []),
                    body: isPage
                        ? Self.html(status, hasExplorer: hasExplorer)
                        : JSONWriter.bytes(expecting: 16 << 10) { status.write(to: &$0, style: style) })
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
