import EventLoop

/// What a command says to the person or script that called it.
enum Terminal {
    /// Writes a line of output.
    static func say(_ text: String) throws { try write(Array((text + "\n").utf8)) }

    /// Writes output as it is.
    ///
    /// A reader that has gone is not worth a message.
    static func write(_ bytes: [UInt8]) throws {
        do {
            try FileContents.writeStandardOutput(bytes)
        } catch {
            throw CommandError(code: .unavailable, message: "standard output: \(error)")
        }
    }

    /// Writes a line to standard error.
    static func complain(_ text: String) {
        let lines = text.split(separator: "\n").map { "weir: \($0)\n" }.joined()
        FileContents.writeStandardError(Array(lines.utf8))
    }
}
