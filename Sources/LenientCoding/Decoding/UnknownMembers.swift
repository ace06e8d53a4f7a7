import JSONText

/// The members of objects that no coding key seems to mean.
///
/// Whether that is so is certain when the decode has ended: until then another type may read the same object.
struct UnknownMembers {
    private struct Object {
        let position: UInt32
        /// What the type of keys that read it first does not know; nil where one of them knows every name.
        var names: UnknownNames?
        /// What further types do not know: mostly there are none.
        var others: [UnknownNames] = []
        /// Which of the paths leads to it; nil past the most that are kept.
        var path: Int?
    }

    private static let maximumPaths = 4 * DriftReport.maximumEntries

    private var objects: [Object] = []
    /// Which of the objects stands at a position.
    private var ordinals: [UInt32: Int] = [:]
    /// The ways to the objects, elements of one array counted as equal.
    private var paths: [[CodingPath.Step]] = []
    private var pathOrdinals: [UInt64: Int] = [:]

    /// How many objects were read.
    var count: Int { objects.count }

    /// Remembers that keys which do not know `names` read the object at `position`; nil where they know all its names.
    ///
    /// `steps` lead to the object.
    mutating func note(
        _ names: UnknownNames?, of position: UInt32, _ steps: UnsafeBufferPointer<CodingPath.Step>
    ) {
        if let known = ordinals[position] { return add(names, to: known) }
        ordinals[position] = objects.count
        objects.append(Object(position: position, names: names, path: names == nil ? nil : path(steps)))
    }

    /// Forgets the objects that were first read since there were `count` of them.
    mutating func takeBack(to count: Int) {
        while objects.count > count { ordinals[objects.removeLast().position] = nil }
    }

    /// Notes what is certain when the document at `root` has been decoded.
    func report(to ledger: inout DriftLedger, _ root: JSONNode) {
        for object in objects {
            guard let names = object.names else { continue }
            for name in names.all where names.contains(name) && object.others.allSatisfy({ $0.contains(name) }) {
                guard let path = object.path else {
                    ledger.noteUnlisted()
                    continue
                }
                let way = paths[path] + [.member(PathKey(stringValue: name))]
                ledger.note(.unexpectedKey, .unknownKey, way) { root.indices(to: root.node(at: object.position)) }
            }
        }
    }

    private mutating func add(_ names: UnknownNames?, to object: Int) {
        guard let first = objects[object].names, names !== first else { return }
        guard let names else { return objects[object].names = nil }
        // Types mostly come again for the object that they have just read.
        if names !== objects[object].others.last { objects[object].others.append(names) }
    }

    private mutating func path(_ steps: UnsafeBufferPointer<CodingPath.Step>) -> Int? {
        let hash = DriftLedger.hash(steps)
        if let known = pathOrdinals[hash] { return known }
        guard paths.count < Self.maximumPaths else { return nil }
        pathOrdinals[hash] = paths.count
        paths.append(Array(steps))
        return paths.count - 1
    }
}

extension JSONNode {
    /// Which elements lead to `node` inside of this value, from the outermost array inwards.
    fileprivate func indices(to node: JSONNode) -> [Int] {
        var indices: [Int] = []
        var here = self
        while here.position < node.position {
            let isArray = here.kind == .array
            var index = 0
            var child = here.node(at: here.firstPosition)
            if !isArray { child = child.valueOfKey }
            while child.nextPosition <= node.position {
                child = child.node(at: child.nextPosition)
                if !isArray { child = child.valueOfKey }
                index += 1
            }
            if isArray { indices.append(index) }
            here = child
        }
        return indices
    }
}
