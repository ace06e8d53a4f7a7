/// Changes to documents: other keys, and members that are kept, removed or renamed.
///
///     let edit = try DocumentEdit(
///         remove: ["features[*].properties.ids", "**.type"], rename: [("features[*].properties.mag", "magnitude")])
///     var transform = edit.makeTransform()
///     let answer = try parser.withDocument(bytes) { root in transform.bytes(of: root) }
///
/// A path names values of the upstream's document: `a.b`, `a[*].b`, `[*].b` for an array at the root, `a.*.b` for any
/// member, `**.b` at any depth, `"a.b".c` for a name with a dot. Values that are only passed on keep their text, members
/// their order, and what a removal empties stays as `{}` or `[]`.
public struct DocumentEdit: Sendable {
    /// The maximum number of paths.
    public static let maximumPaths = 256
    /// The maximum number of steps in all paths, each path counting one more.
    public static let maximumSteps = 2048

    private let keys: JSONTransform.Keys
    private let nulls: JSONTransform.Nulls
    private let paths: EditPaths
    /// The paths of the edit, and the names of the members to which they lead: nil for any member, up to `**`.
    package let readings: [(expression: String, path: [String?])]

    /// An edit.
    ///
    /// - Parameters:
    ///   - exempt: Objects whose keys are data and keep their spelling; `[]` may stand for `[*]`.
    ///   - keep: If not nil, only these values stay, and the containers on the way to them.
    ///   - remove: Values that are left out; not together with `keep`.
    ///   - rename: Members that get another name, which is written as it is. The first path that finds a member counts.
    /// - Throws: The first fault.
    public init(
        keys: JSONTransform.Keys = .camel, exempt: [String] = [], keep: [String]? = nil, remove: [String] = [],
        rename: [(path: String, name: String)] = [], nulls: JSONTransform.Nulls = .keep
    ) throws(EditFault) {
        var first: EditFault?
        self.init(keys: keys, exempt: exempt, keep: keep, remove: remove, rename: rename, nulls: nulls) { fault in
            first = first ?? fault
        }
        if let first { throw first }
    }

    /// An edit without the paths that are faulty, each of which is passed to `note`.
    public init(
        keys: JSONTransform.Keys = .camel, exempt: [String] = [], keep: [String]? = nil, remove: [String] = [],
        rename: [(path: String, name: String)] = [], nulls: JSONTransform.Nulls = .keep, note: (EditFault) -> Void
    ) {
        var list = PathList()
        for (index, text) in exempt.enumerated() { list.add(text, .exempt, at: ".exempt[\(index)]") }
        for (index, text) in (keep ?? []).enumerated() { list.add(text, .keep, at: ".keep[\(index)]") }
        for (index, text) in remove.enumerated() { list.add(text, .remove, at: ".remove[\(index)]") }
        for (text, name) in rename { list.add(text, .rename(name), at: ".rename[\"\(text)\"]") }
        if keep?.isEmpty == true { list.refuse(".keep", "name at least one path, or leave it out to keep everything") }
        if keep != nil, !remove.isEmpty {
            list.refuse(".remove", "keep already says what is left out; use only one of keep and remove")
        }
        for fault in list.faults { note(fault) }
        (self.keys, self.nulls) = (keys, nulls)
        paths = EditPaths(list.paths, takesAliases: keys == .camel)
        readings = list.paths.map { ($0.path.text, $0.path.names) }
    }

    private init(selecting paths: EditPaths) { (keys, nulls, self.paths, readings) = (.keep, .keep, paths, []) }

    /// Returns the edit that keeps the fields with the given names, such as `quakes.magnitude`, which pass through arrays.
    ///
    /// A field that an answer does not have is reported as `missing`.
    ///
    ///     let edit = try DocumentEdit.selecting(fields: ["features.id", "features.properties.magnitude"])
    ///
    /// - Throws: The fault of the first field that is empty or has an empty name, or of too many fields.
    public static func selecting(fields: [String]) throws(EditFault) -> DocumentEdit {
        var list = PathList()
        for (index, field) in fields.enumerated() { list.add(field: field, at: "[\(index)]") }
        if let fault = list.faults.first { throw fault }
        return DocumentEdit(selecting: EditPaths(list.paths))
    }

    /// Returns a transform that makes these changes.
    public func makeTransform() -> JSONTransform { JSONTransform(keys, nulls, paths) }
}

/// Something that is wrong in an edit.
public struct EditFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The place in the edit, such as `.remove[0]` or `.rename["features[*].x"]`.
    public let path: String
    /// The fault, and the text to write instead.
    public let text: String

    /// The place and the text in one line.
    public var description: String { "\(path): \(text)" }
}

/// The paths of an edit that have no fault, and the faults of the others.
private struct PathList {
    private(set) var paths: [(path: EditPath, purpose: EditPaths.Purpose)] = []
    private(set) var faults: [EditFault] = []
    private var stepCount = 0
    private var isFull = false
    private var renamed: Set<[EditPath.Step]> = []

    mutating func refuse(_ place: String, _ text: String) { faults.append(EditFault(path: place, text: text)) }

    mutating func add(_ text: String, _ purpose: EditPaths.Purpose, at place: String) {
        do throws(EditPath.SyntaxError) {
            let path = try EditPath(text, takesBareBrackets: purpose == .exempt)
            if path.steps.isEmpty, purpose != .exempt {
                refuse(place, "the path is empty, but the document itself stays; name something in it")
            } else if case .rename(let name) = purpose, let fault = fault(of: path, newName: name) {
                refuse(place, fault)
            } else {
                add(path, purpose, at: place)
            }
        } catch {
            refuse(place, error.text)
        }
    }

    mutating func add(field: String, at place: String) {
        let path = EditPath(field: field)
        if path.steps.contains(.member([])) {
            refuse(place, "a field is written as names with dots, such as hourly.data.time")
        } else {
            add(path, .keep, at: place)
        }
    }

    private mutating func add(_ path: EditPath, _ purpose: EditPaths.Purpose, at place: String) {
        stepCount += path.steps.count + 1
        if paths.count < DocumentEdit.maximumPaths, stepCount <= DocumentEdit.maximumSteps {
            paths.append((path, purpose))
        } else if !isFull {
            isFull = true
            refuse(
                place,
                "at most \(DocumentEdit.maximumPaths) paths are possible, of \(DocumentEdit.maximumSteps) steps in all")
        }
    }

    private mutating func fault(of path: EditPath, newName: String) -> String? {
        guard case .member = path.steps.last else {
            return "only a member with a name can be renamed, so the path ends in its name"
        }
        if newName.isEmpty { return "the new name is empty" }
        return renamed.insert(path.steps).inserted ? nil : "another path renames the same members"
    }
}
