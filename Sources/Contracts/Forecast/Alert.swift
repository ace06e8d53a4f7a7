public import LenientCoding

/// A weather alert of the authorities.
///
/// Old answers lack most of its fields.
public struct Alert: Record {
    /// The severity of an alert, the least severe first.
    public enum Severity: String, Sendable, CaseIterable {
        case advisory, watch, warning
    }

    /// A short description.
    public var title: String?
    /// The names of the affected regions.
    public var regions: [String]?
    /// How severe the alert is.
    public var severity: OpenEnum<Severity>?
    /// When the alert was issued, and when it ends.
    public var time: UnixSeconds?, expires: UnixSeconds?
    /// The full text.
    public var description: String?
    /// The address of a page about the alert.
    public var uri: String?

    /// An alert without data.
    public init() {}

    /// The table of fields.
    public static let schema = Schema<Alert>(.absent(-999), .absent("")) {
        Field(\.title)
        Field(\.regions, .dropInvalid)
        Field(\.severity, .note("advisory, watch or warning"))
        Field(\.time)
        Field(\.expires)
        Field(\.description)
        Field(\.uri)
    }
}
