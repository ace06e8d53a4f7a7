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

    private let pairs: [(name: String, value: String)]
    private(set) var faults: [Fault] = []

    /// The parameters of `query`, of which `known` are expected.
    init(_ query: Query, known: [String]) {
        pairs = query.pairs
        for name in Set(pairs.map(\.name)).subtracting(known).sorted() {
            let nearest = NearestName.find(name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
            let names = known.map { "\"\($0)\"" }.joined(separator: ", ")
            fault(name, "is no parameter of this path, which takes \(names)\(nearest)")
        }
    }

    /// The finite number called `name`, which must be there.
    ///
    /// Nil, and a fault, when it is not within `range`.
    mutating func number(_ name: String, in range: ClosedRange<Double>, _ unit: String) -> Double? {
        let expectation = "a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)) \(unit)"
        guard let text = single(name, expectation) else { return nil }
        // `Double` would take hexadecimal and `nan` too.
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
        guard isPlain, let value = Double(text), range.contains(value) else {
            fault(name, "must be \(expectation), not \(Self.quote(text))")
            return nil
        }
        return value
    }

    private mutating func single(_ name: String, _ expectation: String) -> String? {
        let values = pairs.filter { $0.name == name }.map(\.value)
        if values.count == 1 { return values[0] }
        let what = values.isEmpty ? "is missing" : "is there \(values.count) times"
        fault(name, "\(what): it takes \(expectation)")
        return nil
    }

    private mutating func fault(_ name: String, _ detail: String) {
        faults.append(Fault(name: String(name.prefix(40)), detail: detail))
    }

    private static func quote(_ text: String) -> String { "\"\(text.prefix(40))\"" }

    private static func text(_ number: Double) -> String {
        var writer = JSONWriter(capacity: 64)
        writer.write(number)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
