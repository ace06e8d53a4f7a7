/// The paths of objects whose keys are data and keep their spelling, as a tree of steps.
struct ExemptPaths {
    /// A node of the tree, by its index in `nodes`.
    typealias Location = Int

    private struct Node {
        var members: [[UInt8]: Location] = [:]
        var elements: Location?
        var isExempt = false
    }

    private var nodes = [Node()]

    /// The tree of paths such as `flags.sourceTimes` and `items[].labels`; an empty path is the root.
    init(_ paths: [String]) {
        for path in paths {
            var location = 0
            for step in path.split(separator: ".") {
                var name = step[...]
                var arrays = 0
                while name.hasSuffix("[]") {
                    name = name.dropLast(2)
                    arrays += 1
                }
                if !name.isEmpty { location = add(\.members[Array(name.utf8)], to: location) }
                for _ in 0..<arrays { location = add(\.elements, to: location) }
            }
            nodes[location].isExempt = true
        }
    }

    /// The location of the root; nil if there are no paths.
    var root: Location? { nodes.count > 1 || nodes[0].isExempt ? 0 : nil }

    /// Returns whether the keys of the object at `location` keep their spelling.
    func isExempt(_ location: Location?) -> Bool { location.map { nodes[$0].isExempt } ?? false }

    /// Returns the location of the elements of the array at `location`.
    func elements(of location: Location?) -> Location? { location.flatMap { nodes[$0].elements } }

    /// Returns the location of the member with the key `key`, which is written as `name`.
    func member(of location: Location?, key: [UInt8], name: [UInt8]) -> Location? {
        location.flatMap { nodes[$0].members[key] ?? nodes[$0].members[name] }
    }

    /// Returns the child of `location` at `step`, which it adds if it is missing.
    private mutating func add(_ step: WritableKeyPath<Node, Location?>, to location: Location) -> Location {
        if let known = nodes[location][keyPath: step] { return known }
        nodes.append(Node())
        nodes[location][keyPath: step] = nodes.count - 1
        return nodes.count - 1
    }
}
