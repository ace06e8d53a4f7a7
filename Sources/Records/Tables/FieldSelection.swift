/// Some of a record's fields, and of those of the records in them, by their paths.
///
/// A path goes through arrays: `hourly.data.temperature` is the temperature of every point. What is not selected is not
/// written; a record that loses all of its fields stays, as `{}`.
///
///     let selection = try FieldSelection(of: Forecast.self, paths: ["currently", "daily.data.icon"])
///         .intersection(FieldSelection(of: Forecast.self, without: ["flags"]))
public struct FieldSelection: Sendable {
    /// Paths that a record does not have, or more of them than are taken.
    ///
    ///     do {
    ///         let selection = try FieldSelection(of: Forecast.self, paths: ["alerts.titel"])
    ///     } catch {
    ///         for field in error.fields { print(field.path, field.nearest ?? "") }  // alerts.titel alerts.title
    ///     }
    public struct UnknownFields: Error, CustomStringConvertible {
        /// Each as it was asked for, the first ten with the nearest path there is; none when there are too many paths, or
        /// too long ones.
        ///
        ///     unknownFields.fields.map { $0.nearest }  // ["alerts.title"]
        public let fields: [(path: String, nearest: String?)]

        /// The fields in one line: `there is no field "hourly.dat"; did you mean hourly.data?`.
        public var description: String {
            if fields.isEmpty {
                return "at most \(FieldSelection.maximumPaths) fields can be named, "
                    + "each in at most \(FieldSelection.maximumPathLength) bytes"
            }
            return fields.map { field in
                "there is no field \"\(field.path)\"" + (field.nearest.map { "; did you mean \($0)?" } ?? "")
            }.joined(separator: "; ")
        }
    }

    /// How many paths can be given.
    ///
    ///     FieldSelection.maximumPaths  // 100
    public static let maximumPaths = 100
    /// How many bytes a path can have.
    ///
    ///     FieldSelection.maximumPathLength  // 200
    public static let maximumPathLength = 200
    /// Looking for the nearest name takes long beside everything else.
    private static let maximumHints = 10

    @usableFromInline let root: FieldPart

    init(_ root: FieldPart) { self.root = root }

    /// The fields of `Root` that `paths` name; a path to a record or an array selects all that is in it.
    ///
    /// Whatever is named below a map whose keys are data is taken to be there.
    ///
    ///     style.selection = try FieldSelection(of: Forecast.self, paths: ["latitude", "alerts.title"])
    ///
    /// - Throws: `UnknownFields` with all of them.
    public init<Root: Record>(of type: Root.Type, paths: [String]) throws(UnknownFields) {
        guard paths.count <= Self.maximumPaths, paths.allSatisfy({ $0.utf8.count <= Self.maximumPathLength }) else {
            throw UnknownFields(fields: [])
        }
        let table = FieldMembers.Kind.fields(type.schema.table)
        var selected = FieldExtent.none
        var unknown: [(path: String, nearest: String?)] = []
        for path in paths {
            let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            if let extent = FieldPath.extent(of: names[...], in: table) {
                selected = selected.union(extent)
            } else {
                let isHelped = unknown.count < Self.maximumHints
                unknown.append((path, isHelped ? FieldPath.nearest(to: names[...], in: table) : nil))
            }
        }
        if !unknown.isEmpty { throw UnknownFields(fields: unknown) }
        guard case .part(let part) = selected else {
            root = FieldPart(fields: type.schema.table.fields.map { _ in .none })
            return
        }
        root = part
    }

    /// All fields of `Root` but those called so.
    ///
    ///     style.selection = FieldSelection(of: Forecast.self, without: ["alerts"])
    public init<Root: Record>(of type: Root.Type, without names: Set<String>) {
        root = FieldPart(
            fields: type.schema.table.fields.map { names.contains($0.name) ? .none : .whole }, takesUnnamed: true)
    }

    /// What both select.
    ///
    ///     let selection = try FieldSelection(of: Forecast.self, paths: ["latitude", "alerts.title"])
    ///     selection.intersection(FieldSelection(of: Forecast.self, without: ["alerts"]))
    public func intersection(_ other: FieldSelection) -> FieldSelection {
        FieldSelection(root.intersection(other.root))
    }
}
