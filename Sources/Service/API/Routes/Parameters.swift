package import HTTPCore
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
        guard let first = pairs.firstIndex(where: { Name.areEqual($0.name, name) }) else {
            if parameter.spec.isRequired { fault(name, "is missing: it takes \(type.expectation)") }
            return nil
        }
        let count = pairs[first...].count { Name.areEqual($0.name, name) }
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
