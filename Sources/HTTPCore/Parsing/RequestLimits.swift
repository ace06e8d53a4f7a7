/// How large a request may be before it is refused.
///
/// Every limit is inclusive: a request exactly at it is read.
public struct RequestLimits: Hashable, Sendable {
    /// Bytes of the request target as sent; over it 414.
    public var maximumTargetBytes = 8192
    /// Bytes of the head, its empty line included, and of a trailer section; over it 431.
    public var maximumHeadBytes = 16384
    /// Field lines in the head, and in a trailer section; over it 431.
    public var maximumFields = 100
    /// Bytes of the decoded body; over it 413, with a Content-Length before any of it arrives.
    public var maximumBodyBytes = 65536
    /// Pairs in the query; over it 400.
    public var maximumQueryParameters = 64

    /// The defaults.
    public init() {}

    /// The same with every limit in 0...2^30, so that sums of limits and offsets cannot overflow.
    var clamped: RequestLimits {
        func clamp(_ limit: Int) -> Int { min(max(limit, 0), 1 << 30) }
        var limits = self
        limits.maximumTargetBytes = clamp(maximumTargetBytes)
        limits.maximumHeadBytes = clamp(maximumHeadBytes)
        limits.maximumFields = clamp(maximumFields)
        limits.maximumBodyBytes = clamp(maximumBodyBytes)
        limits.maximumQueryParameters = clamp(maximumQueryParameters)
        return limits
    }
}
