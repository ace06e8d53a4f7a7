import JSONText
package import Records

extension ParameterType<Double> {
    /// Finite decimal numbers within a range.
    package static func number(in range: ClosedRange<Double>, _ unit: String) -> Self {
        let (low, high) = (text(range.lowerBound), text(range.upperBound))
        return Self(
            "a number from \(low) to \(high) \(unit)",
            schema: ["type": "number", "minimum": .number(low), "maximum": .number(high)]
        ) { PlainNumber.read($0, in: range) }
    }

    private static func text(_ bound: Double) -> String {
        String(decoding: JSONWriter.bytes(expecting: 64) { $0.write(bound) }, as: UTF8.self)
    }
}

extension ParameterType<Int> {
    /// Integers within a range, which has no negative ones.
    package static func integer(in range: ClosedRange<Int>) -> Self {
        let (low, high) = ("\(range.lowerBound)", "\(range.upperBound)")
        return Self(
            "an integer from \(low) to \(high)",
            schema: ["type": "integer", "minimum": .number(low), "maximum": .number(high)]
        ) { text in
            PlainNumber.isDigits(text) ? Int(text).flatMap { range.contains($0) ? $0 : nil } : nil
        }
    }

    /// A time of seconds, minutes, hours or days: `90s`, `30m`, `24h` or `7d`.
    package static var seconds: Self {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        return Self(
            "a time such as 90s, 30m, 24h or 7d", schema: ["type": "string", "pattern": "^[0-9]{1,6}[smhd]$"]
        ) { text in
            guard let unit = text.last.flatMap({ units[$0] }), text.count <= 7, PlainNumber.isDigits(text.dropLast())
            else { return nil }
            return Int(text.dropLast()).map { $0 * unit }
        }
    }
}

extension ParameterType {
    /// Words, each with its value.
    package static func oneOf(_ choices: [(word: String, value: Value)]) -> Self {
        let words = choices.map(\.word)
        return Self(
            "one of \(words.joined(separator: ", "))", schema: .words(words),
            hint: { Quotation.hint($0, among: words) }
        ) { text in choices.first { $0.word == text }?.value }
    }

    /// The words of an enumeration.
    package static func oneOf(_ type: Value.Type) -> Self
    where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        oneOf(type.allCases.map { ($0.rawValue, $0) })
    }

    /// Some of an enumeration's words, separated by commas.
    package static func list<Element>(of type: Element.Type) -> Self
    where
        Value == Set<Element>, Element: CaseIterable & RawRepresentable & Hashable & Sendable,
        Element.RawValue == String
    {
        let words = type.allCases.map(\.rawValue)
        let all = words.joined(separator: ", ")
        return list("a list, with commas and no spaces, of \(all)", of: .words(words)) { parts in
            let unknown = parts.filter { !($0.isASCII && words.contains($0)) }
            if unknown.isEmpty { return .value(Set(parts.compactMap(Element.init))) }
            // No more than are named: each hint takes time.
            return .complaints(
                unknown.prefix(Parameters.maximumComplaints).map { part in
                    "\(Quotation.quote(part)) is none of them\(Quotation.hint(part, among: words))"
                })
        }
    }

    /// Lists with commas, of no more and no longer parts than a list of fields has.
    private static func list(
        _ expectation: String, of element: JSONValue, reading read: @escaping @Sendable ([String]) -> Reading
    ) -> Self {
        let schema: JSONValue = [
            "type": "array", "items": element, "minItems": 1, "maxItems": .number("\(FieldSelection.maximumPaths)"),
        ]
        return Self(expectation, schema: schema, isASCII: false, maximumBytes: .max) { text in
            if text.isEmpty { return .complaints(["it is empty"]) }
            let parts = text.split(
                separator: ",", maxSplits: FieldSelection.maximumPaths, omittingEmptySubsequences: false
            ).map(String.init)
            let isTooMuch =
                parts.count > FieldSelection.maximumPaths
                || parts.contains { $0.utf8.count > FieldSelection.maximumPathLength }
            return isTooMuch ? tooMuch : read(parts)
        }
    }

    private static var tooMuch: Reading { .complaints(["there are too many, or they are too long"]) }
}

/// Fields of a record, and their paths as a client wrote them.
package struct SelectedFields: Sendable {
    package let selection: FieldSelection
    package let paths: [String]
}

extension ParameterType<[String]> {
    /// Paths of fields of an answer, separated by commas; `check` throws for those that no answer has.
    package static func paths(
        _ check: @escaping @Sendable ([String]) throws(FieldSelection.UnknownFields) -> Void
    ) -> Self {
        list("a list of fields, with commas and no spaces", of: ["type": "string"]) { paths in
            selection { () throws(FieldSelection.UnknownFields) in
                if paths.contains("") { throw FieldSelection.UnknownFields(fields: [("", nil)]) }
                try check(paths)
                return paths
            }
        }
    }
}

extension ParameterType {
    /// Returns the selection that `select` makes, or its complaints; too many or too long paths are not named.
    fileprivate static func selection(_ select: () throws(FieldSelection.UnknownFields) -> Value) -> Reading {
        do throws(FieldSelection.UnknownFields) { return .value(try select()) } catch {
            if error.fields.isEmpty { return tooMuch }
            return .complaints(
                error.fields.map { path, nearest in
                    "there is no field \(Quotation.quote(path))" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
                })
        }
    }
}

extension ParameterType<SelectedFields> {
    /// Paths of fields of a record, separated by commas.
    package static func fields<Root: Record>(of root: Root.Type, example: String) -> Self {
        list(
            "a list of fields, with commas and no spaces, such as \(example)",
            of: ["type": "string", "pattern": "^[A-Za-z][A-Za-z0-9.]*$"]
        ) { paths in
            selection { () throws(FieldSelection.UnknownFields) in
                SelectedFields(selection: try FieldSelection(of: root, paths: paths), paths: paths)
            }
        }
    }
}

extension ParameterType<Bool> {
    /// `1` or `true`, `0` or `false`.
    package static var flag: Self { oneOf([("1", true), ("0", false), ("true", true), ("false", false)]) }
}

extension ParameterType<String> {
    /// A text that is not empty, in a client's own words.
    package static func text(atMost maximum: Int) -> Self {
        Self(
            "a text of at most \(maximum) characters",
            schema: ["type": "string", "minLength": 1, "maxLength": .number("\(maximum)")], isASCII: false
        ) { text in text.isEmpty || text.count > maximum ? nil : text }
    }
}

extension JSONValue {
    /// The JSON Schema of words.
    fileprivate static func words(_ words: [String]) -> JSONValue {
        ["type": "string", "enum": .array(words.map { .string($0) })]
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
