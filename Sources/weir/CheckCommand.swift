import Gateway
import JSONText
import LenientCoding

extension Command {
    /// `weir check`: whether `serve` would take the configuration.
    static let check = Command(
        name: "check", summary: "Check a configuration and the keys it names, without serving.",
        options: [
            .config,
            Option(name: "--print", help: "Print the configuration with all defaults, as JSON. Keys are never in it."),
        ]
    ) { invocation in
        let (configuration, file) = try invocation.configuration()
        let notes: [String]
        do {
            notes = try configuration.checkKeys(file: file)
        } catch {
            throw CommandError(code: .configuration, message: "\(error)")
        }
        guard invocation.has("--print") else {
            try Terminal.say((notes + ["ok"]).map { "\(file): \($0)" }.joined(separator: "\n"))
            return .ok
        }
        var writer = JSONWriter()
        configuration.write(to: &writer)
        writer.write(byte: UInt8(ascii: "\n"))
        try Terminal.write(writer.bytes)
        return .ok
    }
}
