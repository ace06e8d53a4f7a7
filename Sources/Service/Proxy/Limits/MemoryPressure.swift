import Synchronization

/// How much of the container's memory is in use, for all shards; without a limit, the level stays normal.
package final class MemoryPressure: Sendable {
    /// The measures that the service takes to save memory.
    package enum Level: Int, CaseIterable {
        /// Nothing.
        case normal
        /// The cache and idle connections give memory back.
        case tight
        /// Requests to upstreams are refused, too.
        case short

        /// The percentage of the limit from which on the level holds.
        private var percent: Int {
            switch self {
            case .normal: 0
            case .tight: 90
            case .short: 95
            }
        }

        /// The level with `used` of `limit` bytes, after this one.
        ///
        /// A level ends two percent below the percentage at which it begins, so that the level does not change each second.
        func next(used: Int, limit: Int) -> Level {
            Self.allCases.last { used >= limit / 100 * ($0.percent - ($0.rawValue <= rawValue ? 2 : 0)) } ?? .normal
        }
    }

    private let current = Atomic(Level.normal.rawValue)
    private let usedBytes = Atomic(0)
    private let shedCount = Atomic(0)

    /// The bytes in use that were noted last.
    package var used: Int { usedBytes.load(ordering: .relaxed) }

    /// The requests to upstreams that were refused.
    package var shed: Int { shedCount.load(ordering: .relaxed) }

    package var level: Level { Level(rawValue: current.load(ordering: .relaxed)) ?? .normal }

    /// Notes that `used` of `limit` bytes are in use.
    package func note(used: Int, limit: Int) {
        usedBytes.store(used, ordering: .relaxed)
        current.store(level.next(used: used, limit: limit).rawValue, ordering: .relaxed)
    }

    /// Whether a request to an upstream is refused; counts the refusal.
    func sheds() -> Bool {
        guard current.load(ordering: .relaxed) == Level.short.rawValue else { return false }
        shedCount.add(1, ordering: .relaxed)
        return true
    }
}
