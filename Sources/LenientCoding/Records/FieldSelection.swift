/// Some of a record's fields, and of those of the records in them, by their paths.
///
/// A path goes through arrays: `hourly.data.temperature` is the temperature of every point.
///
///     style.selection = try FieldSelection(of: Forecast.self, paths: ["latitude", "alerts.title"])
///     forecast.write(to: &writer, style: style)  // {"latitude":37.8,"alerts":[{"title":"Wind"}]}
public struct FieldSelection: Sendable {
    /// Paths that a record does not have.
    ///
    ///     do {
    ///         let selection = try FieldSelection(of: Forecast.self, paths: ["alerts.titel"])
    ///     } catch {
    ///         for field in error.fields { print(field.path, field.nearest ?? "") }  // alerts.titel alerts.title
    ///     }
    public struct UnknownFields: Error {
        /// Each as it was asked for, with the nearest path there is.
        ///
        ///     unknownFields.fields.map { $0.nearest }  // ["alerts.title"]
        public let fields: [(path: String, nearest: String?)]
    }

    /// The fields of `Root` that `paths` name; a path to a record or an array selects all that is in it.
    ///
    ///     style.selection = try FieldSelection(of: Forecast.self, paths: ["latitude", "alerts.title"])
    ///
    /// - Throws: `UnknownFields` with all of them.
    public init<Root: Record>(of type: Root.Type, paths: [String]) throws(UnknownFields) {}
}
