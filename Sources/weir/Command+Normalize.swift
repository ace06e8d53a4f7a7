import Contracts
import EventLoop
import JSONText
import LenientCoding

extension Command {
    private static let maximumInput = 256 << 20

    /// `weir normalize`: what the route would answer, from a file.
    static let normalize = Command(
        name: "normalize", summary: "Repair a document as a route would, and say on standard error what was repaired.",
        options: [
            Option(
                name: "--as", placeholder: "DIALECT",
                help: "How the document speaks: \(Dialect.all.map(\.name).joined(separator: ", ")).")
        ],
        operands: "[FILE|-]", maximumOperands: 1
    ) { invocation in
        let dialect = try dialect(invocation.value("--as"))
        let file = invocation.operands.first ?? "-"
        let name = file == "-" ? "standard input" : file
        let bytes = try read(file, name)
        do {
            let document = try dialect.normalize(bytes, options: JSONOptions(maximumBytes: maximumInput))
            try Terminal.write(document.body)
            if FileContents.standardOutputIsTerminal { try Terminal.say("") }
            if !document.drift.isEmpty { Terminal.complain("repaired: \(document.drift.summary)") }
            return .ok
        } catch let error as JSONSyntaxError {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        } catch let error as ContractError {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        }
    }

    private static func dialect(_ name: String?) throws -> Dialect {
        let names = Dialect.all.map(\.name)
        guard let name else {
            throw CommandError.usage("--as DIALECT is missing: one of \(names.joined(separator: ", "))")
        }
        if let dialect = Dialect.named(name) { return dialect }
        let nearest = NearestName.find(name, among: names).map { "; did you mean \($0)?" } ?? ""
        throw CommandError.usage("there is no dialect \"\(name)\", only \(names.joined(separator: ", "))\(nearest)")
    }

    private static func read(_ file: String, _ name: String) throws -> [UInt8] {
        do {
            return file == "-"
                ? try FileContents.readStandardInput(limit: maximumInput)
                : try FileContents.read(path: file, limit: maximumInput)
        } catch let error as FileContents.TooLarge {
            throw CommandError(code: .badData, message: "\(name) \(error)")
        } catch {
            throw CommandError(code: .noInput, message: "\(error)")
        }
    }
}
