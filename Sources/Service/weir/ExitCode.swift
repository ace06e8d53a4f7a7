import Records

/// The exit codes, from sysexits(3) and, for differences, from diff(1).
enum ExitCode: Int32 {
    case ok = 0
    /// A document drifts further than its baseline, or a route reads a member that new answers do not have.
    case difference = 1
    /// The command line is wrong.
    case usage = 64
    /// The input is malformed.
    case badData = 65
    /// The input cannot be read.
    case noInput = 66
    /// The service does not answer, or the system refuses a resource.
    case unavailable = 69
    /// The configuration is wrong.
    case configuration = 78
}

/// Why a command failed: a message for the user, and the exit code.
struct CommandError: Error {
    let code: ExitCode
    let message: String

    static func usage(_ message: String) -> CommandError { CommandError(code: .usage, message: message) }

    /// A usage error about an unknown name; suggests the nearest known one.
    static func usage(_ message: String, instead name: String, of known: [String]) -> CommandError {
        let hint = NearestName.find(name, among: known).map { "; did you mean \($0)?" } ?? ""
        return usage("\(message), not \"\(name)\"\(hint)")
    }
}
