package import HTTPCore
import JSONText
package import Records

/// Reads the parameters of a request as their descriptions say, and collects their faults.
package struct Parameters {
    package struct Fault: Record {
        package var name = ""
        /// A sentence without its subject: `must be a number from -90 to 90, not "abc"`.
        package var detail = ""

        package init() {}

        package init(name: String, detail: String) { (self.name, self.detail) = (name, detail) }

        package static let schema = Schema<Fault> {
            Field("parameter", \.name, .note("The name of the parameter."))
            Field(\.detail, .note("What is wrong, and which values the parameter takes."))
        }
    }

    /// The number of unknown parameters that are named; more are only counted.
    private static let maximumUnknown = 10
    /// The number of wrong parts of a list that are named.
    static let maximumComplaints = 10

    /// The known ones alone.
    private var pairs: [(name: String, value: String)]
    package private(set) var faults: [Fault] = []
    /// The unknown ones of the query, if the route passes them on.
    package private(set) var others: [(name: String, value: String)] = []
    /// The most unknown parameters that are passed on, and the bytes of all of them.
    private static let maximumOthers = 32, maximumBytesOfOthers = 4096

    /// The parameters of `query`, which takes those of `known` that belong to a query, and `values` of the path and the head.
    package init(
        _ query: Query, values: [(name: String, value: String)] = [], known specs: [ParameterSpec],
        takesOthers: Bool = false
    ) {
        let names = specs.filter { $0.location == .query }.map(\.name)
        self.init(query, values: values, names: names, takesOthers: takesOthers)
    }

    /// The parameters of `query`, which takes those with the names `known`, and `values` of the path and the head.
    package init(
        _ query: Query, values: [(name: String, value: String)], names known: [String], takesOthers: Bool
    ) {
        let all = query.pairs
        pairs = all.filter { $0.name.isASCII && known.contains($0.name) }
        if pairs.count < all.count {
            if takesOthers {
                takeOthers(all.filter { !($0.name.isASCII && known.contains($0.name)) })
            } else {
                noteUnknown(all.map(\.name), known)
            }
        }
        pairs += values
    }

    private mutating func takeOthers(_ others: [(name: String, value: String)]) {
        let bytes = others.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        if others.count <= Self.maximumOthers, bytes <= Self.maximumBytesOfOthers {
            self.others = others
        } else {
            fault(
                others[0].name,
                "and the other unknown parameters are too many: at most \(Self.maximumOthers) of them, and "
                    + "\(Self.maximumBytesOfOthers) bytes, are passed on")
        }
    }

    private mutating func noteUnknown(_ names: [String], _ known: [String]) {
        // By bytes: to order and to hash names of combining marks takes a millisecond.
        var seen = Set<[UInt8]>()
        let unknown = names.filter { !($0.isASCII && known.contains($0)) && seen.insert(Array($0.utf8)).inserted }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let list = known.map { "\"\($0)\"" }.joined(separator: ", ")
        let takes = known.isEmpty ? "which takes none" : "which takes \(list)"
        for (index, name) in unknown.prefix(Self.maximumUnknown).enumerated() {
            let others = index == Self.maximumUnknown - 1 ? unknown.count - Self.maximumUnknown : 0
            fault(
                name,
                "is not a parameter of this path, \(takes)\(Quotation.hint(name, among: known))"
                    + (others > 0 ? "; neither are \(others) others" : ""))
        }
    }

    /// Returns the value of a parameter; nil if there is none, nil with a fault if one is missing, wrong or repeated.
    package mutating func read<Value>(_ parameter: Parameter<Value>) -> Value? {
        let (name, type) = (parameter.spec.name, parameter.type)
        guard let first = pairs.indices.first(where: { Name.areEqual(pairs[$0].name, name) }) else {
            if parameter.spec.isRequired { fault(name, "is missing: it takes \(type.expectation)") }
            return nil
        }
        let count = pairs.indices[first...].count { Name.areEqual(pairs[$0].name, name) }
        if count > 1 {
            fault(name, "appears \(count) times: it takes \(type.expectation), once")
            return nil
        }
        let text = pairs[first].value
        let isTooLong = text.utf8.count > type.maximumBytes
        let mayBeRead = !isTooLong && (text.isASCII || !type.isASCII)
        switch mayBeRead ? type.read(text) : .wrong(hint: isTooLong ? "; it is too long" : "") {
        case .value(let value): return value
        case .wrong(let hint):
            fault(name, "must be \(type.expectation), not \(Quotation.quote(text))\(reason(text, hint))")
        case .complaints(let complaints):
            let named = complaints.prefix(Self.maximumComplaints).joined(separator: "; ")
            fault(name, "must be \(type.expectation): \(named)")
        }
        return nil
    }

    private func reason(_ text: String, _ hint: String) -> String {
        if text.isEmpty { return "; it is empty" }
        let isPadded = text.first?.isWhitespace == true || text.last?.isWhitespace == true
        return isPadded ? "; there are spaces around it" : hint
    }

    private mutating func fault(_ name: String, _ detail: String) {
        faults.append(Fault(name: String(String.UnicodeScalarView(name.unicodeScalars.prefix(40))), detail: detail))
    }

    /// Ends the reading.
    /// - Throws: `Problem` with all faults, if there are any.
    package func finish() throws(Problem) {
        if !faults.isEmpty { throw Problem.invalidParameters(faults) }
    }
}

/// A parameter of a route, described once: reading, faults, documents and OpenAPI come from this value.
package struct ParameterSpec: Sendable {
    package enum Location: String, Sendable {
        case path, query, header
    }

    package let name: String
    package let location: Location
    package let isRequired: Bool
    /// The values in words, without a subject: `a number from -90 to 90 degrees`.
    package let expectation: String
    /// The JSON Schema of the value.
    package private(set) var schema: JSONValue
    /// The meaning of an absent parameter, in words or as the value.
    package private(set) var defaultNote: String?
    /// The meaning of the value.
    package let summary: String
    /// A value that the demo answers; nil for a parameter that examples leave out.
    package let example: String?

    /// Returns the parameter of another route, which has its own default.
    package func with(default note: String) -> ParameterSpec {
        var spec = self
        spec.defaultNote = note
        return spec
    }

    /// The parameter of a route that ignores other values.
    package var ignoringOthers: ParameterSpec {
        var spec = self
        spec.schema = ["type": "string"]
        return spec
    }
}

/// A parameter whose values have a type; classes, because each request reads several, and a copy retains a dozen texts.
package final class Parameter<Value: Sendable>: Sendable {
    package let spec: ParameterSpec
    /// The name of the value for readers; that of the parameter, unless the parameter is a header field.
    package let key: String
    package let type: ParameterType<Value>

    /// A parameter of the query, which may be absent: then `defaultNote` holds, and the schema has the default `value`.
    package init(
        _ name: String, _ type: ParameterType<Value>, in location: ParameterSpec.Location = .query,
        isRequired: Bool = false, orElse defaultNote: String? = nil, default value: JSONValue? = nil,
        _ summary: String, example: String? = nil, key: String? = nil
    ) {
        self.key = key ?? name
        var schema = type.schema
        if let value { schema["default"] = value }
        spec = ParameterSpec(
            name: name, location: location, isRequired: isRequired || location == .path,
            expectation: type.expectation, schema: schema, defaultNote: defaultNote, summary: summary,
            example: example)
        self.type = type
    }
}

/// The values that a parameter takes.
package final class ParameterType<Value: Sendable>: Sendable {
    package enum Reading: Sendable {
        case value(Value)
        /// A wrong value; the hint is empty, or a clause such as `; did you mean "si"?`.
        case wrong(hint: String)
        /// A list with wrong parts.
        case complaints([String])
    }

    package let expectation: String
    package let schema: JSONValue
    /// Whether every character of a value must be ASCII, as in all values but a text in a client's own words.
    let isASCII: Bool
    /// The longest value in bytes: 500 characters of four bytes, unless the type bounds its values itself.
    let maximumBytes: Int
    package let read: @Sendable (String) -> Reading

    package init(
        _ expectation: String, schema: JSONValue, isASCII: Bool, maximumBytes: Int = 2000,
        reading read: @escaping @Sendable (String) -> Reading
    ) {
        (self.expectation, self.schema, self.isASCII) = (expectation, schema, isASCII)
        (self.maximumBytes, self.read) = (maximumBytes, read)
    }

    /// A type whose values `convert` makes; `hint` says why there is none.
    package convenience init(
        _ expectation: String, schema: JSONValue, isASCII: Bool = true,
        hint: @escaping @Sendable (String) -> String = { _ in "" }, convert: @escaping @Sendable (String) -> Value?
    ) {
        self.init(expectation, schema: schema, isASCII: isASCII) { text in
            convert(text).map(Reading.value) ?? .wrong(hint: hint(text))
        }
    }
}

extension StringProtocol {
    /// Whether all characters are ASCII.
    ///
    /// To compare a text of 1,000 combining marks with one word takes up to a millisecond, because Swift orders the marks.
    /// Texts of clients are compared with names only after this check, or by bytes.
    package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

/// Texts of clients and configurations in messages.
package enum Quotation {
    /// Returns `; did you mean …?` if one of `choices` is similar to `text` or a prefix of it, else an empty string.
    package static func hint(_ text: String, among choices: [String]) -> String {
        guard text.isASCII else { return "" }
        let prefix = choices.first { $0.count > 2 && text.hasPrefix($0) }
        return (NearestName.find(text, among: choices) ?? prefix).map { "; did you mean \(quote($0))?" } ?? ""
    }

    /// Returns a client's or a configuration's text in quotes, cut to 40 code points; a character can have thousands.
    package static func quote(_ text: String) -> String { "\"\(String(text.unicodeScalars.prefix(40)))\"" }
}
