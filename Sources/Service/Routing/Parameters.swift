import Contracts
package import HTTPCore
import JSONText
package import Records

/// Reads the parameters of a query and collects their faults.
package struct Parameters {
    package struct Fault: Record {
        package var name = ""
        /// A sentence without its subject: `must be a number from -90 to 90, not "abc"`.
        package var detail = ""

        package init() {}

        package init(name: String, detail: String) { (self.name, self.detail) = (name, detail) }

        package static let schema = Schema<Fault> {
            Field("parameter", \.name)
            Field(\.detail)
        }
    }

    /// The number of unknown parameters that are named; more are only counted.
    private static let maximumUnknown = 10
    /// The number of wrong parts of a list that are named.
    package static let maximumComplaints = 10
    /// The longest value, in bytes: 500 characters of four bytes.
    private static let longestValue = 2000

    /// The known ones alone.
    private let pairs: [(name: String, value: String)]
    package private(set) var faults: [Fault] = []

    /// The parameters of `query`, which takes those called `known`.
    package init(_ query: Query, known: [String]) {
        let all = query.pairs
        pairs = all.filter { $0.name.isASCII && known.contains($0.name) }
        guard pairs.count < all.count else { return }
        // By bytes: to order and to hash names of combining marks takes a millisecond.
        var seen = Set<[UInt8]>()
        let unknown = all.map(\.name).filter {
            !($0.isASCII && known.contains($0)) && seen.insert(Array($0.utf8)).inserted
        }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let names = known.map { "\"\($0)\"" }.joined(separator: ", ")
        for (index, name) in unknown.prefix(Self.maximumUnknown).enumerated() {
            let others = index == Self.maximumUnknown - 1 ? unknown.count - Self.maximumUnknown : 0
            fault(
                name,
                "is not a parameter of this path, which takes \(names)\(Quotation.hint(name, among: known))"
                    + (others > 0 ? "; neither are \(others) others" : ""))
        }
    }

    /// Returns the finite number called `name`, which must be present and within `range`.
    package mutating func number(_ name: String, in range: ClosedRange<Double>, _ unit: String) -> Double? {
        func text(_ bound: Double) -> String {
            String(decoding: JSONWriter.bytes(expecting: 64) { $0.write(bound) }, as: UTF8.self)
        }
        return required(name, "a number from \(text(range.lowerBound)) to \(text(range.upperBound)) \(unit)") {
            PlainNumber.read($0, in: range)
        }
    }

    /// Returns the value called `name`, which must be present, as `read` converts it.
    package mutating func required<Value>(
        _ name: String, _ expectation: @autoclosure () -> String, isASCII: Bool = true, read: (String) -> Value?
    ) -> Value? {
        if !pairs.contains(where: { $0.name == name }) { fault(name, "is missing: it takes \(expectation())") }
        return value(name, expectation(), isASCII: isASCII, read: read)
    }

    /// Returns the value called `name`, which may be missing, as `read` converts it.
    ///
    /// Nil with a fault if `read` returns nil or there are several values; `hint` explains a wrong value. Every value but a
    /// text in a client's own words must be ASCII (`isASCII`).
    package mutating func value<Value>(
        _ name: String, _ expectation: @autoclosure () -> String, isASCII: Bool = true,
        hint: (String) -> String = { _ in "" }, read: (String) -> Value?
    ) -> Value? {
        guard let text = single(name, expectation()) else { return nil }
        let isTooLong = text.utf8.count > Self.longestValue
        if !isTooLong, text.isASCII || !isASCII, let value = read(text) { return value }
        let reason = isTooLong ? "; it is too long" : reason(text, hint)
        fault(name, "must be \(expectation()), not \(Quotation.quote(text))\(reason)")
        return nil
    }

    private func reason(_ text: String, _ hint: (String) -> String) -> String {
        if text.isEmpty { return "; it is empty" }
        let isPadded = text.first?.isWhitespace == true || text.last?.isWhitespace == true
        return isPadded ? "; there are spaces around it" : hint(text)
    }

    /// Returns the value called `name`, which may be missing, if it is one of `choices`.
    package mutating func choice(_ name: String, among choices: [String]) -> String? {
        value(name, "one of \(choices.joined(separator: ", "))", hint: { Quotation.hint($0, among: choices) }) { text in
            choices.contains(text) ? text : nil
        }
    }

    package mutating func flag(_ name: String) -> Bool {
        ["1", "true"].contains(choice(name, among: ["1", "0", "true", "false"]))
    }

    /// Returns the parts of the comma-separated list called `name`, which may be missing.
    ///
    /// Nil with a fault if `complaints` returns any. `complaints` gets no more and no longer parts than a list of fields has.
    package mutating func list(
        _ name: String, _ expectation: @autoclosure () -> String, complaints: ([String]) -> [String]
    ) -> [String]? {
        guard let text = single(name, expectation()) else { return nil }
        let parts = text.split(
            separator: ",", maxSplits: FieldSelection.maximumPaths, omittingEmptySubsequences: false
        ).map(String.init)
        let isTooMuch =
            parts.count > FieldSelection.maximumPaths
            || parts.contains { $0.utf8.count > FieldSelection.maximumPathLength }
        let found =
            text.isEmpty
            ? ["it is empty"] : isTooMuch ? ["there are too many, or they are too long"] : complaints(parts)
        if found.isEmpty { return parts }
        fault(name, "must be \(expectation()): \(found.prefix(Self.maximumComplaints).joined(separator: "; "))")
        return nil
    }

    /// Returns the selection of record fields in the list called `name`; nil for all fields.
    package mutating func fields<Root: Record>(_ name: String, of root: Root.Type, example: String) -> FieldSelection? {
        var selection: FieldSelection?
        _ = list(name, "a list of fields, with commas and no spaces, such as \(example)") { paths in
            do throws(FieldSelection.UnknownFields) {
                selection = try FieldSelection(of: root, paths: paths)
                return []
            } catch {
                // Too many or too long paths are not named.
                if error.fields.isEmpty { return ["there are too many, or they are too long"] }
                return error.fields.map { path, nearest in
                    "there is no field \(Quotation.quote(path))" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
                }
            }
        }
        return selection
    }

    /// Returns the value called `name`; nil if it is missing, nil with a fault if there are several.
    private mutating func single(_ name: String, _ expectation: @autoclosure () -> String) -> String? {
        guard let first = pairs.firstIndex(where: { $0.name == name }) else { return nil }
        let count = pairs[first...].count { $0.name == name }
        if count > 1 { fault(name, "appears \(count) times: it takes \(expectation()), once") }
        return count == 1 ? pairs[first].value : nil
    }

    /// Adds a fault, also for a value in the path.
    package mutating func fault(_ name: String, _ detail: String) {
        faults.append(Fault(name: String(String.UnicodeScalarView(name.unicodeScalars.prefix(40))), detail: detail))
    }
}

/// Decimal numbers.
package enum PlainNumber {
    /// Returns the number in `text` if it is decimal and within `range`.
    package static func read(_ text: some StringProtocol, in range: ClosedRange<Double>) -> Double? {
        // `Double` accepts hexadecimal numbers and `nan` too.
        guard text.utf8.allSatisfy(isDecimal), let value = Double(text), range.contains(value) else { return nil }
        return value
    }

    /// Whether `text` has decimal digits alone, at least one.
    package static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    private static func isDecimal(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "0"..."9", "+", "-", ".", "e", "E": true
        default: false
        }
    }
}
