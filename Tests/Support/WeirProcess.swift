import Foundation
import Glibc

/// The built `weir`, run as its users run it.
package final class WeirProcess: Sendable {
    /// Where the process stands.
    private enum Stage {
        case running
        case exited(status: Int32)
    }

    /// The binary that was built along with the tests.
    package static let binary: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent + "/weir"
    }()

    private let identifier: pid_t
    private let stage = Watched(Stage.running)
    private let standardOutput: OutputReader
    private let standardError: OutputReader

    /// Starts `weir` with `arguments`, this process's environment changed by `environment`, and `input` to read.
    package init(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], in folder: String? = nil
    ) throws {
        // The pipe to a child that does not read breaks.
        signal(SIGPIPE, SIG_IGN)
        let pipes = try (0..<3).map { _ in try Self.pipe() }
        let theirs = [pipes[0].reader, pipes[1].writer, pipes[2].writer]
        defer { for end in theirs { close(end) } }
        standardOutput = OutputReader(pipes[1].reader)
        standardError = OutputReader(pipes[2].reader)
        Self.feed(pipes[0].writer, input)
        let command = (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + [Self.binary] + arguments
        identifier = try Self.spawn(command, environment, theirs)
        Thread.detachNewThread { [identifier, stage] in Self.waitForExit(of: identifier, stage) }
    }

    /// What it has written to standard output.
    package var output: String { standardOutput.text }
    /// What it has written to standard error.
    package var errors: String { standardError.text }

    /// Waits for the log line with `message`.
    package func logLine(_ message: String) throws -> Parsed {
        let line = standardError.waitForLine { (line) -> Parsed? in
            guard let line = try? Parsed(line), line["message"].string == message else { return nil }
            return line
        }
        guard let line else { throw Failure("weir did not log \"\(message)\", but: \(errors)") }
        return line
    }

    /// The address that it listens on, once it does.
    package func address() throws -> String {
        guard let address = try logLine("listening")["address"].string else { throw Failure("listening nowhere") }
        return address
    }

    package func client() throws -> RawClient { try RawClient(address()) }

    /// Asks for `target` on a connection of its own.
    package func get(_ target: String, method: String = "GET", headers: [String] = []) throws -> RawAnswer {
        try client().get(target, method: method, headers: headers)
    }

    package var isRunning: Bool {
        if case .running = stage.current { return true }
        return false
    }

    package func send(signal: Int32) {
        stage.update { (stage: inout Stage) -> Void in
            guard case .running = stage else { return }
            _ = Glibc.kill(identifier, signal)
        }
    }

    /// Waits for it to end and returns its exit status; 128 and the signal's number where a signal ended it.
    package func waitForExit(seconds: Double = 30) throws -> Int32 {
        let status = stage.wait(seconds: seconds) { stage -> Int32? in
            if case .exited(let status) = stage { return status }
            return nil
        }
        guard let status else { throw Failure("weir has not ended: \(errors)") }
        standardOutput.waitForEnd()
        standardError.waitForEnd()
        return status
    }

    /// Asks it to stop, and returns its exit status.
    package func terminate() throws -> Int32 {
        send(signal: SIGTERM)
        return try waitForExit()
    }

    /// Ends it, if it has not ended.
    package func kill() {
        send(signal: SIGKILL)
        _ = try? waitForExit()
    }

    private static func pipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        try Inheritance.withoutChildren {
            guard Glibc.pipe(&ends) == 0 else { throw Failure("no pipe: \(errorText())") }
            for end in ends { Inheritance.end(for: end) }
        }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ arguments: [String], _ changes: [String: String], _ streams: [Int32]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        posix_spawnattr_setsigmask(&attributes, &defaults)
        for number in [SIGPIPE, SIGTERM, SIGINT] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let environment = ProcessInfo.processInfo.environment.merging(changes) { $1 }.map { "\($0.key)=\($0.value)" }
        let (words, variables) = (arguments.map { strdup($0) }, environment.map { strdup($0) })
        defer { for text in words + variables { free(text) } }
        var identifier: pid_t = 0
        let code = Inheritance.withoutChildren {
            posix_spawn(&identifier, arguments[0], &actions, &attributes, words + [nil], variables + [nil])
        }
        guard code == 0 else { throw Failure("\(arguments[0]) does not start: \(errorText(code))") }
        return identifier
    }

    private static func feed(_ writer: Int32, _ input: [UInt8]) {
        Thread.detachNewThread {
            var rest = input[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { break }
            }
            close(writer)
        }
    }

    /// The child is looked at before it is reaped, so that its number is nobody else's while signals may be sent to it.
    private static func waitForExit(of identifier: pid_t, _ stage: Watched<Stage>) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        stage.update { stage in
            var status: Int32 = 0
            waitpid(identifier, &status, 0)
            let number = status & 0x7F
            stage = .exited(status: number == 0 ? (status >> 8) & 0xFF : 128 + number)
        }
    }
}

extension WeirProcess {
    /// How a command ended.
    package struct Result: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// Runs a command to its end.
    package static func run(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], in folder: String? = nil
    ) throws -> Result {
        let process = try WeirProcess(arguments, environment: environment, input: input, in: folder)
        defer { process.kill() }
        return Result(status: try process.waitForExit(), output: process.output, errors: process.errors)
    }
}
