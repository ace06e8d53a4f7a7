public import JSONText

/// What had to be repaired in a document: how far it drifted from the contract.
///
/// It costs nothing when nothing drifts.
///
/// A report is bounded: past `maximumEntries` different places, further ones are only counted. It holds paths and
/// counts, never a value of the document.
///
///     var drift = DriftReport()
///     let forecast = try decoder.decode(Forecast.self, from: bytes, drift: &drift)
///     for entry in drift.entries {
///         print(entry.kind, entry.path, entry.count)  // dropped hourly.data[].windSpeed 3
///     }
public struct DriftReport: Sendable, Equatable {
    /// What happened to the value.
    ///
    ///     let dropped = drift.entries.filter { $0.kind == .dropped }
    public enum Kind: String, Sendable, CaseIterable {
        /// Left out: it could not be read as what the contract says.
        case dropped
        /// Replaced by absence or by the field's default.
        case defaulted
        /// Converted without loss, such as a number from a string.
        case coerced
        /// Kept as it came, though the contract does not list it.
        case unrecognized
        /// A key that the contract does not know: ignored.
        case unexpectedKey
        /// A key that stands more than once in an object: the last one counts.
        case duplicateKey
        /// Two keys that would get one name: one of them keeps its own, and no value is lost.
        case collision
    }

    /// Why it happened.
    ///
    ///     let sentinels = drift.entries.filter { $0.reason == .sentinel }
    public enum Reason: String, Sendable {
        /// A required field is not there.
        case missing
        /// A required field is `null`.
        case null
        /// Another kind of JSON value than the field takes.
        case mistyped
        /// A value that stands for no value, such as -999.
        case sentinel
        /// A number outside of what the field can be.
        case implausible
        /// A number that does not fit the field's type without loss.
        case inexact
        /// An element or a nested object that lacks what it requires.
        case invalid
        /// A number that arrived as a string.
        case numericString
        /// A moment in seconds that arrived as a date in a string.
        case dateText
        /// A number or a string that stands for true or false.
        case booleanText
        /// A string field that arrived as a number.
        case textOfNumber
        /// A value that an open enumeration does not list.
        case unknownValue
        /// A key that the contract does not know.
        case unknownKey
        /// A key that stands more than once.
        case duplicate
        /// Two keys that would get one name.
        case collision
        /// An element past the most that an array may have.
        case tooMany
        /// Indices that do not cut out of a text what they should.
        case misplaced
        /// Something that the upstream says it does not show.
        case refused
        /// Numbers in a unit that is not known.
        case unknownUnit
    }

    /// One place of the contract and what happened there.
    ///
    ///     for entry in drift.entries where entry.kind == .unexpectedKey { print(entry.path) }
    public struct Entry: Sendable, Equatable {
        /// What happened.
        ///
        ///     drift.entries.first?.kind  // .dropped
        public let kind: Kind
        /// Where, with `[]` for any element: `hourly.data[].windSpeed`.
        ///
        ///     drift.entries.first?.path  // "hourly.data[].windSpeed"
        public let path: String
        /// Why.
        ///
        ///     drift.entries.first?.reason  // .mistyped
        public let reason: Reason
        /// How often.
        ///
        ///     drift.entries.first?.count  // 3
        public internal(set) var count: Int
        /// The first such place: `hourly.data[12].windSpeed`.
        ///
        ///     drift.entries.first?.example  // "hourly.data[12].windSpeed"
        public let example: String

        /// Whether the other one tells of the same repair at the same place.
        func isAlike(_ other: Entry) -> Bool { kind == other.kind && reason == other.reason && path == other.path }
    }

    /// How many different places a report names.
    ///
    ///     drift.entries.count <= DriftReport.maximumEntries  // true
    public static let maximumEntries = 256

    /// The places, in the order in which they were first met.
    ///
    ///     drift.entries.map(\.path)  // ["alerts[].expires", "hourly.data[].windSpeed"]
    public internal(set) var entries: [Entry] = []
    /// How many more repairs there were in places past `maximumEntries`.
    ///
    ///     if drift.unlisted > 0 { print("and \(drift.unlisted) more") }
    public internal(set) var unlisted = 0

    /// An empty report.
    ///
    ///     var drift = DriftReport()
    ///     let numbers = try LenientDecoder().decode([Int].self, from: Array(#"["1"]"#.utf8), drift: &drift)
    ///     drift.summary  // "coerced=1"
    public init() {}

    /// Whether the document was all that the contract says.
    ///
    ///     if !drift.isEmpty { print(drift.summary) }
    public var isEmpty: Bool { entries.isEmpty && unlisted == 0 }

    /// How often each kind occurred, in the order of `Kind.allCases`, leaving out those that did not.
    ///
    ///     for (kind, count) in drift.counts { print(kind.rawValue, count) }  // dropped 1, then coerced 3
    public var counts: [(kind: Kind, count: Int)] {
        Kind.allCases.compactMap { kind in
            let count = entries.reduce(0) { $0 + ($1.kind == kind ? $1.count : 0) }
            return count > 0 ? (kind, count) : nil
        }
    }

    /// The counts in one line, as the `Weir-Drift` field carries them: `dropped=1, coerced=3`.
    ///
    ///     drift.summary  // "dropped=1, coerced=3"
    public var summary: String {
        var line = ""
        func append(_ name: String, _ count: Int) {
            if !line.isEmpty { line += ", " }
            line += name
            line += "="
            line += String(count)
        }
        for (kind, count) in counts { append(kind.rawValue, count) }
        if unlisted > 0 { append("unlisted", unlisted) }
        return line
    }

    /// Takes in what was repaired in another document, or another part of the same one: equal places are counted
    /// together, and the bound holds.
    ///
    ///     var whole = try Forecast.read(root).drift
    ///     whole.merge(try Alert.read(node).drift)
    public mutating func merge(_ other: DriftReport) {
        unlisted += other.unlisted
        for entry in other.entries {
            if let index = entries.firstIndex(where: entry.isAlike) {
                entries[index].count += entry.count
            } else if entries.count < Self.maximumEntries {
                entries.append(entry)
            } else {
                unlisted += entry.count
            }
        }
    }

    /// The report of a part of a document as one of the whole document: the part stands at `pattern`, at first at
    /// `example`.
    func moved(under pattern: String, example: String) -> DriftReport {
        func joined(_ outer: String, _ inner: String) -> String {
            outer.isEmpty || inner.isEmpty || inner.hasPrefix("[") ? outer + inner : outer + "." + inner
        }
        var moved = self
        moved.entries = entries.map {
            Entry(
                kind: $0.kind, path: joined(pattern, $0.path), reason: $0.reason, count: $0.count,
                example: joined(example, $0.example))
        }
        return moved
    }
}

extension DriftReport: Encodable {
    private enum CodingKeys: String, CodingKey { case kind, path, reason, count, example }

    /// Encodes an array of `{kind, path, reason, count, example}`.
    ///
    /// Repairs past the bound are the last element's, `{"kind":"unlisted","count":12}`.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for entry in entries {
            var members = list.nestedContainer(keyedBy: CodingKeys.self)
            try members.encode(entry.kind.rawValue, forKey: .kind)
            try members.encode(entry.path, forKey: .path)
            try members.encode(entry.reason.rawValue, forKey: .reason)
            try members.encode(entry.count, forKey: .count)
            try members.encode(entry.example, forKey: .example)
        }
        if unlisted > 0 {
            var members = list.nestedContainer(keyedBy: CodingKeys.self)
            try members.encode("unlisted", forKey: .kind)
            try members.encode(unlisted, forKey: .count)
        }
    }

    /// Writes the report as JSON, in the form in which it is encoded.
    ///
    ///     drift.write(to: &writer)
    ///     // [{"kind":"dropped","path":"tags[]","reason":"mistyped","count":2,"example":"tags[3]"}]
    public func write(to writer: inout JSONWriter) {
        writer.write(byte: UInt8(ascii: "["))
        for (index, entry) in entries.enumerated() {
            writer.write(raw: index == 0 ? "{\"kind\":" : ",{\"kind\":")
            writer.write(entry.kind.rawValue)
            writer.write(raw: ",\"path\":")
            writer.write(entry.path)
            writer.write(raw: ",\"reason\":")
            writer.write(entry.reason.rawValue)
            writer.write(raw: ",\"count\":")
            writer.write(Int64(entry.count))
            writer.write(raw: ",\"example\":")
            writer.write(entry.example)
            writer.write(byte: UInt8(ascii: "}"))
        }
        if unlisted > 0 {
            writer.write(raw: ",{\"kind\":\"unlisted\",\"count\":")
            writer.write(Int64(unlisted))
            writer.write(byte: UInt8(ascii: "}"))
        }
        writer.write(byte: UInt8(ascii: "]"))
    }
}

extension DriftReport {
    /// What had to be repaired in the document that `transform` wrote last.
    ///
    ///     let bytes = transform.bytes(of: root)
    ///     let drift = DriftReport(transform)
    ///     print(drift.summary)  // duplicateKey=1
    public init(_ transform: borrowing JSONTransform) {
        entries = transform.events.map { event in
            let isDuplicate = event.kind == .duplicate
            return Entry(
                kind: isDuplicate ? .duplicateKey : .collision, path: event.path,
                reason: isDuplicate ? .duplicate : .collision, count: event.count, example: event.path)
        }
        unlisted = transform.unlistedEvents
    }
}
