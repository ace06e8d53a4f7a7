import JSONText
import Records

/// A step of the path from the root of the document to a value.
enum PathStep {
    case root
    case member(any CodingKey)
    case element(Int)
    /// A value of a dictionary that has no coding keys.
    case entry(String)
}

extension PathStep {
    /// Returns a hash of the path that ends with this step and ignores the indices of elements.
    func patternHash(in outer: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(outer)
        switch self {
        case .member(let key): hasher.combine(key.stringValue)
        case .entry(let name): hasher.combine(name)
        case .root, .element: hasher.combine(0)
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

/// A decoder or an encoder, which is also the last node of its path: a value takes one allocation for both.
protocol CodingPath: AnyObject {
    var step: PathStep { get }
    /// The decoder or encoder of the container; nil at the root.
    var parent: Self? { get }
}

extension CodingPath {
    /// The path as a `codingPath`.
    var keys: [any CodingKey] {
        steps.map { step in
            switch step {
            case .root: RawCodingKey("")
            case .member(let key): key
            case .element(let index): RawCodingKey(element: index)
            case .entry(let name): RawCodingKey(entry: name)
            }
        }
    }

    /// The path as drift reports show it, with or without the indices of elements.
    func text(indexed: Bool) -> String { documentPath(indexed: indexed).text }

    /// The path as drift reports show it, to which steps can be appended.
    func documentPath(indexed: Bool) -> DocumentPath {
        guard let parent else { return DocumentPath() }
        var path = parent.documentPath(indexed: indexed)
        switch step {
        case .root: break
        case .member(let key): path.append(member: key.stringValue)
        case .entry(let name): path.append(member: name)
        case .element(let index) where indexed: path.append(index: index)
        case .element: path.appendAnyElement()
        }
        return path
    }

    /// The steps of this path, without the root.
    private var steps: [PathStep] {
        var steps: [PathStep] = []
        var path = self
        while let parent = path.parent {
            steps.append(path.step)
            path = parent
        }
        return steps.reversed()
    }
}

extension RawCodingKey {
    /// The key of an array's element, spelled as in Foundation's errors.
    init(element index: Int) { self.init("Index \(index)", intValue: index) }

    /// The key of a dictionary's value, which has a number if the name is one, as in the standard library.
    init(entry name: String) { self.init(name, intValue: Int(name)) }

    /// The key that `superDecoder()` and `superEncoder()` use.
    static let superclass = RawCodingKey("super")
}
