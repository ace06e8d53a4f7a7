import API

/// Normalizing a document of each dialect, compared by the processor time per byte of the answer.
///
/// A dialect may take longer than the suite's first one, whose figures have the peers, but not much.
struct DialectContest {
    /// A dialect with a document, and the name of its contestant.
    struct Entry {
        let dialect: String
        let document: Document
        let normalize: ([UInt8]) throws -> ShapedDocument
    }

    private static let bar = Figure.Bar.atMost(1.5)

    let suite: String
    /// At least one; the others are compared with the first one.
    let entries: [Entry]

    /// The names of the figures of a suite whose dialects these are; the first one is the measure.
    static func names(_ suite: String, _ dialects: [String]) -> [String] {
        dialects.dropFirst().map { "\(suite).\($0).perByte" }
    }

    var contestants: [Contestant] {
        entries.map { entry in
            Contestant("\(suite).\(entry.dialect)") { keep(try entry.normalize(entry.document.bytes)) }
        }
    }

    func run(seconds: Double, _ report: (Figure) -> Void) throws {
        let answers = try entries.map { Double(try $0.normalize($0.document.bytes).body.count) }
        for (entry, answer) in zip(entries, answers) {
            Terminal.say(
                "\(suite): \(entry.dialect), \(entry.document.origin), \(entry.document.bytes.count) bytes, answer of "
                    + "\(Int(answer)) bytes")
        }
        let results = try Contest(contestants: contestants).run(seconds: seconds)
        Terminal.say("\(suite): \(results.summary)")
        for (entry, answer) in zip(entries, answers).dropFirst() {
            let contestant = "\(suite).\(entry.dialect)", measure = "\(suite).\(entries[0].dialect)"
            guard let ratio = results.ratio(of: contestant, to: measure) else { continue }
            let read = ratio * Double(entries[0].document.bytes.count) / Double(entry.document.bytes.count)
            Terminal.say(
                "\(suite): \(entry.dialect) takes \(Figure.text(read)) times the time per byte of the document")
            report(Figure(name: contestant + ".perByte", value: ratio * answers[0] / answer, bar: Self.bar))
        }
    }
}
