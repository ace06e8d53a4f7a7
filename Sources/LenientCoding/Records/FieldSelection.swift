/// Some of a record's fields, and of those of the records in them, by their paths.
///
/// A path goes through arrays: `hourly.data.temperature` is the temperature of every point.
public struct FieldSelection: Sendable {
    /// Paths that a record does not have.
    public struct UnknownFields: Error {
        /// Each as it was asked for, with the nearest path there is.
        public let fields: [(path: String, nearest: String?)]
    }

    /// The fields of `Root` that `paths` name; a path to a record or an array selects all that is in it.
    /// - Throws: `UnknownFields` with all of them.
    public init<Root: Record>(of type: Root.Type, paths: [String]) throws(UnknownFields) {}
}
