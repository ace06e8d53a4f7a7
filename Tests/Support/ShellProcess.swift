import CSystem
import Foundation
import Glibc
import Synchronization

/// A shell command in a process of its own, whose output is read line by line.
///
/// Foundation's Process crashes now and then in a process in which other threads open and close descriptors.
package final class ShellProcess: Sendable {
    private let process: pid_t
    private let output: Int32
    /// Whether the process was waited for: its number and that of the pipe may then be those of others.
    private let hasEnded = Mutex(false)

    /// Starts `command` in `folder`; end it with `end`.
    ///
    /// A command that starts with `exec` is the process itself.
    package init(_ command: String, in folder: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure("pipe: \(errorText())") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // A socket or pipe of another test must not stay open in this process.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        let words = ["/bin/sh", "-c", "cd '\(folder)' && \(command)"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
        Glibc.close(ends[1])
        guard code == 0 else { throw Failure("posix_spawn: \(errorText(code))") }
        (self.process, output) = (process, ends[0])
    }

    /// Runs `command` in `folder` to its end, and returns its output.
    @discardableResult
    package static func run(_ command: String, in folder: String) throws -> String {
        let process = try ShellProcess(command, in: folder)
        var lines: [String] = []
        while let line = process.line() { lines.append(line) }
        let status = process.wait() ?? 0
        guard status == 0 else { throw Failure("status \(status): \(command)") }
        return lines.joined(separator: "\n")
    }

    /// Reads lines until one contains `text`, and returns what follows the text in it; nil if there is none.
    package func line(containing text: String) -> String? {
        while let line = line() {
            if let range = line.range(of: text) { return String(line[range.upperBound...]) }
        }
        return nil
    }

    /// Sends the process a signal, such as SIGSTOP.
    package func send(_ signal: Int32) { hasEnded.withLock { if !$0 { kill(process, signal) } } }

    /// Kills the process, unless it has ended, and waits for its end.
    package func end() {
        send(SIGKILL)
        _ = wait()
    }

    /// Waits for the end and closes the pipe, the first time only; returns the status, or nil later.
    private func wait() -> Int32? {
        hasEnded.withLock { hasEnded in
            if hasEnded { return nil }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            Glibc.close(output)
            hasEnded = true
            return status
        }
    }

    private func line() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(output, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }
}
