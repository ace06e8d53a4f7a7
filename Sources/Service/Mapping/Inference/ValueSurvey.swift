import JMESPath
package import JSONText

/// The survey of several documents of one endpoint: a ``ValueSurvey`` of their roots.
///
///     var survey = ShapeSurvey()
///     try survey.add(bytes, options: JSONOptions())
package struct ShapeSurvey {
    /// The places that a survey of any documents has at most.
    static let maximumPlaces = 20_000

    /// The survey of the documents themselves.
    let root = ValueSurvey()
    private var places = maximumPlaces

    /// A survey without documents.
    package init() {}

    /// Adds a document, which is read as an upstream's document is.
    /// - Throws: `JSONSyntaxError` if it is not JSON.
    package mutating func add(_ document: [UInt8], options: JSONOptions = JSONOptions()) throws {
        var parser = JSONParser(options: options.forUpstream)
        var places = places
        try parser.withDocument(document) { root.add($0, depth: 0, places: &places) }
        self.places = places
    }
}

/// The values of documents at one place: the number of each kind, and the same for members and elements.
///
/// A place is a member of an object, or all elements of an array together. The depth, the number of places and the number of
/// distinct values are limited, whatever the documents are.
final class ValueSurvey {
    typealias Kind = JMESValue.Kind

    /// The deepest place below the root; the route of a deeper one would nest deeper than a configuration may.
    static let maximumDepth = 24
    /// The members that an object may have before its keys count as data.
    static let maximumMembers = 256
    /// The longest key, in bytes, that counts as a name and not as data.
    static let maximumNameBytes = 128
    /// The longest row whose columns have their own surveys.
    private static let maximumColumns = 32

    private var counts: [Kind: Int] = [:]
    private(set) var numbers = NumberSurvey()
    private(set) var texts = TextSurvey()
    private(set) var steps = StepSurvey()
    /// The names of the members, in the order in which they were first seen.
    private(set) var names: [String] = []
    /// The members by the bytes of their names: for `String ==`, the composed and the decomposed é are one name.
    private var members: [[UInt8]: ValueSurvey] = [:]
    /// All members together, of objects with too many of them or with keys that are no names; nil for others.
    private(set) var values: ValueSurvey?
    private(set) var elements: ValueSurvey?
    /// The scalars of arrays that are rows of one length, by their index; empty for other arrays.
    private(set) var columns: [ValueSurvey] = []
    private var hasRaggedRows = false
    /// The objects whose members are arrays of one length, which is not 0.
    private(set) var tables = 0
    /// Whether there is more in the values than the survey has.
    private(set) var isCut = false

    init() {}

    /// A survey of objects with members that have their own surveys.
    init(objectsWith members: [(name: String, survey: ValueSurvey)]) {
        counts[.object] = members.map(\.survey.count).max() ?? 0
        for (name, survey) in members where self.members.updateValue(survey, forKey: Array(name.utf8)) == nil {
            names.append(name)
        }
    }

    /// The number of values, nulls included.
    var count: Int { counts.values.reduce(0, +) }

    /// The number of values of a kind.
    subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

    /// The kinds of the values, without null.
    var kinds: [Kind] { Kind.allCases.filter { $0 != .null && self[$0] > 0 } }

    /// The survey of a member; nil if no object has one of this name.
    func member(_ name: String) -> ValueSurvey? { members[Array(name.utf8)] }

    /// Adds a value; `places` is the number of places that the survey may still get.
    func add(_ node: JSONNode, depth: Int, places: inout Int, isElement: Bool = false) {
        let kind = JMESValue.node(node).kind
        counts[kind, default: 0] += 1
        if kind == .array, isElement { addRow(node, &places) }
        switch kind {
        case .null, .boolean: break
        case .number:
            numbers.add(node)
            steps.add(node)
        case .string:
            texts.add(node)
            if node.text.count <= TextSurvey.maximumBytes { steps.add(node) }
        case .array where node.count == 0: break
        case .array where elements == nil && (depth == Self.maximumDepth || places <= 0): isCut = true
        case .array:
            let survey = elements ?? ValueSurvey()
            if elements == nil { (elements, places) = (survey, places - 1) }
            for element in node.elements {
                survey.add(element, depth: depth + 1, places: &places, isElement: true)
            }
        case .object where depth == Self.maximumDepth: isCut = isCut || node.count > 0
        case .object:
            var lengths: Set<Int> = []
            for (key, value) in node.members {
                lengths.insert(value.kind == .array ? value.count : 0)
                place(of: key, &places)?.add(value, depth: depth + 1, places: &places)
            }
            if lengths.count == 1, lengths != [0] { tables += 1 }
        }
    }

    /// Adds the scalars of an array among arrays to the columns.
    private func addRow(_ node: JSONNode, _ places: inout Int) {
        let isFirst = self[.array] == 1
        hasRaggedRows =
            hasRaggedRows || !(isFirst || node.count == columns.count) || node.count > Self.maximumColumns
            || isFirst && places < node.count
        if hasRaggedRows { return columns = [] }
        if isFirst {
            columns = (0..<node.count).map { _ in ValueSurvey() }
            places -= node.count
        }
        for (column, value) in zip(columns, node.elements) where ![.array, .object].contains(value.kind) {
            column.add(value, depth: 0, places: &places)
        }
    }

    /// The survey for the values of a key; nil if there is no place for it.
    private func place(of key: JSONNode, _ places: inout Int) -> ValueSurvey? {
        if let values { return values }
        let name = key.text.count <= Self.maximumNameBytes ? key.wellFormedString : nil
        if let member = name.flatMap(member) { return member }
        guard let name, names.count < Self.maximumMembers else { return gathered() }
        if places <= 0 {
            isCut = true
            return nil
        }
        let member = ValueSurvey()
        names.append(name)
        members[Array(name.utf8)] = member
        places -= 1
        return member
    }

    /// Makes one survey of all members, and returns it.
    private func gathered() -> ValueSurvey {
        let all = values ?? allValues
        (values, names, members) = (all, [], [:])
        return all
    }

    /// One survey of all members, whose keys count as data.
    var allValues: ValueSurvey {
        let all = ValueSurvey()
        for survey in names.compactMap(member) + (values.map { [$0] } ?? []) { all.merge(survey) }
        return all
    }

    /// Adds the values of another survey.
    func merge(_ other: ValueSurvey) {
        counts.merge(other.counts, uniquingKeysWith: +)
        numbers.merge(other.numbers)
        texts.merge(other.texts)
        tables += other.tables
        isCut = isCut || other.isCut
        if other[.array] > 0 {
            columns = self[.array] == other[.array] ? other.columns : []
            hasRaggedRows = columns.isEmpty
        }
        if let inner = other.elements {
            // A survey of its own: that of `other` stays as it is.
            let sum = elements ?? ValueSurvey()
            sum.merge(inner)
            elements = sum
        }
        if values != nil || other.values != nil { return gathered().merge(other.allValues) }
        for name in other.names {
            let sum = member(name) ?? ValueSurvey()
            other.member(name).map(sum.merge)
            if members.updateValue(sum, forKey: Array(name.utf8)) == nil { names.append(name) }
        }
        if names.count > Self.maximumMembers { _ = gathered() }
    }

    /// A survey without the values of other kinds than `kinds`, and without nulls.
    func only(_ kinds: [Kind]) -> ValueSurvey {
        let survey = ValueSurvey()
        survey.merge(self)
        for kind in Kind.allCases where !kinds.contains(kind) { survey.counts[kind] = 0 }
        if !kinds.contains(.array) { survey.elements = nil }
        return survey
    }
}

// How the objects of documents are used.
extension ValueSurvey {
    /// Whether objects are maps: their keys are ids, dates or codes, or many for objects of one shape.
    var keysAreData: Bool {
        if values != nil { return true }
        guard let first = names.first.flatMap(member) else { return false }
        // MediaWiki's pages have ids as keys, and -1 for one that is missing.
        let areIDs = names.contains { $0.count >= 3 || $0.hasPrefix("-") }
        if areIDs, names.allSatisfy({ $0.wholeMatch(of: /-?[0-9]+/) != nil }) { return true }
        guard names.count >= 3 else { return false }
        let isData = /[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/
        if names.allSatisfy({ $0.wholeMatch(of: isData) != nil }) { return true }
        let members = names.compactMap(member)
        guard names.count >= 8, members.allSatisfy({ $0.kinds == first.kinds }) else { return false }
        if first.kinds == [.number] { return names.allSatisfy { $0.wholeMatch(of: /[A-Z]{3}/) != nil } }
        return first.kinds == [.object] && !first.names.isEmpty
            && members.allSatisfy { Set($0.names) == Set(first.names) }
    }

    /// Whether every object has columns of one length, one of which is the time.
    var isTable: Bool {
        let times = ["time", "times", "date", "dates", "timestamp", "timestamps"]
        return kinds == [.object] && tables == self[.object] && names.count >= 2 && !isCut && values == nil
            && names.contains { times.contains($0.lowercased()) }
    }

    /// The rows of columns of one length.
    var row: ValueSurvey {
        ValueSurvey(objectsWith: names.compactMap { name in member(name)?.elements.map { (name, $0) } })
    }
}
