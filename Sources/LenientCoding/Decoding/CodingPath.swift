import JSONText

/// The path from the document to a value: a list that grows at its end, so that siblings share all but the last step.
indirect enum CodingPath {
    case root
    case member(any CodingKey, of: CodingPath)
    case element(Int, of: CodingPath)

    /// The path as coders show it.
    var keys: [any CodingKey] {
        steps.map { step in
            switch step {
            case .root: PathKey(stringValue: "")
            case .member(let key, _): key
            case .element(let index, _): PathKey(element: index)
            }
        }
    }

    /// A hash in which all elements of an array are equal.
    var patternHash: UInt64 {
        var hasher = Hasher()
        for step in steps {
            if case .member(let key, _) = step { hasher.combine(key.stringValue) } else { hasher.combine(0) }
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// The path as drift reports show it, with the indices of elements or without.
    func text(indexed: Bool) -> String {
        var path = DocumentPath()
        for step in steps {
            switch step {
            case .root: break
            case .member(let key, _): path.append(member: key.stringValue)
            case .element(let index, _) where indexed: path.append(index: index)
            case .element: path.appendAnyElement()
            }
        }
        return path.text
    }

    /// The paths that end after each step of this one, the shortest first, without the root.
    private var steps: [CodingPath] {
        var steps: [CodingPath] = []
        var path = self
        while true {
            switch path {
            case .root: return steps.reversed()
            case .member(_, of: let parent), .element(_, of: let parent):
                steps.append(path)
                path = parent
            }
        }
    }
}

/// A coding key that does not come from a model.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    /// The key of an array's element, spelled as Foundation spells it.
    init(element index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    /// The member that `superDecoder()` and `superEncoder()` use.
    static let superclass = PathKey(stringValue: "super")
}
