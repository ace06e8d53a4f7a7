import CSystem
import Glibc

/// The processors that this process may use.
public enum Processors {
    /// The number of processors in the process's affinity mask, or of its cgroup v2 quota if that is lower.
    public static var available: Int {
        let allowed = max(1, Int(weir_affinity_count()))
        guard let text = try? FileContents.read(path: "/sys/fs/cgroup/cpu.max", limit: 256) else { return allowed }
        return min(allowed, quota(inCPUMax: String(decoding: text, as: UTF8.self)) ?? allowed)
    }

    /// Returns the quota in a `cpu.max` line as a number of processors, rounded up; nil without a quota.
    static func quota(inCPUMax text: String) -> Int? {
        let parts = text.split(whereSeparator: \.isWhitespace).map { Int($0) }
        guard parts.count == 2, let quota = parts[0], let period = parts[1], quota > 0, period > 0 else { return nil }
        return (quota - 1) / period + 1
    }
}

/// The process's limit of open files.
public enum OpenFileLimit {
    /// Raises the limit to the hard limit, but not above 1,048,576.
    public static func raise() {
        guard var limit else { return }
        limit.rlim_cur = min(limit.rlim_max, 1_048_576)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The number of files that the process may have open, at most `Int.max`.
    public static var current: Int { limit.map { Int(clamping: $0.rlim_cur) } ?? .max }

    private static var limit: rlimit? {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }
}

/// The process's limit of address space (`ulimit -v`).
public enum AddressSpaceLimit {
    /// The address space of the program itself: its files and its heap.
    private static let other = 64 << 20
    /// The stack of a thread if the limit of stacks is infinite: glibc's choice.
    private static let defaultStack = 2 << 20

    /// Lets all threads share an arena of the allocator if there is a limit: glibc reserves 64 MiB for each.
    ///
    /// Call it before there are threads.
    public static func prepare() { if read(RLIMIT_AS) < .max { weir_use_one_arena() } }

    /// Checks that the limit leaves room for `threads` more threads and `bytes` of memory.
    ///
    /// Dispatch tries for ever to start a thread whose stack has no room, even the one that handles signals.
    /// - Throws: `SystemError` if it does not.
    public static func require(threads: Int, bytes: Int) throws {
        let limit = read(RLIMIT_AS)
        guard limit < .max else { return }
        let statm = try FileContents.read(path: "/proc/self/statm", limit: 256)
        let pages = String(decoding: statm, as: UTF8.self).split(separator: " ").first.flatMap { Int($0) } ?? 0
        let stack = read(RLIMIT_STACK)
        let stacks = threads * (stack < .max ? stack : defaultStack)
        let needed = pages * sysconf(Int32(_SC_PAGESIZE)) + stacks + bytes + other
        guard needed <= limit else {
            let missing = (needed - limit - 1) >> 20 + 1
            throw SystemError("serve in \(limit >> 20) MiB of address space, \(missing) more are needed", code: ENOMEM)
        }
    }

    fileprivate static func read(_ resource: __rlimit_resource) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }
}

/// The process's limit of a stack (`ulimit -s`), which each of its threads has.
public enum StackLimit {
    /// The stack of a reader for each level of a document: tweets inside tweets took 1.35 KiB in a release build.
    private static let level = 2 << 10
    /// The stack of a thread besides, which took 50 KiB.
    private static let other = 128 << 10

    /// Checks that the stacks have room for a document with `depth` levels.
    /// - Throws: `SystemError` if they do not.
    public static func require(depth: Int) throws {
        let (limit, needed) = (AddressSpaceLimit.read(RLIMIT_STACK), depth * level + other)
        guard needed <= limit else {
            let stacks = "stacks of \(limit >> 10) KiB, \((needed - limit - 1) >> 10 + 1) more are needed"
            throw SystemError("read documents of \(depth) levels with \(stacks)", code: ENOMEM)
        }
    }
}

/// The memory that the process has freed.
public enum FreedMemory {
    /// The memory limit below which the gaps between blocks of an event loop would be a large part of the limit: at 64 MiB, the
    /// loops of a service under attack had 20 MB of gaps each.
    private static let smallLimit = 128 << 20

    /// Makes the allocator keep up to 16 MiB of freed memory for each thread, and a 64th of the memory limit if there is one.
    ///
    /// Blocks of 128 KiB and more, or of 32 KiB below a limit of 128 MiB, go back to the kernel at once.
    ///
    /// Otherwise it returns the memory of each response to the kernel, which clears it for the next one: five page
    /// faults a request.
    public static func keep() {
        let limit = MemoryLimit()?.bytes ?? .max
        let bytes = min(16 << 20, max(256 << 10, limit / 64))
        weir_keep_freed_memory(
            Int32(bytes), Int32(min(bytes / 4, 1 << 20)), limit < smallLimit ? 32 << 10 : 128 << 10)
    }

    /// Gives all freed memory back to the kernel; threads that allocate may wait for some milliseconds meanwhile.
    public static func release() { weir_release_freed_memory() }
}

/// The memory limit of the process's container, and the memory that counts against the limit.
///
/// The limit is the lowest one of the process's cgroup and the cgroups around it, in version 2 (`memory.max`) or in
/// version 1 (`memory.limit_in_bytes`).
public struct MemoryLimit: Sendable {
    /// The names of files and of their lines in one version of cgroups.
    private struct Names {
        let limit: String, usage: String
        /// The lines of `memory.stat` with the page cache of the cgroup and of those in it.
        let pageCache: [String]

        static let version1 = Names(
            limit: "memory.limit_in_bytes", usage: "memory.usage_in_bytes",
            pageCache: ["total_active_file", "total_inactive_file"])
        static let version2 = Names(
            limit: "memory.max", usage: "memory.current", pageCache: ["active_file", "inactive_file"])
    }

    /// The limit in bytes.
    public let bytes: Int
    private let folder: String
    private let names: Names

    /// The limit as the files below `root` say, the folder that has `proc` and `sys`; nil without a limit.
    public init?(root: String = "") {
        var lowest: MemoryLimit?
        // From the outside in: among equal limits, the outer cgroup reaches its limit first.
        for (folder, names) in Self.groups(root) {
            // Version 1 writes the greatest number of whole pages for "no limit".
            guard let limit = Self.text(folder, names.limit).flatMap({ Int($0.trimmed) }), 1..<1 << 60 ~= limit,
                limit < lowest?.bytes ?? .max
            else { continue }
            lowest = MemoryLimit(bytes: limit, folder: folder, names: names)
        }
        guard let lowest else { return nil }
        self = lowest
    }

    private init(bytes: Int, folder: String, names: Names) {
        (self.bytes, self.folder, self.names) = (bytes, folder, names)
    }

    /// The bytes in use that the kernel cannot free; nil if the files cannot be read.
    ///
    /// The kernel kills a process if freeing the page cache is not enough. So the page cache does not count, not even that
    /// of the program's own file, which may be charged to any container that uses the same image. The resident memory of
    /// the process alone would miss sockets, files in memory and the other processes of the container.
    public func used() -> Int? {
        guard let usage = Self.text(folder, names.usage).flatMap({ Int($0.trimmed) }),
            let figures = Self.text(folder, "memory.stat")
        else { return nil }
        var pageCache = 0
        for line in figures.split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts.count == 2, names.pageCache.contains(String(parts[0])) { pageCache += Int(parts[1]) ?? 0 }
        }
        return max(0, usage - pageCache)
    }

    /// Returns the folders of the process's cgroups for memory, each before those in it.
    ///
    /// A folder may be absent: in a container, the outermost folder may be that of the container's own cgroup.
    private static func groups(_ root: String) -> [(folder: String, names: Names)] {
        guard let lines = text("\(root)/proc/self", "cgroup") else { return [] }
        var groups: [(folder: String, names: Names)] = []
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isVersion1 = parts[1].split(separator: ",").contains("memory")
            guard isVersion1 || parts[1].isEmpty else { continue }
            let names = isVersion1 ? Names.version1 : .version2
            var folder = "\(root)/sys/fs/cgroup\(isVersion1 ? "/memory" : "")"
            groups.append((folder, names))
            for name in parts[2].split(separator: "/") where name != ".." {
                folder += "/\(name)"
                groups.append((folder, names))
            }
        }
        return groups
    }

    private static func text(_ folder: String, _ name: String) -> String? {
        (try? FileContents.read(path: "\(folder)/\(name)", limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension String {
    fileprivate var trimmed: Substring { self[...].prefix { !$0.isWhitespace } }
}
