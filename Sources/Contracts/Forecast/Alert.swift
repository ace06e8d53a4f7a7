public import LenientCoding

/// A weather alert of the authorities.
///
/// Old answers lack most of its fields.
public struct Alert: Record {
    /// The severity of an alert, the least severe first.
    public enum Severity: String, Sendable, CaseIterable {
        case advisory, watch, warning
    }

    /// The fields; see ``schema``.
    public var title: String?, regions: [String]?, severity: OpenEnum<Severity>?
    public var time: UnixSeconds?, expires: UnixSeconds?, description: String?, uri: String?

    /// An alert without data.
    public init() {}

    /// The table of fields.
    public static let schema = Schema<Alert>(.absent(-999), .absent("")) {
        Field(\.title, .note("A short title."))
        Field(\.regions, .dropInvalid, .note("The names of the affected regions."))
        Field(
            \.severity, .note("The severity; from others than Dark Sky, Extreme, Severe, Moderate, Minor or Unknown."))
        Field(\.time, .note("The time of issue."))
        Field(\.expires, .note("The time when the alert ends."))
        Field(\.description, .note("The text of the alert."))
        Field(\.uri, .note("The address of a page about the alert."))
    }
}
