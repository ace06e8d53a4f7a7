/// The paths of maps whose keys are data, as a tree of steps.
struct ExemptPaths {
    private struct Place {
        var members: [(name: [UInt8], place: Int)] = []
        var elements: Int?
        var isExempt = false
    }

    private var places = [Place()]

    /// The tree of paths such as `flags.sourceTimes` and `items[].labels`.
    init(_ paths: [String]) {
        for path in paths {
            var place = 0
            for step in path.split(separator: ".") {
                var name = step[...]
                var arrays = 0
                while name.hasSuffix("[]") {
                    name = name.dropLast(2)
                    arrays += 1
                }
                if !name.isEmpty { place = take(memberOf: place, Array(name.utf8)) }
                for _ in 0..<arrays { place = take(elementsOf: place) }
            }
            places[place].isExempt = true
        }
    }

    /// The place of the root; nil when there are no paths.
    var root: Int? { places.count > 1 || places[0].isExempt ? 0 : nil }

    /// Whether the keys of the object at `place` stay.
    func isExempt(_ place: Int?) -> Bool { place.map { places[$0].isExempt } ?? false }

    /// The place of the elements of the array at `place`.
    func elements(of place: Int?) -> Int? { place.flatMap { places[$0].elements } }

    /// The place of the member with the key `key` that is written as `name`.
    func member(of place: Int?, key: UnsafeBufferPointer<UInt8>, name: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let place else { return nil }
        return places[place].members.first { $0.name.elementsEqual(key) || $0.name.elementsEqual(name) }?.place
    }

    private mutating func take(memberOf place: Int, _ name: [UInt8]) -> Int {
        if let known = places[place].members.first(where: { $0.name == name }) { return known.place }
        places.append(Place())
        places[place].members.append((name, places.count - 1))
        return places.count - 1
    }

    private mutating func take(elementsOf place: Int) -> Int {
        if let known = places[place].elements { return known }
        places.append(Place())
        places[place].elements = places.count - 1
        return places.count - 1
    }
}
