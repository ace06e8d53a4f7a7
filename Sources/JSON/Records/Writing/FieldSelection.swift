import JSONText

/// A selection of a record's fields, and of the fields of records in it, by their paths.
///
/// A path passes through arrays: `hourly.data.temperature` selects the temperature of every point. Fields that are not
/// selected are not written; a record that loses all of its fields is written as `{}`.
///
///     let selection = try FieldSelection(of: Forecast.self, paths: ["currently", "daily.data.icon"])
///         .intersection(FieldSelection(of: Forecast.self, without: ["flags"]))
public struct FieldSelection: Sendable {
    /// The error for paths that a record does not have, or for more or longer paths than allowed.
    ///
    ///     do {
    ///         let selection = try FieldSelection(of: Forecast.self, paths: ["alerts.titel"])
    ///     } catch {
    ///         for field in error.fields { print(field.path, field.nearest ?? "") }  // alerts.titel alerts.title
    ///     }
    public struct UnknownFields: Error, CustomStringConvertible {
        /// The unknown paths, the first five with the nearest existing path.
        ///
        /// Empty if a limit is exceeded.
        public let fields: [(path: String, nearest: String?)]

        /// The error for `fields`, which are empty if a limit is exceeded.
        package init(fields: [(path: String, nearest: String?)]) { self.fields = fields }

        /// The fields in one line: `there is no field "hourly.dat"; did you mean hourly.data?`.
        public var description: String {
            if fields.isEmpty {
                return "at most \(FieldSelection.maximumPaths) fields can be named, each in at most "
                    + "\(FieldSelection.maximumPathLength) bytes and \(FieldSelection.maximumDepth) names"
            }
            return fields.map { field in
                "there is no field \"\(field.path)\"" + (field.nearest.map { "; did you mean \($0)?" } ?? "")
            }.joined(separator: "; ")
        }
    }

    /// The maximum number of paths.
    public static let maximumPaths = 100
    /// The maximum length of a path in bytes.
    public static let maximumPathLength = 200
    /// The maximum number of names in a path.
    public static let maximumDepth = 16
    /// The search for the nearest path takes up to a tenth of a millisecond.
    private static let maximumHints = 5

    @usableFromInline package let root: FieldPart

    package init(_ root: FieldPart) { self.root = root }

    /// Selects the fields of `Root` that `paths` name.
    ///
    /// A path to a record or an array selects everything in it.
    ///
    /// Below any JSON, every path is accepted, and every key of a dictionary.
    ///
    /// - Throws: `UnknownFields` with all unknown paths.
    public init<Root: Record>(of type: Root.Type, paths: [String]) throws(UnknownFields) {
        let table = type.schema.table
        try self.init(paths, ofNone: FieldPart(fields: table.fields.map { _ in .none })) {
            FieldPath.extent(of: $0, in: .fields(table))
        } nearest: {
            FieldPath.nearest(to: $0, in: .fields(table))
        }
    }

    /// Selects the parts that `paths` name.
    ///
    /// `extent` returns what the names of a path select, nil if there is nothing of these names; then `nearest` returns the
    /// path that was most likely meant. `none` selects nothing.
    package init(
        _ paths: [String], ofNone none: FieldPart, _ extent: (ArraySlice<String>) -> FieldExtent?,
        nearest: (ArraySlice<String>) -> String?
    ) throws(UnknownFields) {
        guard paths.count <= Self.maximumPaths, paths.allSatisfy({ $0.utf8.count <= Self.maximumPathLength }) else {
            throw UnknownFields(fields: [])
        }
        var selected: [FieldExtent] = []
        var unknown: [(path: String, nearest: String?)] = []
        for path in paths {
            let names = path.split(separator: ".", maxSplits: Self.maximumDepth, omittingEmptySubsequences: false)
                .map(String.init)
            guard names.count <= Self.maximumDepth else { throw UnknownFields(fields: []) }
            if let extent = extent(names[...]) {
                selected.append(extent)
            } else {
                unknown.append((path, unknown.count < Self.maximumHints ? nearest(names[...]) : nil))
            }
        }
        if !unknown.isEmpty { throw UnknownFields(fields: unknown) }
        // In pairs, because a union takes as long as both of its parts are large.
        while selected.count > 1 {
            selected = stride(from: 0, to: selected.count, by: 2).map { index in
                index + 1 < selected.count ? selected[index].union(selected[index + 1]) : selected[index]
            }
        }
        root = if case .part(let part)? = selected.first { part } else { none }
    }

    /// Selects all fields of `Root` except those with the given names.
    public init<Root: Record>(of type: Root.Type, without names: Set<String>) {
        root = FieldPart(
            fields: type.schema.table.fields.map { names.contains($0.name) ? .none : .whole }, takesUnnamed: true)
    }

    /// Returns the fields that one of the two selects.
    package func union(_ other: FieldSelection) -> FieldSelection { FieldSelection(root.union(other.root)) }

    /// Returns the fields that both select.
    public func intersection(_ other: FieldSelection) -> FieldSelection {
        FieldSelection(root.intersection(other.root))
    }
}

/// How much of a field is selected.
package enum FieldExtent: Sendable {
    case none
    case whole
    case part(FieldPart)

    package func union(_ other: FieldExtent) -> FieldExtent {
        switch (self, other) {
        case (.whole, _), (_, .whole): .whole
        case (.none, let extent), (let extent, .none): extent
        case (.part(let left), .part(let right)): .part(left.union(right))
        }
    }

    func intersection(_ other: FieldExtent) -> FieldExtent {
        switch (self, other) {
        case (.none, _), (_, .none): .none
        case (.whole, let extent), (let extent, .whole): extent
        case (.part(let left), .part(let right)): .part(left.intersection(right))
        }
    }
}

/// The selection inside a field that is only partly selected.
@usableFromInline
package final class FieldPart: Sendable {
    /// For a record, the extent of each field of its table; otherwise empty.
    package let fields: [FieldExtent]
    /// For members whose keys are data, the extent of those that were named.
    private let named: [String: FieldExtent]
    /// Whether members that were not named are selected.
    private let takesUnnamed: Bool

    package init(fields: [FieldExtent] = [], named: [String: FieldExtent] = [:], takesUnnamed: Bool = false) {
        self.fields = fields
        self.named = named
        self.takesUnnamed = takesUnnamed
    }

    /// Returns the extent of a member whose key is data.
    package func extent(of key: String) -> FieldExtent { named[key] ?? (takesUnnamed ? .whole : .none) }

    package func union(_ other: FieldPart) -> FieldPart {
        merging(other, takesUnnamed || other.takesUnnamed) { $0.union($1) }
    }

    func intersection(_ other: FieldPart) -> FieldPart {
        merging(other, takesUnnamed && other.takesUnnamed) { $0.intersection($1) }
    }

    private func merging(
        _ other: FieldPart, _ takesUnnamed: Bool, _ merge: (FieldExtent, FieldExtent) -> FieldExtent
    ) -> FieldPart {
        let keys = Set(named.keys).union(other.named.keys)
        return FieldPart(
            fields: zip(fields, other.fields).map(merge),
            named: Dictionary(uniqueKeysWithValues: keys.map { ($0, merge(extent(of: $0), other.extent(of: $0))) }),
            takesUnnamed: takesUnnamed)
    }
}

/// What a field contains, for paths that continue into it.
public struct FieldMembers: Sendable {
    enum Kind {
        case none
        /// The fields of a record.
        case fields(RecordTable)
        /// Members whose keys are data, each with this content.
        case values(FieldMembers)
        /// Members whose keys are data, with any content.
        case anything
    }

    // A closure, because a record may contain records of its own type.
    private let resolve: @Sendable () -> Kind

    var kind: Kind { resolve() }

    /// No members: numbers, strings, dates.
    public static let none = FieldMembers { .none }
    /// Members whose keys are data, with any content.
    static let anything = FieldMembers { .anything }

    init(_ resolve: @escaping @Sendable () -> Kind) { self.resolve = resolve }
}

/// Follows a path such as `hourly.data.temperature` through the tables of records.
enum FieldPath {
    /// Returns the extent that the rest of a path selects inside a field; nil if the path does not exist.
    static func extent(of names: ArraySlice<String>, in members: FieldMembers.Kind) -> FieldExtent? {
        guard let name = names.first else { return .whole }
        if name.isEmpty { return nil }
        let rest = names.dropFirst()
        switch members {
        case .none: return nil
        case .values(let value): return extent(of: rest, in: value.kind).map { .part(FieldPart(named: [name: $0])) }
        case .anything: return extent(of: rest, in: .anything).map { .part(FieldPart(named: [name: $0])) }
        case .fields(let table):
            if let index = table.index(of: name) {
                return extent(of: rest, in: table.fields[index].shape.members.kind).map { .part(table.part(index, $0)) }
            }
            if !table.takesOthers { return nil }
            return extent(of: rest, in: .anything).map { .part(table.part(CamelCase.convert(name), $0)) }
        }
    }

    /// Returns the existing path that was most likely meant.
    ///
    /// Each step takes the field itself, else one of similar spelling, else one that lies a step deeper.
    static func nearest(to names: ArraySlice<String>, in members: FieldMembers.Kind) -> String? {
        guard let name = names.first, case .fields(let table) = members else { return nil }
        let rest = names.dropFirst()
        if let index = table.index(of: name) {
            let field = table.fields[index]
            return nearest(to: rest, in: field.shape.members.kind).map { "\(field.name).\($0)" } ?? field.name
        }
        if let near = NearestName.find(name, among: table.fields.map(\.name)) {
            return nearest(to: [near] + rest, in: members)
        }
        let outer = table.fields.first { field in
            guard case .fields(let inner) = field.shape.members.kind else { return false }
            return inner.index(of: name) != nil
        }
        return outer.flatMap { nearest(to: [$0.name] + names, in: members) }
    }
}

extension RecordTable {
    fileprivate func index(of name: String) -> Int? {
        // By bytes: names with combining marks take long to compare otherwise.
        fields.firstIndex { Name.areEqual($0.name, name) }
            ?? fields.firstIndex { $0.rules.spellings.contains { Name.areEqual($0, name) } }
    }

    /// Returns the selection of one field.
    fileprivate func part(_ index: Int, _ extent: FieldExtent) -> FieldPart {
        FieldPart(
            fields: fields.indices.map { $0 == index ? extent : .none },
            // Under another spelling, the field may be among the unknown members.
            named: !takesOthers ? [:] : [fields[index].name: extent])
    }

    /// Returns the selection of one unknown member.
    fileprivate func part(_ key: String, _ extent: FieldExtent) -> FieldPart {
        FieldPart(fields: fields.map { _ in .none }, named: [key: extent])
    }
}
