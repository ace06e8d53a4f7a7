import JSONText

/// The path from the root of the document to a value, as a linked list in which siblings share their parent's path.
indirect enum CodingPath {
    case root
    case member(any CodingKey, of: CodingPath)
    case element(Int, of: CodingPath)

    /// The path as a `codingPath`.
    var keys: [any CodingKey] {
        steps.map { step in
            switch step {
            case .root: PathKey(stringValue: "")
            case .member(let key, _): key
            case .element(let index, _): PathKey(element: index)
            }
        }
    }

    /// A hash of the path that ignores the indices of elements.
    var patternHash: UInt64 {
        var hasher = Hasher()
        for step in steps {
            if case .member(let key, _) = step { hasher.combine(key.stringValue) } else { hasher.combine(0) }
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// The path as drift reports show it, with or without the indices of elements.
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

    /// The prefixes of this path from the first step to the path itself, without the root.
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

/// A coding key that is not a model's.
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

    /// The key of an array's element, spelled as in Foundation's errors.
    init(element index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    /// The key that `superDecoder()` and `superEncoder()` use.
    static let superclass = PathKey(stringValue: "super")
}
