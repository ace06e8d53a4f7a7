import Foundation
import Glibc

/// A real Redis with an empty memory, on a Unix socket or a loopback port; stores nothing on disk.
package final class RedisServer: Sendable {
    /// Whether Redis is installed, as `make test` does.
    package static let isInstalled = ["redis-server", "redis-sentinel", "redis-cli"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    private let folder: TemporaryFolder
    private let options: String
    private let program: String
    private let process: Watched<ShellProcess>
    /// The path of the Unix socket.
    package let socket: String
    /// The loopback port; 0 without one.
    package let port: UInt16

    /// Starts Redis with these options, such as `--requirepass secret`.
    package convenience init(port: UInt16 = 0, _ options: String = "") throws {
        try self.init(port: port, "redis-server", configuration: "", "--save '' \(options)")
    }

    /// Starts a sentinel that watches the Redis at `port` as the master `weir`.
    package static func sentinel(of port: UInt16, at own: UInt16) throws -> RedisServer {
        let configuration = """
            sentinel monitor weir 127.0.0.1 \(port) 1
            sentinel down-after-milliseconds weir 400
            sentinel failover-timeout weir 2000
            """
        return try RedisServer(port: own, "redis-sentinel", configuration: configuration, "")
    }

    private init(port: UInt16, _ program: String, configuration: String, _ options: String) throws {
        folder = try TemporaryFolder()
        (self.port, self.program, socket) = (port, program, folder.path("socket"))
        try folder.write(configuration, to: "conf")
        let tcp = options.contains("tls-port") ? "" : "--port \(port)"
        self.options = "--bind 127.0.0.1 --unixsocket \(socket) \(tcp) \(options)"
        process = Watched(try Self.start(program, self.options, in: folder))
    }

    private static func start(_ program: String, _ options: String, in folder: TemporaryFolder) throws -> ShellProcess {
        let process = try ShellProcess("exec \(program) \(folder.path("conf")) \(options) 2>&1", in: folder.path)
        let marker = program == "redis-sentinel" ? "+monitor" : "eady to accept connections"
        guard process.line(containing: marker) != nil else {
            process.end()
            throw Failure("\(program) does not start")
        }
        return process
    }

    /// A port at which nothing listens now.
    package static func freePort() throws -> UInt16 {
        let socket = try Descriptor(family: AF_INET)
        defer { socket.close() }
        try socket.bind(to: "127.0.0.1:0")
        return socket.port
    }

    /// Runs a command with redis-cli, and returns its output.
    @discardableResult
    package func run(_ command: String) throws -> String {
        try ShellProcess.run("redis-cli -s \(socket) \(command) 2>&1", in: folder.path)
    }

    /// Stops all work of the process (SIGSTOP); connections stay open.
    package func freeze() { process.current.send(SIGSTOP) }

    /// Lets a stopped process go on.
    package func thaw() { process.current.send(SIGCONT) }

    /// Kills the process.
    package func kill() { process.current.end() }

    /// Starts another process with an empty memory at the same places, after `kill`.
    package func restart() throws {
        let next = try Self.start(program, options, in: folder)
        process.update { $0 = next }
    }

    /// Kills the process and removes its folder.
    package func stop() {
        kill()
        folder.remove()
    }
}
