/// What a cache holds now, and what it has done since it was made.
public struct CacheStatistics: Sendable, Equatable {
    /// The entries that are stored now.
    public internal(set) var entries = 0
    /// The bytes that they take up now, bookkeeping included.
    public internal(set) var bytes = 0
    /// Look-ups that found a value.
    public var hits = 0
    /// Look-ups that found none.
    public var misses = 0
    /// Values that were stored under keys that had none.
    public internal(set) var insertions = 0
    /// Entries that left to make room.
    public internal(set) var evictions = 0
    /// Insertions of keys that had left lately, and were admitted to the main queue at once.
    public internal(set) var ghostHits = 0
    /// Values that were too large to be kept.
    public internal(set) var refusals = 0
    /// The most entries that were looked at while a lock was held, to choose those that leave.
    public internal(set) var longestTurn = 0

    /// Nothing stored and nothing done.
    public init() {}

    mutating func add(_ other: CacheStatistics) {
        entries += other.entries
        bytes += other.bytes
        hits &+= other.hits
        misses &+= other.misses
        insertions &+= other.insertions
        evictions &+= other.evictions
        ghostHits &+= other.ghostHits
        refusals &+= other.refusals
        longestTurn = max(longestTurn, other.longestTurn)
    }
}
