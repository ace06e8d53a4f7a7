import EventLoop
import JSONText
import Records

/// `weir normalize --as json`: any document, without a contract.
enum NormalizeJSONCommand {
    static let options = [
        Command.Option(
            name: "--keys", placeholder: "camel|keep", help: "json: convert keys to camelCase (default) or keep them."),
        Command.Option(
            name: "--nulls", placeholder: "drop|keep", help: "json: drop members that are null (default) or keep them."),
        Command.Option(
            name: "--exempt", placeholder: "PATH,…", repeats: true,
            help: "json: objects whose keys are data and are kept, such as flags.sourceTimes,items[].labels."),
        Command.Option(
            name: "--keep", placeholder: "PATH,…", repeats: true,
            help: "json: keep only these values, such as id,items[*].name."),
        Command.Option(
            name: "--remove", placeholder: "PATH,…", repeats: true,
            help: "json: leave values out, such as items[*].internal,**._links."),
        Command.Option(
            name: "--rename", placeholder: "PATH=NAME,…", repeats: true,
            help: "json: write members with other names, such as items[*].mag=magnitude."),
        Command.Option(
            name: "--lenient", placeholder: "LIST", repeats: true,
            help: "json: syntax to accept beyond RFC 8259: all, or some of \(leniencyNames)."),
    ]

    private static var leniencyNames: String { JSONLeniency.named.map(\.name).joined(separator: ",") }

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let leniency = try leniency(invocation.list("--lenient") ?? [])
        var transform = try edit(invocation).makeTransform()
        let report = try NormalizeDrift(invocation)
        let (name, bytes) = try NormalizeCommand.input(of: invocation)
        var parser = JSONParser(options: JSONOptions(maximumBytes: NormalizeCommand.maximumInput, leniency: leniency))
        var writer = JSONWriter(capacity: bytes.count + 64)
        var drift = DriftReport()
        do {
            try parser.withDocuments(bytes) { root in
                transform.write(root, to: &writer)
                drift.merge(DriftReport(transform))
                if leniency.contains(.concatenated) { writer.write(byte: UInt8(ascii: "\n")) }
            }
        } catch {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        }
        if !report.replacesDocument {
            try Terminal.write(writer.takeBytes())
            if FileContents.standardOutputIsTerminal, !leniency.contains(.concatenated) { try Terminal.say("") }
        }
        return try report.finish(drift)
    }

    private static func edit(_ invocation: Invocation) throws -> DocumentEdit {
        let rename = try (invocation.list("--rename") ?? []).map { text in
            guard let mark = text.lastIndex(of: "=") else {
                throw CommandError.usage("--rename takes PATH=NAME, not \"\(text)\"")
            }
            return (path: String(text[..<mark]), name: String(text[text.index(after: mark)...]))
        }
        let (keys, nulls): (JSONTransform.Keys?, JSONTransform.Nulls?)
        (keys, nulls) = (try invocation.choice("--keys"), try invocation.choice("--nulls"))
        do throws(EditFault) {
            return try DocumentEdit(
                keys: keys ?? .camel, exempt: invocation.list("--exempt") ?? [], keep: invocation.list("--keep"),
                remove: invocation.list("--remove") ?? [], rename: rename, nulls: nulls ?? .drop)
        } catch {
            throw CommandError.usage("--\(error.path.dropFirst()): \(error.text)")
        }
    }

    private static func leniency(_ names: [String]) throws -> JSONLeniency {
        try names.reduce(into: []) { leniency, name in
            guard let one = JSONLeniency(name: name) else {
                throw CommandError.usage(
                    "--lenient takes all or some of \(leniencyNames)", instead: name,
                    of: JSONLeniency.named.map(\.name) + ["all"])
            }
            leniency.formUnion(one)
        }
    }
}
