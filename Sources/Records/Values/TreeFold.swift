/// What a value of a tree is: a leaf, or the values that it holds.
package enum TreePart<Source, Target> {
    case leaf(Target)
    case array([Source])
    case object([(key: String, value: Source)])
}

/// Turns a tree of one type into one of another from the leaves up, without recursion: what a document nests may be
/// deeper than the stack.
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
            case .array(let elements): open.append(OpenPart(keys: nil, sources: elements))
            case .object(let members): open.append(OpenPart(keys: members.map(\.key), sources: members.map(\.value)))
            }
        }
        if let value = finished {
            guard let last = open.indices.last else { return value }
            open[last].values.append(value)
            finished = nil
        }
        // A leaf at the root has returned, so that there is an open part here.
        let last = open.count - 1
        next = open[last].next
        if next == nil {
            let part = open.removeLast()
            finished = part.keys.map { object(zip($0, part.values).map { (key: $0, value: $1) }) } ?? array(part.values)
        }
    }
}

/// An array or an object whose elements or members are being turned.
private struct OpenPart<Source, Target> {
    package let keys: [String]?
    package let sources: [Source]
    var values: [Target] = []

    var next: Source? { values.count < sources.count ? sources[values.count] : nil }
}

/// Compares two trees without recursion.
///
/// `pairs` gives what remains to be compared of two values: nil when they differ, nothing when they are equal.
package func areEqualTrees<Tree>(_ left: Tree, _ right: Tree, _ pairs: (Tree, Tree) -> [(Tree, Tree)]?) -> Bool {
    guard var open = pairs(left, right) else { return false }
    while let (left, right) = open.popLast() {
        guard let inner = pairs(left, right) else { return false }
        open += inner
    }
    return true
}

/// Visits a value and those that it holds without recursion; `visit` gives the ones to go on with.
package func visitTree<Tree>(_ root: Tree, _ visit: (Tree) -> [Tree]) {
    var open = [root]
    while let tree = open.popLast() { open += visit(tree) }
}
