import HTTPCore
import Synchronization

/// What an answer says of the part that the cache took: to its client in Cache-Status, and to the counters.
struct CacheNote: Sendable {
    private var status: CacheStatus
    private let result: CacheResult

    /// The note of an answer with this document.
    init(_ finding: DocumentCache.Finding, _ document: CachedDocument, now: Int) {
        self.init(finding, remaining: document.freshness?.remaining(at: now), isStored: document.isKept)
        if case .fetched = finding, document.isConfirmed { status.forwardStatus = .notModified }
    }

    private init(_ finding: DocumentCache.Finding, remaining: Int?, isStored: Bool) {
        status = CacheStatus(remaining: remaining)
        switch finding {
        case .hit: result = .hit
        case .refreshing: (status.reason, result) = (.stale, .refreshing)
        case .stale(let forwardStatus):
            (status.reason, status.detail, result) = (.stale, Self.failed, .stale)
            status.forwardStatus = forwardStatus.map { Status($0) }
        case .fetched(let reason, let isCollapsed):
            (status.reason, status.isCollapsed, status.isStored) = (reason, isCollapsed, isStored)
            result = isCollapsed ? .collapsed : .miss
        }
    }

    /// The note of a failure; nil if it is neither from the cache nor from the upstream (RFC 9211 §2).
    ///
    /// `absence` is what the cache keeps if the upstream has no such document.
    init?(_ failure: Upstream.Failure, _ finding: DocumentCache.Finding, _ absence: CachedDocument?, now: Int) {
        let absence = absence?.failure == nil ? nil : absence
        let remaining = absence?.freshness?.remaining(at: now)
        self.init(finding, remaining: remaining, isStored: absence != nil)
        guard case .fetched = finding else { return }
        guard failure.wasForwarded else { return nil }
        status.forwardStatus = failure.responseStatus.map { Status($0) }
        if status.forwardStatus == nil { status.detail = Self.failed }
    }

    private static let failed = "the upstream failed"

    /// Whether the cache answered alone.
    var isHit: Bool { result == .hit }

    func add(to response: inout Response) {
        response.headers.append(("Cache-Status", status.fieldValue))
        response.note.cache = result
    }
}

/// The part that the cache took in the latest failure for a request.
final class LatestCacheNote: Sendable {
    private let note = Mutex<CacheNote?>(nil)

    /// Nil if it took none.
    var value: CacheNote? {
        get { note.withLock { $0 } }
        set { note.withLock { $0 = newValue } }
    }
}
