import Foundation
import Glibc

/// The memory of this process.
package enum ProcessMemory {
    /// The resident memory in bytes.
    package static var resident: Int { get throws { try resident(of: "self") } }

    /// The most resident memory that this process has had, in bytes.
    package static var peak: Int { get throws { try figures(of: "self")["VmHWM"] ?? 0 } }

    /// The figures of memory in `/proc/[pid]/status`, such as `VmHWM`, in bytes.
    static func figures(of process: String) throws -> [String: Int] {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        var figures: [String: Int] = [:]
        for line in text.split(separator: "\n") where line.hasSuffix(" kB") {
            let words = line.split { ": \t".contains($0) }
            figures[String(words[0])] = (Int(words[1]) ?? 0) << 10
        }
        return figures
    }

    /// The resident memory of a process in bytes.
    static func resident(of process: String) throws -> Int {
        let fields = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        return (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}

extension WeirProcess {
    /// The figures of memory in `/proc/[pid]/status`, such as `VmHWM`, in bytes.
    package var memoryFigures: [String: Int] { get throws { try ProcessMemory.figures(of: "\(identifier)") } }

    /// The resident memory in bytes.
    package var residentMemory: Int { get throws { try ProcessMemory.resident(of: "\(identifier)") } }

    /// The processor time used so far.
    package var processorTime: Duration {
        get throws {
            var clock = clockid_t()
            var time = timespec()
            guard clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 else {
                throw Failure("the processor time of weir is not known")
            }
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    /// Lets the process open no more than `count` files from now on.
    package func limitDescriptors(to count: Int) throws {
        let result = try Tool.run(["prlimit", "--pid", "\(identifier)", "--nofile=\(count):"])
        guard result.status == 0 else { throw Failure("prlimit: \(result.errors)") }
    }

    /// The processor time that the service uses in half a second without a request.
    package func idleTime() throws -> Duration {
        let watcher = try client()
        _ = try watcher.get("/livez")
        let start = try processorTime
        _ = watcher.waitForInput(seconds: 0.5)
        return try processorTime - start
    }

    /// The number of open sockets.
    ///
    /// Dispatch opens descriptors of its own when it first needs a timer, and keeps them.
    package var socketCount: Int {
        get throws {
            let folder = "/proc/\(identifier)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
                return target?.hasPrefix("socket:") == true
            }
        }
    }

    /// Returns what the descriptor with this number is, such as the path of a file.
    package func file(of number: Int) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(identifier)/fd/\(number)")
    }

    /// The number of threads.
    package var threadCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task").count }
    }

    /// The number of open descriptors.
    package var descriptorCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count }
    }
}
