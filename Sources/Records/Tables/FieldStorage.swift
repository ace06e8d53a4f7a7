/// How a field lies in its record.
///
/// The named kinds are read and written by a switch with raw loads and stores instead of a call.
///
///     UnixSeconds.storage  // .double
public enum FieldStorage: UInt8, Sendable {
    /// A `Double`, or a type of one `Double` property.
    case double
    /// A type of one `Double` property that is a moment in seconds since 1970-01-01T00:00:00Z.
    case seconds
    /// An `Int`.
    case int
    /// A `Bool`.
    case bool
    /// A `String`.
    case string
    /// Any other type.
    case composite
}
