public import JSONText

/// The repairs of one document: how far it drifted from its contract.
///
/// A report holds paths and counts, never a value of the document. It is bounded: repairs at locations past
/// `maximumEntries` are only counted. It costs nothing if nothing is repaired.
///
///     var drift = DriftReport()
///     let forecast = try decoder.decode(Forecast.self, from: bytes, drift: &drift)
///     for entry in drift.entries {
///         print(entry.kind, entry.path, entry.count)  // dropped hourly.data[].windSpeed 3
///     }
public struct DriftReport: Sendable, Equatable {
    /// What happened to a value.
    public enum Kind: String, Sendable, CaseIterable {
        /// Left out: it could not be read as what the contract says.
        case dropped
        /// Replaced by absence or by the field's default.
        case defaulted
        /// Converted without loss, such as a number from a string.
        case coerced
        /// Kept as it came, although the contract does not list it.
        case unrecognized
        /// A key that the contract does not know; ignored.
        case unexpectedKey
        /// A key that appears more than once in an object: records take the last value, `LenientDecoder` the first.
        case duplicateKey
        /// Two keys that would get the same name; one of them keeps its own, and no value is lost.
        case collision
        /// Kept, although it means something else than the contract says, because nothing nearer is known.
        case approximated
        /// Asked for, or expected, and found in no element of the document.
        case missing
    }

    /// Why a repair was necessary.
    public enum Reason: String, Sendable {
        /// A required field is absent, or no element has what is expected.
        case missing
        /// A required field is `null`.
        case null
        /// The value has another JSON type than the field takes.
        case mistyped
        /// The value stands for "no value", such as -999.
        case sentinel
        /// A number outside the range of the field.
        case implausible
        /// A number that does not fit the field's type without loss.
        case inexact
        /// An element or a nested object lacks something that it requires.
        case invalid
        /// A number arrived as a string.
        case numericString
        /// A time in seconds arrived as a date in a string.
        case dateText
        /// A time in seconds arrived in milliseconds.
        case milliseconds
        /// A date has its day and its month as numbers, whose order nothing tells, such as 01/02/2026.
        case ambiguousDate
        /// A Boolean arrived as a number or a string.
        case booleanText
        /// A string arrived as a number.
        case textOfNumber
        /// A string arrived as a Boolean.
        case textOfBoolean
        /// An open enumeration does not list the value.
        case unknownValue
        /// A text does not match the field's pattern.
        case unmatched
        /// The contract does not know the key.
        case unknownKey
        /// The key appears more than once.
        case duplicate
        /// Two keys would get the same name.
        case collision
        /// The element exceeds the maximum length of its array.
        case tooMany
        /// The array has fewer elements than it must have.
        case tooFew
        /// Columns have different lengths; the values that the shorter ones lack are counted.
        case length
        /// Indices do not cut out of a text what they should.
        case misplaced
        /// The upstream says that it does not show the value.
        case refused
        /// The numbers are in an unknown unit.
        case unknownUnit
        /// A mean stands for the greatest value.
        case mean
        /// A day begins an hour off midnight, because the upstream does not heed a change of the clock.
        case clockChange
        /// A string or a key has one half of a surrogate pair, which U+FFFD replaces.
        case loneSurrogate
        /// A byte order mark stands before the document, whose path is empty.
        case byteOrderMark
        /// The document has characters whose surrogates were each written as UTF-8 (CESU-8).
        case surrogatePair
        /// The document has bytes that are not UTF-8, or not of its charset, which U+FFFD replaces.
        case invalidUTF8
        /// The document has control characters in strings, which are read as if they were escaped.
        case controlCharacter
        /// The document is in another charset than UTF-8, as its Content-Type says.
        case otherCharset
        /// The document has the syntax of scripts, which the configuration lets pass.
        case lenientSyntax
        /// A value that is no array counts as its one element.
        case singleElement
        /// The result of an expression is not defined, such as that of a division by zero.
        case undefined
    }

    /// One kind of repair at one path.
    public struct Entry: Sendable, Equatable {
        /// What happened.
        public let kind: Kind
        /// The path, with `[]` for any element: `hourly.data[].windSpeed`.
        public let path: String
        /// The place in the upstream's document: the expression or the path that a configuration names, or else the pattern
        /// of the document's keys; nil if that is the path.
        public internal(set) var from: String?
        /// Why it happened.
        public let reason: Reason
        /// How often it happened.
        public internal(set) var count: Int
        /// The first location: `hourly.data[12].windSpeed`.
        ///
        /// For a nested record that was dropped, the location in it of the field that is missing or wrong.
        public let example: String

        fileprivate func describesSameRepair(as other: Entry) -> Bool {
            kind == other.kind && reason == other.reason && path == other.path && from == other.from
        }
    }

    /// The maximum number of entries.
    public static let maximumEntries = 256

    /// The repairs, in the order in which they were first met.
    public internal(set) var entries: [Entry] = []
    /// The number of repairs past `maximumEntries`.
    public internal(set) var unlisted = 0

    /// An empty report.
    public init() {}

    /// Whether nothing was repaired.
    public var isEmpty: Bool { entries.isEmpty && unlisted == 0 }

    /// The number of repairs of each kind that occurred, in the order of `Kind.allCases`.
    public var counts: [(kind: Kind, count: Int)] {
        Kind.allCases.compactMap { kind in
            let count = entries.reduce(0) { $0 + ($1.kind == kind ? $1.count : 0) }
            return count > 0 ? (kind, count) : nil
        }
    }

    /// The counts in one line: `dropped=1, coerced=3`.
    public var summary: String {
        var parts = counts.map { "\($0.kind.rawValue)=\($0.count)" }
        if unlisted > 0 { parts.append("unlisted=\(unlisted)") }
        return parts.joined(separator: ", ")
    }

    /// Adds the repairs of another document, or of another part of the same one.
    ///
    /// Equal entries are counted together.
    ///
    ///     var whole = try Forecast.read(root).drift
    ///     whole.merge(try Alert.read(node).drift)
    public mutating func merge(_ other: DriftReport) {
        unlisted += other.unlisted
        for entry in other.entries { add(entry) }
    }

    private mutating func add(_ entry: Entry) {
        if let index = entries.firstIndex(where: entry.describesSameRepair) {
            entries[index].count += entry.count
        } else if entries.count < Self.maximumEntries {
            entries.append(entry)
        } else {
            unlisted += entry.count
        }
    }

    /// Notes a repair of the elements at `indices`; `path` has `[]` for any of them.
    package mutating func note(_ kind: Kind, _ reason: Reason, _ indices: some Collection<Int>, _ path: String) {
        guard let first = indices.first else { return }
        let example = path.replacing("[]", with: "[\(first)]")
        add(Entry(kind: kind, path: path, reason: reason, count: indices.count, example: example))
    }

    /// Notes that no element of the document has the value at `path`, which stands at `from` in documents that have it.
    package mutating func noteMissing(_ path: String, from: String) {
        add(
            Entry(
                kind: .missing, path: path, from: from == path ? nil : from, reason: .missing, count: 1, example: path))
    }

    /// Returns the listed repairs for which `isIncluded` returns true.
    package func only(_ isIncluded: (Entry) -> Bool) -> DriftReport {
        var report = DriftReport()
        report.entries = entries.filter(isIncluded)
        return report
    }

    /// Returns the report of a document in which values stand elsewhere than in the answer.
    ///
    /// `place` returns the pattern in the answer for one in the document, or nil for what has no place there. Examples
    /// stay those of the document, whose elements can have other numbers.
    package func placed(_ place: (_ pattern: String) -> String?) -> DriftReport {
        var placed = self
        placed.entries = entries.map { entry in
            guard let path = place(entry.from ?? entry.path), path != entry.path else { return entry }
            return Entry(
                kind: entry.kind, path: path, from: entry.from ?? entry.path, reason: entry.reason,
                count: entry.count, example: entry.example)
        }
        return placed
    }

    /// Returns the report with the places that `origin` returns for those in the document, nil for the same.
    package func traced(_ origin: (_ pattern: String) -> String?) -> DriftReport {
        var traced = self
        for index in entries.indices {
            let entry = entries[index]
            if let from = origin(entry.from ?? entry.path) { traced.entries[index].from = from }
        }
        return traced
    }

    /// Returns the report with the paths that `name` returns, nil for the same; what an entry is made from stays.
    package func renamed(_ name: (_ pattern: String) -> String?) -> DriftReport {
        var renamed = self
        renamed.entries = entries.map { entry in
            guard let path = name(entry.path) else { return entry }
            return Entry(
                kind: entry.kind, path: path, from: entry.from ?? entry.path, reason: entry.reason, count: entry.count,
                example: entry.example)
        }
        return renamed
    }

    /// Returns the report of a part as a report of the whole document, in which the part has the path `pattern` and first
    /// occurs at `example`.
    package func moved(under pattern: String, example: String) -> DriftReport {
        func joined(_ outer: String, _ inner: String) -> String {
            outer.isEmpty || inner.isEmpty || inner.hasPrefix("[") ? outer + inner : outer + "." + inner
        }
        var moved = self
        moved.entries = entries.map {
            Entry(
                kind: $0.kind, path: joined(pattern, $0.path), from: $0.from.map { joined(pattern, $0) },
                reason: $0.reason, count: $0.count,
                example: joined(example, $0.example))
        }
        return moved
    }
}

extension DriftReport {
    /// The repairs that `transform` made in the document that it wrote last.
    ///
    ///     let bytes = transform.bytes(of: root)
    ///     print(DriftReport(transform).summary)  // duplicateKey=1
    public init(_ transform: borrowing JSONTransform) {
        entries = transform.events.map { event in
            let (kind, reason): (Kind, Reason) =
                switch event.kind {
                case .duplicate: (.duplicateKey, .duplicate)
                case .collision: (.collision, .collision)
                case .missing: (.missing, .missing)
                }
            return Entry(kind: kind, path: event.path, reason: reason, count: event.count, example: event.path)
        }
        unlisted = transform.unlistedEvents
    }
}

extension DriftReport {
    /// The repairs of a document's text; their path is that of the document, because nothing was read yet.
    package init(_ repairs: TextRepairs) {
        let counts: [(Reason, Int)] = [
            (.byteOrderMark, repairs.hasByteOrderMark ? 1 : 0), (.surrogatePair, repairs.surrogatePairs),
            (.invalidUTF8, repairs.invalidSequences), (.controlCharacter, repairs.controlCharacters),
        ]
        for (reason, count) in counts { merge(DriftReport(.coerced, reason, ofDocument: count)) }
    }

    /// `count` repairs, perhaps 0, whose path is that of the document.
    package init(_ kind: Kind, _ reason: Reason, ofDocument count: Int) {
        if count > 0 { entries = [Entry(kind: kind, path: "", reason: reason, count: count, example: "")] }
    }
}

extension DriftReport: Encodable {
    /// Encodes an array of `{kind, path, from, reason, count, example}`; `from` only where an entry has it.
    ///
    /// The last element counts the repairs past the bound, if there are any: `{"kind":"unlisted","count":12}`.
    public func encode(to encoder: any Encoder) throws { try rows.encode(to: encoder) }

    /// Writes the report as JSON, in the form in which it is encoded.
    ///
    ///     drift.write(to: &writer)
    ///     // [{"kind":"dropped","path":"tags[]","reason":"mistyped","count":2,"example":"tags[3]"}]
    public func write(to writer: inout JSONWriter) { rows.write(to: &writer) }

    /// The schema of the report as it is written.
    package static func schema(in components: inout SchemaComponents) -> JSONValue {
        [DriftEntry].schema(in: &components)
    }

    private var rows: [DriftEntry] {
        entries.map(DriftEntry.init) + (unlisted > 0 ? [DriftEntry(unlisted: unlisted)] : [])
    }

    /// An entry as a record, so that a table writes it.
    private struct DriftEntry: Record {
        var kind = "", path: String?, from: String?, reason: String?, count = 0, example: String?

        init() {}

        init(_ entry: Entry) {
            (kind, path, from) = (entry.kind.rawValue, entry.path, entry.from)
            reason = entry.reason.rawValue
            (count, example) = (entry.count, entry.example)
        }

        init(unlisted: Int) { (kind, count) = ("unlisted", unlisted) }

        static let schema = Schema<DriftEntry> {
            Field(\.kind, .oneOf(Kind.allCases.map(\.rawValue) + ["unlisted"]), .note("What happened."))
            Field(\.path, .note("The path in the answer, with `[]` for any element."))
            Field(\.from, .note("The place in the upstream's document; absent if that is the path."))
            Field(\.reason, .note("Why it happened."))
            Field(\.count, .note("How often it happened."))
            Field(\.example, .note("The path of the first time."))
        }
    }
}
