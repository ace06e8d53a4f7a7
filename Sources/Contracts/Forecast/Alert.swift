public import LenientCoding

/// A warning of the place's authorities.
///
/// Old answers lack nearly all of it.
public struct Alert: Record {
    /// How far-reaching a warning is.
    public enum Severity: String, Sendable, CaseIterable {
        /// Be aware.
        case advisory
        /// Be prepared.
        case watch
        /// Act now.
        case warning
    }

    /// What is warned of.
    public var title: String?
    /// The names of the regions.
    public var regions: [String]?
    /// How far-reaching it is.
    public var severity: OpenEnum<Severity>?
    /// When it was issued, and when it ends.
    public var time: UnixSeconds?, expires: UnixSeconds?
    /// The warning's own text.
    public var description: String?
    /// Where to read on.
    public var uri: String?

    /// A warning of nothing.
    public init() {}

    /// One line a field.
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
