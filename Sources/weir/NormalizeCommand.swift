import Contracts
import EventLoop
import JSONText
import LenientCoding

extension Command {
    static let maximumInput = 256 << 20

    /// `weir normalize`: what the route would answer, from a file.
    static let normalize = Command(
        name: "normalize", summary: "Repair a document as a route would, and say on standard error what was repaired.",
        options: [
            Option(
                name: "--as", placeholder: "DIALECT",
                help: "How the document speaks: \(dialectNames), where json is any document.")
        ] + shapingOptions + tweetOptions + transformOptions,
        operands: "[FILE|-]", maximumOperands: 1
    ) { invocation in
        if invocation.value("--as") == "json" {
            for option in shapingOptions + tweetOptions where invocation.has(option.name) {
                throw CommandError.usage("\(option.name) does not go with --as json")
            }
            return try normalizeAnyDocument(invocation)
        }
        if let dialect = invocation.value("--as").flatMap(TweetDialect.named) {
            return try normalizeTweets(invocation, dialect)
        }
        let dialect = try dialect(invocation.value("--as"))
        for option in tweetOptions where invocation.has(option.name) {
            throw CommandError.usage("\(option.name) goes with the dialects of tweets only")
        }
        for option in transformOptions where invocation.has(option.name) {
            throw CommandError.usage("\(option.name) goes with --as json only")
        }
        let shaping = try shaping(invocation)
        let (name, bytes) = try input(of: invocation)
        do {
            let document = try dialect.normalize(
                bytes, shaping: shaping, options: JSONOptions(maximumBytes: maximumInput))
            return try write(document, of: dialect.name, invocation)
        } catch let error as JSONSyntaxError {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        } catch let error as ContractError {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        }
    }

    /// Writes a document to standard output, and what was repaired in it to standard error.
    static func write(_ document: Normalized, of dialect: String, _ invocation: Invocation) throws -> ExitCode {
        let source = DocumentSource(dialect: dialect)
        try Terminal.write(invocation.has("--explain") ? document.explained(source: source) : document.body)
        if FileContents.standardOutputIsTerminal { try Terminal.say("") }
        if !document.drift.isEmpty { Terminal.complain("repaired: \(document.drift.summary)") }
        return .ok
    }

    private static func dialect(_ name: String?) throws -> Dialect {
        guard let name else { throw CommandError.usage("--as DIALECT is missing: one of \(dialectNames)") }
        if let dialect = Dialect.named(name) { return dialect }
        let nearest = NearestName.find(name, among: allNames)
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        throw CommandError.usage("there is no dialect \"\(name)\", only \(dialectNames)\(hint)")
    }

    private static var allNames: [String] { Dialect.all.map(\.name) + TweetDialect.all.map(\.name) + ["json"] }
    private static var dialectNames: String { allNames.joined(separator: ", ") }

    /// What is to be normalized, and what to call it.
    static func input(of invocation: Invocation) throws -> (name: String, bytes: [UInt8]) {
        let file = invocation.operands.first ?? "-"
        let name = file == "-" ? "standard input" : file
        do {
            let bytes =
                file == "-"
                ? try FileContents.readStandardInput(limit: maximumInput)
                : try FileContents.read(path: file, limit: maximumInput)
            return (name, bytes)
        } catch let error as FileContents.TooLarge {
            throw CommandError(code: .badData, message: "\(name) \(error)")
        } catch {
            throw CommandError(code: .noInput, message: "\(error)")
        }
    }
}
