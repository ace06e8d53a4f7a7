import API
import CivilDates
import EventLoop
import Gateway
import Mapping
import Proxy
import Records

/// The command `weir snapshot`.
enum SnapshotCommand {
    private static let ofFiles = ["--out", "--json"], ofService = ["--who", "--why", "--config", "--set", "--url"]
    /// The most characters of a name in the name of a file.
    private static let longestName = 40

    /// `weir snapshot`: the documents of a snapshot, or a new snapshot of a running service.
    static let command = Command(
        name: "snapshot", summary: "List the documents of a snapshot, or let a running weir write its snapshot now.",
        options: [
            Command.Option(name: "--out", placeholder: "FOLDER", help: "Write each document to a new file there."),
            Command.Option(name: "--json", help: "Print the list as JSON."),
        ] + OperatorCommands.parameters.prefix(2) + [.config, .set, OperatorCommands.url],
        operands: "[FILE]", maximumOperands: 1
    ) { invocation in
        guard let file = invocation.operands.first else {
            try refuse(ofFiles, in: invocation, "needs a FILE")
            return try await OperatorCommands.give("snapshot", "", invocation, OperatorCommands.parameters.prefix(2))
        }
        try refuse(ofService, in: invocation, "does not go with a FILE")
        let documents = try ReplayCommand.documents(ofSnapshotAt: file)
        let names = documents.enumerated().map { name(of: $1, number: $0 + 1) }
        if let folder = invocation.value("--out") {
            guard FileContents.isFolder(folder) else {
                throw CommandError(code: .noInput, message: "\(folder) is no folder")
            }
            for (document, name) in zip(documents, names) {
                try FileContents.create(path: folder + "/" + name, with: document.body)
            }
        }
        let rows = zip(documents, names).map { document, name -> [(String, JSONValue)] in
            [
                ("time", .string(ISO8601Timestamp.format(secondsSinceEpoch: Double(document.time)) ?? "")),
                ("bytes", .integer(document.body.count)), ("upstream", .string(document.upstream)),
                ("route", .string(document.request?.route ?? "")), ("target", .string(document.request?.target ?? "")),
            ] + (invocation.has("--out") ? [("file", .string(name))] : [])
        }
        if invocation.has("--json") {
            let list = rows.map { row in JSONValue.object(row.map { .init($0, $1) }) }
            try Terminal.say(JSONValue.array(list).description)
        } else {
            let lines = rows.map { row in
                row.map { ($1.stringValue ?? "\($1)").withoutControlCharacters }.joined(separator: "\t")
            }
            if !lines.isEmpty { try Terminal.say(lines.joined(separator: "\n")) }
        }
        return .ok
    }

    private static func refuse(_ options: [String], in invocation: Invocation, _ reason: String) throws {
        if let option = options.first(where: invocation.has) { throw CommandError.usage("\(option) \(reason)") }
    }

    /// Returns a name such as `00012-openMeteo-weather.json`, whatever the record says.
    private static func name(of document: KeptDocument, number: Int) -> String {
        func plain(_ text: String) -> String {
            let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            return String(words.joined(separator: "-").prefix(longestName))
        }
        let digits = String(number), zeros = String(repeating: "0", count: max(0, 5 - digits.count))
        let words = [plain(document.upstream), plain(document.request?.route ?? "")].filter { !$0.isEmpty }
        return ([zeros + digits] + words).joined(separator: "-") + ".json"
    }
}
