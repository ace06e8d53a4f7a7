import JSONText
import Records

/// `weir normalize --drift` and `--drift-baseline`: the repairs of a document, for checks of recorded answers.
struct NormalizeDrift {
    static let options = [
        Command.Option(
            name: "--drift", help: "Write the list of repairs, with expected fields that are missing, and no document."),
        Command.Option(
            name: "--drift-baseline", placeholder: "FILE",
            help:
                "Exit with 1 if there is a repair whose kind and path are not in FILE, which --drift or --explain wrote."
        ),
    ]

    /// A repair without its number.
    private struct Pattern: Hashable {
        let kind: String, path: String
    }

    /// Whether the repairs are written in place of the document.
    let replacesDocument: Bool
    private let file: String?
    private let baseline: Set<Pattern>?

    /// The options of an invocation, with the baseline in its file.
    init(_ invocation: Invocation) throws {
        replacesDocument = invocation.has("--drift")
        file = invocation.value("--drift-baseline")
        baseline = try file.map(Self.baseline)
    }

    private static func baseline(_ path: String) throws -> Set<Pattern> {
        let (name, bytes) = try NormalizeCommand.input(at: path)
        var parser = JSONParser(options: JSONOptions(maximumBytes: NormalizeCommand.maximumInput))
        do {
            return try parser.withDocument(bytes) { root in
                guard let list = root.kind == .array ? root : root["drift"], list.kind == .array else {
                    throw CommandError(code: .badData, message: "\(name): there is no list of repairs")
                }
                return try patterns(in: list, name)
            }
        } catch let error as JSONSyntaxError {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        }
    }

    private static func patterns(in list: JSONNode, _ name: String) throws -> Set<Pattern> {
        Set(
            try list.elements.map { entry in
                guard let kind = entry["kind"]?.string else {
                    throw CommandError(code: .badData, message: "\(name): a repair has no kind")
                }
                return Pattern(kind: kind, path: entry["path"]?.string ?? "")
            })
    }

    /// Writes the repairs, if the options say so, and compares them with the baseline.
    func finish(_ drift: DriftReport) throws -> ExitCode {
        if replacesDocument {
            try Terminal.write(JSONWriter.bytes(expecting: 1024) { drift.write(to: &$0) } + [UInt8(ascii: "\n")])
        } else if !drift.isEmpty {
            Terminal.complain("repaired: \(drift.summary)")
        }
        guard let baseline, let file else { return .ok }
        var found = drift.entries.map { Pattern(kind: $0.kind.rawValue, path: $0.path) }
        if drift.unlisted > 0 { found.append(Pattern(kind: "unlisted", path: "")) }
        var known = baseline
        let new = found.filter { known.insert($0).inserted }
        for pattern in new { Terminal.complain("not in \(file): \(pattern.kind) \(pattern.path)") }
        return new.isEmpty ? .ok : .difference
    }
}
