package import HTTPCore

/// What an answer says of the part that the cache took: to its client in Cache-Status, and to the counters.
package struct CacheNote: Sendable {
    package var status: CacheStatus
    private let result: CacheResult

    package init(_ status: CacheStatus, _ result: CacheResult) { (self.status, self.result) = (status, result) }

    /// Whether the cache answered alone.
    package var isHit: Bool { result == .hit }

    package func add(to response: inout Response) {
        response.headers.append(("Cache-Status", status.fieldValue))
        response.note.cache = result
    }
}
