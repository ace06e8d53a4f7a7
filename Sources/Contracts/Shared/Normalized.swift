public import LenientCoding

/// An upstream's document as clients get it, and what had to be repaired.
public struct Normalized: Sendable {
    /// Compact JSON with camelCase keys in the order of the contract's tables.
    public let body: [UInt8]
    /// What had to be repaired.
    public let drift: DriftReport
    /// Of a list of tweets, the `maxId` that asks for those after these; nil at its end.
    public var nextMaxId: String?
}
