import EventLoop
import Glibc
import HTTPCore

/// The kernel's figures about this process, under the names that Prometheus's client libraries use.
public struct ProcessMetrics: Sendable {
    var processorSeconds = 0.0
    var startSeconds = 0.0
    var residentBytes = 0.0
    var virtualBytes = 0.0
    var openDescriptors: Int?
    var maximumDescriptors: UInt64?

    /// Reads the figures from `/proc`; blocks for some microseconds, and longer with many descriptors.
    public static func read() -> ProcessMetrics {
        var figures = ProcessMetrics()
        // Not on an event loop later.
        _ = digest
        figures.readStatus(Self.text("/proc/self/stat"), bootSeconds: Self.bootSeconds(in: Self.text("/proc/stat")))
        figures.openDescriptors = Self.descriptors()
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            figures.maximumDescriptors = UInt64(limit.rlim_cur)
        }
        return figures
    }

    /// The metrics.
    public static let table: [Figure<ProcessMetrics>] = [
        Figure(
            "process_cpu_seconds_total", .counter, "Processor time of the process, user and system.",
            value: { $0.processorSeconds }),
        Figure(
            "process_start_time_seconds", .gauge, "Start of the process, in seconds since 1970.",
            value: { $0.startSeconds }),
        Figure(
            "process_resident_memory_bytes", .gauge, "Resident memory of the process.", value: { $0.residentBytes }),
        Figure("process_virtual_memory_bytes", .gauge, "Virtual memory of the process.", value: { $0.virtualBytes }),
        Figure("process_open_fds", .gauge, "Open file descriptors.", value: { $0.openDescriptors }),
        Figure("process_max_fds", .gauge, "Limit of open file descriptors.", value: { $0.maximumDescriptors }),
    ]

    /// The metric of the program.
    public static let build = Figure<(version: String, digest: String, commit: String)>(
        "weir_build_info", .info, ["version", "build", "commit"], "The program that runs.",
        note: """
            `build` has the first digits of the SHA-256 of the program's file, and `commit` the environment variable \
            `WEIR_COMMIT`, which `docker build --build-arg COMMIT=…` sets.
            """
    ) { [FigureSample(1, $0.version, $0.digest, $0.commit)] }

    /// The first 12 digits of the SHA-256 of the program's file, which tell two builds of a version apart; empty without `/proc`.
    ///
    /// The first use reads the file, which takes some ten milliseconds.
    public static let digest: String =
        (try? FileContents.withBytes(of: "/proc/self/exe") { String(SecureHash.sha256(of: $0).prefix(12)) }) ?? ""

    /// The commit that whoever built the image has named; empty without one.
    public static let commit = getenv("WEIR_COMMIT").map { String(cString: $0) } ?? ""

    /// Reads a line of `/proc/[pid]/stat` (proc_pid_stat(5)); the name in parentheses can contain anything.
    mutating func readStatus(_ line: String, bootSeconds: Double) {
        guard let end = line.lastIndex(of: ")") else { return }
        // From the third field on.
        let fields = line[line.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
        guard fields.count > 21 else { return }
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        processorSeconds = (fields[11] + fields[12]) / ticks
        startSeconds = bootSeconds + fields[19] / ticks
        virtualBytes = fields[20]
        residentBytes = fields[21] * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    static func bootSeconds(in text: String) -> Double {
        for line in text.split(separator: "\n") where line.hasPrefix("btime ") { return Double(line.dropFirst(6)) ?? 0 }
        return 0
    }

    private static func text(_ path: String) -> String {
        // `/proc/stat` has a line of interrupts that can be long.
        guard let bytes = try? FileContents.read(path: path, limit: 4 << 20) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func descriptors() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the folder itself.
        return max(0, count - 3)
    }
}
