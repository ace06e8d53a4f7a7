import EventLoop
import JSONText
import LenientCoding

/// `weir normalize --as json`: any document, without a contract.
extension Command {
    static let transformOptions = [
        Option(
            name: "--keys", placeholder: "camel|keep", help: "json: write keys in camelCase (default) or as they are."),
        Option(
            name: "--nulls", placeholder: "drop|keep", help: "json: leave out members that are null (default) or not."),
        Option(
            name: "--exempt", placeholder: "PATH,…", repeats: true,
            help: "json: maps whose keys are data and stay, such as flags.sourceTimes or items[].labels."),
        Option(
            name: "--lenient", placeholder: "LIST", repeats: true,
            help: "json: accept more than RFC 8259: all, or some of \(leniencyNames)."),
    ]

    private static var leniencyNames: String { JSONLeniency.named.map(\.name).joined(separator: ",") }

    static func normalizeAnyDocument(_ invocation: Invocation) throws -> ExitCode {
        let leniency = try leniency(invocation.value("--lenient"))
        var transform = JSONTransform(
            keys: try choice("--keys", of: invocation) ?? .camel, nulls: try choice("--nulls", of: invocation) ?? .drop,
            exempt: list(invocation.value("--exempt")))
        let (name, bytes) = try input(of: invocation)
        var parser = JSONParser(options: JSONOptions(maximumBytes: maximumInput, leniency: leniency))
        var writer = JSONWriter(capacity: bytes.count + 64)
        var drift = DriftReport()
        do {
            try parser.withDocuments(bytes) { root in
                transform.write(root, to: &writer)
                drift.merge(DriftReport(transform))
                if leniency.contains(.concatenated) { writer.write(byte: UInt8(ascii: "\n")) }
            }
        } catch let error as JSONSyntaxError {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        }
        try Terminal.write(writer.takeBytes())
        if FileContents.standardOutputIsTerminal, !leniency.contains(.concatenated) { try Terminal.say("") }
        if !drift.isEmpty { Terminal.complain("repaired: \(drift.summary)") }
        return .ok
    }

    private static func list(_ text: String?) -> [String] {
        text.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    }

    private static func leniency(_ text: String?) throws -> JSONLeniency {
        try list(text).reduce(into: []) { leniency, name in
            guard let one = JSONLeniency(name: name) else {
                let nearest = NearestName.find(name, among: JSONLeniency.named.map(\.name) + ["all"])
                let hint = nearest.map { "; did you mean \($0)?" } ?? ""
                throw CommandError.usage("--lenient takes all or some of \(leniencyNames), not \"\(name)\"\(hint)")
            }
            leniency.formUnion(one)
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: String, of invocation: Invocation
    ) throws -> Choice? where Choice.RawValue == String {
        guard let value = invocation.value(option) else { return nil }
        if let choice = Choice(rawValue: value) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: " or ")
        throw CommandError.usage("\(option) takes \(choices), not \"\(value)\"")
    }
}
