import Foundation

/// Another program, run to its end.
package enum Tool {
    /// How it ended.
    package struct Result: Sendable {
        package let status: Int32
        package let output: [UInt8]
        package let errors: String

        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs `words`, the first of which is found by PATH; it reads nothing.
    package static func run(_ words: [String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let complaints = OutputReader(dup(errors.fileHandleForReading.fileDescriptor))
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        complaints.waitForEnd()
        return Result(status: process.terminationStatus, output: [UInt8](bytes), errors: complaints.text)
    }
}
