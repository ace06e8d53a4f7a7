import LenientCoding

/// Twitter's ids since November 2010, whose upper bits are the milliseconds since then.
enum Snowflake {
    /// The first millisecond that ids count from, in unix time.
    private static let epoch: UInt64 = 1_288_834_974_657

    /// The ids before counted one by one, to somewhat more than 29 billion.
    private static let first: UInt64 = 1 << 40

    /// When the tweet of an id was sent, to the second; nil for ids that do not tell.
    static func date(of id: String) -> UnixSeconds? {
        guard let number = UInt64(id), number >= first else { return nil }
        return UnixSeconds(Double(((number >> 22) + epoch) / 1000))
    }
}
