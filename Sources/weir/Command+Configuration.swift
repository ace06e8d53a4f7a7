import EventLoop
import Gateway

extension Invocation {
    /// The configuration that `--config` names, or the first of the usual places, and the file it stands in.
    func configuration() throws -> (configuration: Configuration, file: String) {
        let file = try value("--config") ?? Self.usualFile()
        do {
            return (try Configuration.load(path: file), file)
        } catch let error as ConfigurationError {
            throw CommandError(code: .configuration, message: "\(error)")
        } catch {
            throw CommandError(code: .noInput, message: "\(error)")
        }
    }

    private static func usualFile() throws -> String {
        let paths = Configuration.defaultPaths
        if let file = paths.first(where: FileContents.isReadable) { return file }
        let message = "there is no configuration at \(paths.joined(separator: " or ")): name one with --config FILE"
        throw CommandError(code: .configuration, message: message)
    }
}

extension Command.Option {
    static let config = Command.Option(
        name: "--config", placeholder: "FILE",
        help: "The configuration; default: the first of \(Configuration.defaultPaths.joined(separator: ", ")).")
}
