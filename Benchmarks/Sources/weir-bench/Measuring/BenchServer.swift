import Foundation

/// A server process, which ends with this object.
final class BenchServer {
    /// The core of the server that is measured, and that of the upstream and the clients.
    static let ownCore = 0, otherCore = 1
    /// The variables that Weir's image sets (Dockerfile), as words for `env`.
    static let imageVariables = ["GLIBC_TUNABLES=glibc.malloc.tcache_count=127"]

    let name: String
    let port: Int
    /// The access log, if it is a file: emptied before each run, because a second of pipelines writes 190 MB.
    var log: String?
    private let process: Process

    /// Starts `command` on one core and waits until it listens; nil if it exits.
    convenience init?(_ name: String, core: Int, port: Int, _ command: [String]) throws {
        try self.init(name, cores: [core], port: port, command)
    }

    /// Starts `command` on some cores and waits until it listens; nil if it exits.
    init?(_ name: String, cores: [Int], port: Int, _ command: [String]) throws {
        self.name = name
        self.port = port
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["taskset", "-c", cores.map(String.init).joined(separator: ",")] + command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while BenchConnection(port: port) == nil {
            guard process.isRunning else { return nil }
            usleep(10_000)
        }
    }

    deinit {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// The processor time of the process and its children, in seconds.
    var processorTime: Double {
        processes.reduce(0) { sum, process in
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return sum }
            // Behind the name in parentheses, user and system time are the 12th and the 13th field (proc(5)).
            let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return sum }
            return sum + (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// The most memory that the process has used, in megabytes.
    var peakMegabytes: Double { Self.kibibytes("VmHWM", of: process.processIdentifier) / 1024 }

    /// The memory of the process and its children: what is resident, and what of it belongs to no file, in bytes.
    var memory: (resident: Double, anonymous: Double) {
        func sum(_ field: String) -> Double { processes.map { 1024 * Self.kibibytes(field, of: $0) }.reduce(0, +) }
        return (sum("VmRSS"), sum("RssAnon"))
    }

    private var processes: [Int32] { Self.family(of: process.processIdentifier) }

    /// A field of a process's status (proc(5)).
    private static func kibibytes(_ field: String, of process: Int32) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return Double(line?.split(separator: " ").dropFirst().first ?? "") ?? .nan
    }

    /// A process and its descendants.
    private static func family(of process: Int32) -> [Int32] {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return [process] + text.split(separator: " ").compactMap { Int32($0) }.flatMap(family)
    }
}
