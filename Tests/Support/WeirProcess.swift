import CSystem
import Foundation
import Glibc

/// A process that runs the built `weir` binary.
package final class WeirProcess: Sendable {
    /// The state of the process.
    private enum Stage {
        case running
        case exited(status: Int32)
    }

    /// The path of the binary, which is built into the same folder as the tests, unless `WEIR_BINARY` names another one.
    package static let binary: String = {
        if let binary = ProcessInfo.processInfo.environment["WEIR_BINARY"] { return binary }
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent + "/weir"
    }()

    let identifier: pid_t
    private let stage = Watched(Stage.running)
    private let standardOutput: OutputReader
    private let standardError: OutputReader
    private let readsOutput: Bool

    /// Starts `weir` with `arguments`.
    ///
    /// `environment` adds to this process's environment, `input` is the standard input, and `folder` the working
    /// directory. `limit` limits a resource, such as `-s 2048` the stacks of all threads to 2 MiB; `launcher` is a command that
    /// becomes the process. Without `readsOutput`, nobody reads the pipes that are the standard output and the standard error.
    package init(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], in folder: String? = nil,
        limit: String? = nil, launcher: [String] = [], readsOutput: Bool = true
    ) throws {
        // Writing to a child that has exited must fail with an error, not with a signal.
        signal(SIGPIPE, SIG_IGN)
        let pipes = try (0..<3).map { _ in try Self.pipe() }
        let childEnds = [pipes[0].reader, pipes[1].writer, pipes[2].writer]
        defer { for end in childEnds { close(end) } }
        self.readsOutput = readsOutput
        standardOutput = OutputReader(pipes[1].reader, reads: readsOutput)
        standardError = OutputReader(pipes[2].reader, reads: readsOutput)
        Self.feed(pipes[0].writer, input)
        let limit = limit.map { ["/bin/sh", "-c", "ulimit \($0) && exec \"$0\" \"$@\""] } ?? []
        let command = launcher + limit + (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + [Self.binary] + arguments
        identifier = try Self.spawn(command, environment, childEnds)
        Thread.detachNewThread { [identifier, stage] in Self.waitForExit(of: identifier, stage) }
    }

    /// The standard output so far.
    package var output: String { standardOutput.text }
    /// The standard error so far.
    package var errors: String { standardError.text }

    /// Waits for the log line whose message is `message` and that meets `condition`, and returns it.
    package func logLine(_ message: String, where condition: (Parsed) -> Bool = { _ in true }) throws -> Parsed {
        let line = standardError.waitForLine { (line) -> Parsed? in
            guard let line = try? Parsed(line), line["message"].string == message, condition(line) else { return nil }
            return line
        }
        guard let line else { throw Failure("weir did not log \"\(message)\"; its standard error: \(errors)") }
        return line
    }

    /// Waits for the line of the access log that meets `condition`, and returns it.
    package func accessLine(where condition: (Parsed) -> Bool) throws -> Parsed {
        let line = standardOutput.waitForLine { line in (try? Parsed(line)).flatMap { condition($0) ? $0 : nil } }
        guard let line else { throw Failure("no such line in the access log: \(output)") }
        return line
    }

    /// Waits until the service listens, and returns its address.
    package func address() throws -> String {
        guard let address = try logLine("listening")["address"].string else {
            throw Failure("the log line \"listening\" has no address")
        }
        return address
    }

    /// Connects to the service.
    package func client() throws -> RawClient { try RawClient(address()) }

    /// Sends a request for `target` on a new connection.
    package func get(_ target: String, method: String = "GET", headers: [String] = []) throws -> RawAnswer {
        try client().get(target, method: method, headers: headers)
    }

    /// Whether the process has not exited.
    package var isRunning: Bool {
        if case .running = stage.current { return true }
        return false
    }

    /// Sends a signal, unless the process has exited.
    package func send(signal: Int32) {
        stage.update { (stage: inout Stage) -> Void in
            guard case .running = stage else { return }
            _ = Glibc.kill(identifier, signal)
        }
    }

    /// Waits for the process to exit and returns its status, or 128 plus the number of the signal that ended it.
    package func waitForExit(seconds: Double = 60) throws -> Int32 {
        let status = stage.wait(seconds: seconds) { stage -> Int32? in
            if case .exited(let status) = stage { return status }
            return nil
        }
        guard let status else { throw Failure("weir has not exited; its standard error: \(errors)") }
        if readsOutput {
            standardOutput.waitForEnd()
            standardError.waitForEnd()
        }
        return status
    }

    /// Sends SIGTERM and returns the exit status.
    package func terminate() throws -> Int32 {
        send(signal: SIGTERM)
        return try waitForExit()
    }

    /// Sends SIGKILL and waits for the exit.
    package func kill() {
        send(signal: SIGKILL)
        _ = try? waitForExit()
    }

    private static func pipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw Failure("cannot create a pipe: \(errorText())") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
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
        // A socket or pipe of another test must not stay open in this process.
        posix_spawn_file_actions_addclosefrom_np(&actions, Int32(streams.count))
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
        let code = posix_spawn(&identifier, arguments[0], &actions, &attributes, words + [nil], variables + [nil])
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

    /// Waits for the exit and reaps the child under the lock.
    ///
    /// The child stays a zombie until then, so its number cannot be reused while `send(signal:)` may still use it.
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
    /// Starts `weir serve` with the demo's configuration, on a free port unless `arguments` say otherwise.
    package static func demo(_ arguments: [String] = ["--listen", "127.0.0.1:0"]) throws -> WeirProcess {
        try WeirProcess(["serve", "--config", "\(Checkout.root)/Config/demo.json"] + arguments)
    }

    /// The result of a command.
    package struct Result: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// Runs a command and waits for its exit.
    package static func run(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], in folder: String? = nil
    ) throws -> Result {
        let process = try WeirProcess(arguments, environment: environment, input: input, in: folder)
        defer { process.kill() }
        return Result(status: try process.waitForExit(), output: process.output, errors: process.errors)
    }
}
