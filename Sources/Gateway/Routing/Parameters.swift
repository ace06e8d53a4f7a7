import HTTPCore
import JSONText
import LenientCoding

/// Reads the parameters of a query and gathers everything that is wrong with them.
struct Parameters {
    /// A parameter that is missing, wrong or unknown.
    struct Fault: Sendable {
        let name: String
        /// A sentence without its subject: `must be a number from -90 to 90, not "abc"`.
        let detail: String
    }

    /// Unknown parameters beyond these are counted only.
    private static let maximumUnknown = 10

    private let pairs: [(name: String, value: String)]
    private(set) var faults: [Fault] = []

    /// The parameters of `query`, of which `known` are expected.
    init(_ query: Query, known: [String]) {
        pairs = query.pairs
        guard pairs.contains(where: { !known.contains($0.name) }) else { return }
        let unknown = Set(pairs.map(\.name)).subtracting(known).sorted()
        for (index, name) in unknown.prefix(Self.maximumUnknown).enumerated() {
            let names = known.map { "\"\($0)\"" }.joined(separator: ", ")
            let others = unknown.count - Self.maximumUnknown
            let isLast = index == Self.maximumUnknown - 1 && others > 0
            fault(
                name,
                "is no parameter of this path, which takes \(names)\(Self.hint(name, among: known))"
                    + (isLast ? "; neither are \(others) others" : ""))
        }
    }

    /// The finite number called `name`, which must be there.
    ///
    /// Nil, and a fault, when it is not within `range`.
    mutating func number(_ name: String, in range: ClosedRange<Double>, _ unit: String) -> Double? {
        required(
            name, "a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)) \(unit)"
        ) { PlainNumber.read($0, in: range) }
    }

    /// What `read` makes of the value called `name`, which must be there.
    mutating func required<Value>(
        _ name: String, _ expectation: @autoclosure () -> String, read: (String) -> Value?
    ) -> Value? {
        if !pairs.contains(where: { $0.name == name }) { fault(name, "is missing: it takes \(expectation())") }
        return value(name, expectation(), read: read)
    }

    /// What `read` makes of the value called `name`, which may be missing.
    ///
    /// Nil, and a fault, when `read` makes nothing of it or it is there more than once; `hint` says what may be meant.
    mutating func value<Value>(
        _ name: String, _ expectation: @autoclosure () -> String, hint: (String) -> String = { _ in "" },
        read: (String) -> Value?
    ) -> Value? {
        guard let text = single(name, expectation()) else { return nil }
        if let value = read(text) { return value }
        let isPadded = text.first?.isWhitespace == true || text.last?.isWhitespace == true
        let reason = text.isEmpty ? "; it is empty" : isPadded ? "; there are spaces around it" : hint(text)
        fault(name, "must be \(expectation()), not \(Self.quote(text))\(reason)")
        return nil
    }

    /// The value called `name`, which may be missing, as one of `choices`.
    mutating func choice(_ name: String, among choices: [String]) -> String? {
        value(name, "one of \(choices.joined(separator: ", "))", hint: { Self.hint($0, among: choices) }) { text in
            choices.contains(text) ? text : nil
        }
    }

    /// The parts of the comma-separated list called `name`, which may be missing.
    ///
    /// Nil, and a fault, when `complaints` has any about them.
    mutating func list(
        _ name: String, _ expectation: @autoclosure () -> String, complaints: ([String]) -> [String]
    ) -> [String]? {
        guard let text = single(name, expectation()) else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let found = text.isEmpty ? ["it is empty"] : complaints(parts)
        if found.isEmpty { return parts }
        fault(name, "must be \(expectation()): \(found.prefix(10).joined(separator: "; "))")
        return nil
    }

    /// `; did you mean …?` where one of `choices` is near to `text`, or is short for it.
    static func hint(_ text: String, among choices: [String]) -> String {
        let short = choices.first { $0.count > 2 && text.hasPrefix($0) }
        return (NearestName.find(text, among: choices) ?? short).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// A client's text as messages repeat it.
    static func quote(_ text: String) -> String { "\"\(text.prefix(40))\"" }

    /// The one value called `name`; nil where it is missing, and with a fault where there are several.
    private mutating func single(_ name: String, _ expectation: @autoclosure () -> String) -> String? {
        guard let first = pairs.firstIndex(where: { $0.name == name }) else { return nil }
        let count = pairs[first...].count { $0.name == name }
        if count > 1 { fault(name, "is there \(count) times: it takes \(expectation())") }
        return count == 1 ? pairs[first].value : nil
    }

    /// Adds what is wrong with a value that is no parameter of the query.
    mutating func fault(_ name: String, _ detail: String) {
        faults.append(Fault(name: String(name.prefix(40)), detail: detail))
    }

    private static func text(_ number: Double) -> String {
        var writer = JSONWriter(capacity: 64)
        writer.write(number)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Numbers as people write them.
enum PlainNumber {
    /// The finite number that `text` writes, when it is within `range`.
    static func read(_ text: some StringProtocol, in range: ClosedRange<Double>) -> Double? {
        // `Double` would take hexadecimal and `nan` too.
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
        guard isPlain, let value = Double(text), range.contains(value) else { return nil }
        return value
    }
}
