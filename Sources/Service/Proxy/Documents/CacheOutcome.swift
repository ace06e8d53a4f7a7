package import HTTPCore
import API

/// How a document was found.
package enum CacheOutcome: Sendable {
    /// It was fresh.
    case hit
    /// It was stale, and is being refreshed.
    case refreshing
    /// The upstream was asked for this reason, by this request or by another one at the same time.
    case fetched(CacheStatus.Reason, isCollapsed: Bool)
    /// The upstream was asked and failed, with this status if it answered, so a stale document serves.
    case stale(forwardStatus: Int?)
}

extension CacheNote {
    private static let failed = "the upstream failed"

    /// The note of an answer with this document.
    init(_ cacheOutcome: CacheOutcome, _ document: CachedDocument, now: Int) {
        var cacheOutcome = cacheOutcome
        // Another replica has asked the upstream.
        if case .fetched = cacheOutcome, document.isFromStore { cacheOutcome = .hit }
        self.init(cacheOutcome, remaining: document.freshness?.remaining(at: now), isStored: document.isKept)
        if case .fetched = cacheOutcome, document.isConfirmed { status.forwardStatus = .notModified }
    }

    private init(_ cacheOutcome: CacheOutcome, remaining: Int?, isStored: Bool) {
        var status = CacheStatus(remaining: remaining)
        let result: CacheResult
        switch cacheOutcome {
        case .hit: result = .hit
        case .refreshing: (status.reason, result) = (.stale, .refreshing)
        case .stale(let forwardStatus):
            (status.reason, status.detail, result) = (.stale, Self.failed, .stale)
            status.forwardStatus = forwardStatus.map { Status($0) }
        case .fetched(let reason, let isCollapsed):
            (status.reason, status.isCollapsed, status.isStored) = (reason, isCollapsed, isStored)
            result = isCollapsed ? .collapsed : .miss
        }
        self.init(status, result)
    }

    /// The note of a failure; nil if it is neither from the cache nor from the upstream (RFC 9211 §2).
    ///
    /// `absence` is what the cache keeps if the upstream has no such document.
    init?(_ failure: FetchFailure, _ cacheOutcome: CacheOutcome, _ absence: CachedDocument?, now: Int) {
        let absence = absence?.failure == nil ? nil : absence
        let remaining = absence?.freshness?.remaining(at: now)
        self.init(cacheOutcome, remaining: remaining, isStored: absence != nil)
        guard case .fetched = cacheOutcome else { return }
        guard failure.wasForwarded else { return nil }
        status.forwardStatus = failure.responseStatus.map { Status($0) }
        if status.forwardStatus == nil { status.detail = Self.failed }
    }
}
