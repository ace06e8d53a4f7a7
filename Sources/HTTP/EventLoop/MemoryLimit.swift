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
