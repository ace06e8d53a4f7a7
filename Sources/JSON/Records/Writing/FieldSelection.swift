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
        try self.init(paths, in: FieldMembers { .fields(type.schema.table) })
    }

    /// Selects the parts of a value with `members` that `paths` name.
    package init(_ paths: [String], in members: FieldMembers) throws(UnknownFields) {
        let kind = members.kind
        guard paths.count <= Self.maximumPaths, paths.allSatisfy({ $0.utf8.count <= Self.maximumPathLength }) else {
            throw UnknownFields(fields: [])
        }
        var selected: [FieldExtent] = []
        var unknown: [(path: String, nearest: String?)] = []
        for path in paths {
            let names = path.split(separator: ".", maxSplits: Self.maximumDepth, omittingEmptySubsequences: false)
                .map(String.init)
            guard names.count <= Self.maximumDepth else { throw UnknownFields(fields: []) }
            if let extent = FieldPath.extent(of: names[...], in: kind) {
                selected.append(extent)
            } else {
                unknown.append(
                    (path, unknown.count < Self.maximumHints ? FieldPath.nearest(to: names[...], in: kind) : nil))
            }
        }
        if !unknown.isEmpty { throw UnknownFields(fields: unknown) }
        // In pairs, because a union takes as long as both of its parts are large.
        while selected.count > 1 {
            selected = stride(from: 0, to: selected.count, by: 2).map { index in
                index + 1 < selected.count ? selected[index].union(selected[index + 1]) : selected[index]
            }
        }
        if case .part(let part)? = selected.first {
            root = part
        } else if case .fields(let names) = kind {
            root = names.part { _ in .none }
        } else {
            root = FieldPart()
        }
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
    /// For members whose keys are data, the extent of the named members.
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
        /// The fields of a record, or of another object.
        case fields(any FieldNames)
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

    /// The fields of an object that is no record.
    package init(_ names: any FieldNames) { self.init { .fields(names) } }

    /// Members whose keys are data, with any content.
    package static var open: FieldMembers { anything }
}

/// The fields that an object has, for paths into it.
package protocol FieldNames: Sendable {
    /// The number of fields.
    var count: Int { get }
    /// What members have that are none of the fields; nil if there are no others.
    var others: FieldMembers? { get }
    /// Returns the name of a field.
    func name(of index: Int) -> String
    /// Returns the field with a name; nil if there is none.
    func index(of name: String) -> Int?
    /// Returns what a field contains.
    func members(of index: Int) -> FieldMembers
    /// Returns the key of another member in the output.
    func key(ofOther name: String) -> String
}

extension FieldNames {
    /// Returns the selection of some fields, and of other members.
    fileprivate func part(named: [String: FieldExtent] = [:], _ extent: (Int) -> FieldExtent) -> FieldPart {
        FieldPart(fields: (0..<count).map(extent), named: named)
    }
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
        case .fields(let list):
            if let index = list.index(of: name) {
                return extent(of: rest, in: list.members(of: index).kind).map { inner in
                    // Under another spelling, the field may be among the unknown members.
                    let named = list.others == nil ? [:] : [list.name(of: index): inner]
                    return .part(list.part(named: named) { $0 == index ? inner : .none })
                }
            }
            return list.others.flatMap { extent(of: rest, in: $0.kind) }.map { inner in
                .part(list.part(named: [list.key(ofOther: name): inner]) { _ in .none })
            }
        }
    }

    /// Returns the existing path that was most likely meant.
    ///
    /// Each step takes the field itself, else one of similar spelling, else one that lies a step deeper.
    static func nearest(to names: ArraySlice<String>, in members: FieldMembers.Kind) -> String? {
        guard let name = names.first, case .fields(let list) = members else { return nil }
        let rest = names.dropFirst()
        if let index = list.index(of: name) {
            let own = list.name(of: index)
            return nearest(to: rest, in: list.members(of: index).kind).map { "\(own).\($0)" } ?? own
        }
        if let near = NearestName.find(name, among: (0..<list.count).map(list.name)) {
            return nearest(to: [near] + rest, in: members)
        }
        let outer = (0..<list.count).first { index in
            guard case .fields(let inner) = list.members(of: index).kind else { return false }
            return inner.index(of: name) != nil
        }
        return outer.flatMap { nearest(to: [list.name(of: $0)] + names, in: members) }
    }
}

extension RecordTable: FieldNames {
    var others: FieldMembers? { takesOthers ? .anything : nil }

    func name(of index: Int) -> String { fields[index].name }

    func index(of name: String) -> Int? {
        // By bytes: names with combining marks take long to compare otherwise.
        fields.firstIndex { Name.areEqual($0.name, name) }
            ?? fields.firstIndex { $0.rules.spellings.contains { Name.areEqual($0, name) } }
    }

    func members(of index: Int) -> FieldMembers { fields[index].shape.members }

    func key(ofOther name: String) -> String { CamelCase.convert(name) }
}

/// Finds the known name that a misspelled one was meant to be.
///
///     NearestName.find("tempreature", among: ["temperature", "time"])  // "temperature"
public enum NearestName {
    /// Returns the known name nearest to `name`, ignoring case; nil if none is near.
    ///
    ///     NearestName.find("Retres", among: ["retries", "timeout"])  // "retries"
    ///     NearestName.find("colour", among: ["retries", "timeout"])  // nil
    public static func find(_ name: String, among known: [String]) -> String? { NameSearch.find(name, among: known) }

    /// Returns the known name with the smallest distance, however large; nil if there are no known names.
    ///
    ///     NearestName.closest(to: "colour", among: ["colors", "retries"])  // "colors"
    public static func closest(to name: String, among known: [String]) -> String? {
        NameSearch.closest(to: name, among: known)
    }
}
