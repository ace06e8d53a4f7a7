import Foundation

/// Runs external programs.
package enum Tool {
    /// The result of a program.
    package struct Result: Sendable {
        package let status: Int32
        package let output: [UInt8]
        package let errors: String

        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs the command `words`, whose first word is looked up in PATH, with empty standard input.
    ///
    /// `environment` adds to this process's environment; `folder` is the working directory.
    package static func run(
        _ words: [String], environment: [String: String] = [:], in folder: String? = nil
    ) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let errorReader = OutputReader(dup(errors.fileHandleForReading.fileDescriptor))
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        errorReader.waitForEnd()
        return Result(status: process.terminationStatus, output: [UInt8](bytes), errors: errorReader.text)
    }

    /// The Python that has these modules, the system's before others; nil if none has.
    package static func python(with modules: String) -> String? {
        ["/usr/bin/python3", "python3"].first { (try? run([$0, "-c", "import \(modules)"]).status) == 0 }
    }
}
