import JSONText

/// The differences between two answers to one request, each path once.
struct AnswerComparison {
    /// The kind of a difference; `count` is about the elements of an array.
    enum Kind: String {
        case gone, new, type, value, count
    }

    struct Change: Hashable {
        let kind: Kind
        /// The path, with `[]` for any element.
        let path: String
    }

    /// The most changes of one answer, one more than a report has, and the bytes of a path.
    private static let mostChanges = ReplayReport.mostFindings + 1, longestPath = 512
    /// Values that are nested deeper are compared as texts.
    private static let deepest = 100

    /// The changes in the order of the former answer; of changed numbers, the first pair.
    private(set) var changes: [(change: Change, detail: String)] = []
    private var known: Set<Change> = []
    private let options = JSONOptions(maximumBytes: .max, maximumDepth: JSONOptions.greatestDepth)

    /// Compares the bodies of two answers; texts that are no JSON have no paths.
    init(_ old: [UInt8], _ new: [UInt8]) {
        if old == new { return }
        var first = JSONParser(options: options)
        var second = JSONParser(options: options)
        do {
            try first.withDocument(old) { old in
                try second.withDocument(new) { new in compare(old, new, DocumentPath(maximumBytes: Self.longestPath)) }
            }
        } catch {
            note(.value, DocumentPath())
        }
    }

    private mutating func note(_ kind: Kind, _ path: DocumentPath, _ detail: @autoclosure () -> String = "") {
        let change = Change(kind: kind, path: path.text)
        if changes.count < Self.mostChanges, known.insert(change).inserted { changes.append((change, detail())) }
    }

    private mutating func compare(_ old: JSONNode, _ new: JSONNode, _ path: DocumentPath, depth: Int = 0) {
        if old.kind == new.kind, old.text.elementsEqual(new.text) { return }
        guard old.word == new.word else { return note(.type, path, "\(new.word), was \(old.word)") }
        switch old.kind {
        case .object where depth < Self.deepest: compareMembers(old, new, path, depth)
        case .array where depth < Self.deepest:
            var elements = path
            elements.appendAnyElement()
            for (old, new) in zip(old.elements, new.elements) { compare(old, new, elements, depth: depth + 1) }
            if old.count != new.count { note(.count, elements, "\(new.count), were \(old.count)") }
        case .string, .escapedString: if !old.hasString(of: new) { note(.value, path) }
        case .integer, .number: note(.value, path, "\(new.numberText ?? ""), was \(old.numberText ?? "")")
        default: note(.value, path)
        }
    }

    private mutating func compareMembers(_ old: JSONNode, _ new: JSONNode, _ path: DocumentPath, _ depth: Int) {
        func member(_ key: JSONNode) -> DocumentPath {
            var member = path
            member.append(member: key.string ?? "")
            return member
        }
        if old.hasKeys(of: new) {
            for (former, latter) in zip(old.members, new.members)
            where former.value.kind != latter.value.kind || !former.value.text.elementsEqual(latter.value.text) {
                compare(former.value, latter.value, member(former.key), depth: depth + 1)
            }
            return
        }
        var others = Dictionary(new.members.map { ($0.key.string ?? "", $0) }) { $1 }
        for (key, value) in old.members {
            if let other = others.removeValue(forKey: key.string ?? "") {
                compare(value, other.value, member(key), depth: depth + 1)
            } else {
                note(.gone, member(key))
            }
        }
        for (key, _) in new.members where others[key.string ?? ""] != nil { note(.new, member(key)) }
    }
}

extension JSONNode {
    /// The type of the value in a word.
    fileprivate var word: String {
        switch kind {
        case .null: "null"
        case .true, .false: "boolean"
        case .integer, .number: "number"
        case .string, .escapedString: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
