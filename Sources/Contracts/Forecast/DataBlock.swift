public import LenientCoding

/// A span of time in points: the next hour by the minute, the next days by the hour, the next week by the day.
public struct DataBlock: Record {
    /// The span in a sentence.
    public var summary: String?
    /// The span as one picture.
    public var icon: OpenEnum<Icon>?
    /// The points in the order in which they came.
    public var data: [DataPoint]?

    /// A block without points, which is not the same as a block of no points.
    public init() {}

    /// One line a field.
    public static let schema = Schema<DataBlock>(.absent(-999), .absent("", "none")) {
        Field(\.summary)
        Field(\.icon)
        Field(\.data, .dropInvalid)
    }
}
