public import LenientCoding

/// A weather alert of the authorities.
///
/// Old answers lack most of its fields.
public struct Alert: Record {
    /// The severity of an alert.
    public enum Severity: String, Sendable, CaseIterable {
        /// Dark Sky's, the least severe first.
        case advisory, watch, warning
        /// Those of the Common Alerting Protocol 1.2, the most severe first.
        case extreme = "Extreme", severe = "Severe", moderate = "Moderate", minor = "Minor", unknown = "Unknown"
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
        Field(\.severity, .note("The severity; Dark Sky's are the first three."))
        Field(\.time, .note("The time of issue."))
        Field(\.expires, .note("The time when the alert ends."))
        Field(\.description, .note("The text of the alert."))
        Field(\.uri, .note("The address of a page about the alert."))
    }
}
