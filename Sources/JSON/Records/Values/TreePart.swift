/// A value of a tree: a leaf, or the values that it contains.
package enum TreePart<Source, Target> {
    case leaf(Target)
    case array([Source])
    case object([(key: String, value: Source)])
}

/// Converts a tree of one type into one of another, from the leaves up.
///
/// It does not recurse, because a document may nest deeper than the stack allows.
package func foldTree<Source, Target, Failure: Error>(
    _ root: Source, _ part: (Source) throws(Failure) -> TreePart<Source, Target>, array: ([Target]) -> Target,
    object: ([(key: String, value: Target)]) -> Target
) throws(Failure) -> Target {
    var open: [OpenPart<Source, Target>] = []
    var finished: Target?
    var next: Source? = root
    while true {
        if let source = next {
            switch try part(source) {
            case .leaf(let value): finished = value
            case .array(let elements): open.append(OpenPart(elements: elements))
            case .object(let members): open.append(OpenPart(members: members))
            }
        }
        if let value = finished {
            guard let last = open.indices.last else { return value }
            open[last].append(value)
            finished = nil
        }
        // `open` is not empty: a leaf at the root has returned.
        let last = open.count - 1
        next = open[last].next
        if next == nil {
            let part = open.removeLast()
            finished = part.isObject ? object(part.targetMembers) : array(part.targetElements)
        }
    }
}

/// An array or an object whose elements or members are being converted.
private struct OpenPart<Source, Target> {
    let isObject: Bool
    private var elements: [Source] = []
    private var members: [(key: String, value: Source)] = []
    private(set) var targetElements: [Target] = []
    private(set) var targetMembers: [(key: String, value: Target)] = []

    init(elements: [Source]) {
        isObject = false
        self.elements = elements
        targetElements.reserveCapacity(elements.count)
    }

    init(members: [(key: String, value: Source)]) {
        isObject = true
        self.members = members
        targetMembers.reserveCapacity(members.count)
    }

    var next: Source? {
        if isObject { return targetMembers.count < members.count ? members[targetMembers.count].value : nil }
        return targetElements.count < elements.count ? elements[targetElements.count] : nil
    }

    mutating func append(_ value: Target) {
        if isObject {
            targetMembers.append((members[targetMembers.count].key, value))
        } else {
            targetElements.append(value)
        }
    }
}

/// Compares two trees without recursion.
///
/// `pairs` returns the pairs that remain to be compared, or nil if two values differ.
package func areEqualTrees<Tree>(_ left: Tree, _ right: Tree, _ pairs: (Tree, Tree) -> [(Tree, Tree)]?) -> Bool {
    guard var open = pairs(left, right) else { return false }
    while let (left, right) = open.popLast() {
        guard let inner = pairs(left, right) else { return false }
        open += inner
    }
    return true
}

/// Visits a tree without recursion; `visit` returns the values to visit next.
package func visitTree<Tree>(_ root: Tree, _ visit: (Tree) -> [Tree]) {
    var open = [root]
    while let tree = open.popLast() { open += visit(tree) }
}
