import JSONText

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

/// A path such as `hourly.data.temperature`, followed through the tables of records.
enum FieldPath {
    /// What `names` select inside a field, of which they are the way on; nil when they lead nowhere.
    static func extent(of names: ArraySlice<String>, in members: FieldMembers.Kind) -> FieldExtent? {
        guard let name = names.first else { return .whole }
        if name.isEmpty { return nil }
        let rest = names.dropFirst()
        switch members {
        case .none: return nil
        case .anything: return extent(of: rest, in: .anything).map { .part(FieldPart(named: [name: $0])) }
        case .fields(let table):
            if let index = table.index(of: name) {
                return extent(of: rest, in: table.fields[index].shape.members.kind).map { .part(table.part(index, $0)) }
            }
            if !table.takesOthers { return nil }
            return extent(of: rest, in: .anything).map { .part(table.part(CamelCase.convert(name), $0)) }
        }
    }

    /// The path that was most likely meant by one that leads nowhere: at each step the field itself, one spelled alike, or
    /// one a step further in.
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
        fields.firstIndex { $0.name == name } ?? fields.firstIndex { $0.rules.spellings.contains(name) }
    }

    /// A part with nothing but the listed field.
    fileprivate func part(_ index: Int, _ extent: FieldExtent) -> FieldPart {
        FieldPart(
            fields: fields.indices.map { $0 == index ? extent : .none },
            // In another spelling a field may stand among the other members.
            named: !takesOthers ? [:] : [fields[index].name: extent])
    }

    /// A part with nothing but the member of that key, which no field is for.
    fileprivate func part(_ key: String, _ extent: FieldExtent) -> FieldPart {
        FieldPart(fields: fields.map { _ in .none }, named: [key: extent])
    }
}

/// How much of a field is selected.
enum FieldExtent {
    case none
    case whole
    case part(FieldPart)

    /// What either selects.
    func union(_ other: FieldExtent) -> FieldExtent {
        switch (self, other) {
        case (.whole, _), (_, .whole): .whole
        case (.none, let extent), (let extent, .none): extent
        case (.part(let left), .part(let right)): .part(left.union(right))
        }
    }

    /// What both select.
    func intersection(_ other: FieldExtent) -> FieldExtent {
        switch (self, other) {
        case (.none, _), (_, .none): .none
        case (.whole, let extent), (let extent, .whole): extent
        case (.part(let left), .part(let right)): .part(left.intersection(right))
        }
    }
}

/// What is selected inside a field that is not selected whole.
@usableFromInline
final class FieldPart: Sendable {
    /// Of a record: the extent of each field of its table; else empty.
    let fields: [FieldExtent]
    /// Of members whose keys are data: the extent of those that were named.
    private let named: [String: FieldExtent]
    /// Whether members that were not named are selected too.
    private let takesUnnamed: Bool

    init(fields: [FieldExtent] = [], named: [String: FieldExtent] = [:], takesUnnamed: Bool = false) {
        self.fields = fields
        self.named = named
        self.takesUnnamed = takesUnnamed
    }

    /// The extent of a member whose key is data.
    func extent(of key: String) -> FieldExtent { named[key] ?? (takesUnnamed ? .whole : .none) }

    func union(_ other: FieldPart) -> FieldPart { merging(other, takesUnnamed || other.takesUnnamed) { $0.union($1) } }

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

/// What stands inside a field, for paths that go on from it.
///
///     let members: FieldMembers = Alert.members  // its fields
public struct FieldMembers: Sendable {
    enum Kind {
        /// Nothing that has a name.
        case none
        /// The fields of a record.
        case fields(RecordTable)
        /// Members whose keys are data.
        case anything
    }

    /// Asked for late: a record may hold records of its own kind.
    private let resolve: @Sendable () -> Kind

    /// What there is.
    var kind: Kind { resolve() }

    /// Nothing that has a name: numbers, strings, dates.
    ///
    ///     let members = FieldMembers.none
    public static let none = FieldMembers { .none }
    /// Members whose keys are data.
    static let anything = FieldMembers { .anything }

    init(_ resolve: @escaping @Sendable () -> Kind) { self.resolve = resolve }
}

extension Record {
    /// The record's fields.
    public static var members: FieldMembers { FieldMembers { .fields(schema.table) } }
}

extension Array where Element: FieldValue {
    /// What stands inside the elements.
    public static var members: FieldMembers { Element.members }
}

extension JSONValue {
    /// Members whose keys are data.
    public static var members: FieldMembers { .anything }
}

extension OpenMap {
    /// Members whose keys are data.
    public static var members: FieldMembers { .anything }
}
