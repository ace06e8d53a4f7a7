import LenientCoding

/// Twitter's ids since November 2010, whose upper bits are the milliseconds since then.
enum Snowflake {
    /// The first millisecond that ids count from, in unix time.
    private static let epoch: UInt64 = 1_288_834_974_657

    /// When the tweet of an id was sent, to the second; nil for ids that do not tell.
    static func date(of id: String) -> UnixSeconds? {
        guard let number = UInt64(id), number > 1 << 32 else { return nil }
        return UnixSeconds(Double(((number >> 22) + epoch) / 1000))
    }
}
