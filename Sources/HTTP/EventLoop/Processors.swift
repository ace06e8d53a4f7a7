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

/// The process's limit of address space, such as that of `ulimit -v`.
public enum AddressSpaceLimit {
    /// What the program needs besides stacks and what the caller knows.
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
        guard needed <= limit else { throw SystemError.tooLittleAddressSpace(limit, missing: needed - limit) }
    }

    fileprivate static func read(_ resource: __rlimit_resource) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }
}

/// The process's limit of stacks, such as that of `ulimit -s`, which all of its threads have.
public enum StackLimit {
    /// What a reader takes for each level of a document: tweets inside tweets took 1.35 KiB in a release build.
    private static let level = 2 << 10
    /// What a thread needs besides; it took 50 KiB.
    private static let other = 128 << 10

    /// Checks that the stacks have room for a document with `depth` levels.
    /// - Throws: `SystemError` if they do not.
    public static func require(depth: Int) throws {
        let (limit, needed) = (AddressSpaceLimit.read(RLIMIT_STACK), depth * level + other)
        guard needed <= limit else { throw SystemError.tooLittleStack(limit, depth: depth, missing: needed - limit) }
    }
}

/// The memory that the process has freed.
public enum FreedMemory {
    /// Makes the allocator keep up to 16 MiB of freed memory.
    ///
    /// Otherwise it returns the memory of each response to the kernel, which clears it for the next one: five page
    /// faults a request.
    public static func keep() { weir_keep_freed_memory(16 << 20, 1 << 20) }

    /// Gives all freed memory back to the kernel; threads that allocate may wait for some milliseconds meanwhile.
    public static func release() { weir_release_freed_memory() }
}
