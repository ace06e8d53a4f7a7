import LenientCoding

/// How a command ends, by sysexits(3).
enum ExitCode: Int32 {
    /// All went well.
    case ok = 0
    /// The command line is wrong.
    case usage = 64
    /// The input is not what it should be.
    case badData = 65
    /// The input cannot be read.
    case noInput = 66
    /// A service is not there, or the system refuses what is needed.
    case unavailable = 69
    /// The configuration is wrong.
    case configuration = 78
}

/// A command that cannot be carried out: what to tell the user, and how to end.
struct CommandError: Error {
    let code: ExitCode
    let message: String

    static func usage(_ message: String) -> CommandError { CommandError(code: .usage, message: message) }

    /// A name that is none of those known, with the one that may have been meant.
    static func usage(_ message: String, instead name: String, of known: [String]) -> CommandError {
        let hint = NearestName.find(name, among: known).map { "; did you mean \($0)?" } ?? ""
        return usage("\(message), not \"\(name)\"\(hint)")
    }
}
