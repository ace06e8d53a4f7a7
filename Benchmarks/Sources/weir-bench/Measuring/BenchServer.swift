import Foundation

/// A server process, which ends with this object.
final class BenchServer {
    /// The core of the server that is measured, and that of the upstream and the clients.
    static let ownCore = 0, otherCore = 1

    let name: String
    let port: Int
    private let process: Process

    /// Starts `command` on one core and waits until it listens; nil if it exits.
    init?(_ name: String, core: Int, port: Int, _ command: [String]) throws {
        self.name = name
        self.port = port
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["taskset", "-c", "\(core)"] + command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while !Self.isListening(port) {
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
        ([process.processIdentifier] + Self.children(of: process.processIdentifier)).reduce(0) { sum, process in
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return sum }
            // Behind the name in parentheses, user and system time are the 12th and the 13th field (proc(5)).
            let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return sum }
            return sum + (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// The most memory that the process has used, in megabytes.
    var peakMegabytes: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return Double(line?.split(separator: " ").dropFirst().first ?? "").map { $0 / 1024 } ?? .nan
    }

    private static func children(of process: Int32) -> [Int32] {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    private static func isListening(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(of: port)
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func address(of port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return address
    }
}
