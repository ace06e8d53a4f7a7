import EventLoop
import TestSupport
import Testing

@Suite("Memory limit")
struct MemoryLimitTests {
    /// A limit and a use of 64 MiB and 40 MiB, of which 9 MiB are page cache.
    private static let version2 = [
        "memory.max": "67108864\n", "memory.current": "41943040\n",
        "memory.stat": "anon 30000000\nfile 9437184\ninactive_file 8388608\nactive_file 1048576\n",
    ]
    private static let version1 = [
        "memory.limit_in_bytes": "67108864\n", "memory.usage_in_bytes": "41943040\n",
        "memory.stat": "inactive_file 1\nactive_file 1\ntotal_inactive_file 8388608\ntotal_active_file 1048576\n",
    ]
    private static let used = 32_505_856

    private static func files(_ folder: String, _ files: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: files.map { ("sys/fs/cgroup/\(folder)\($0)", $1) })
    }

    /// Returns the limit and the use that the files below a root say.
    private static func read(_ groups: String?, _ files: [String: String]) throws -> (limit: Int?, used: Int?) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        if let groups { try folder.write(groups, to: "proc/self/cgroup") }
        for (name, text) in files { try folder.write(text, to: name) }
        let limit = MemoryLimit(root: folder.path)
        return (limit?.bytes, limit?.used())
    }

    @Test(
        "The limit of the process's cgroup is found, as a container and as the machine see it",
        arguments: [
            ("0::/\n", files("", version2)), ("0::/a/b\n", files("a/b/", version2)),
            ("0::/../..\n", files("", version2)), ("0::/of/the/machine\n", files("", version2)),
            ("5:cpu:/x\n4:memory:/a\n0::/\n", files("memory/a/", version1)),
            ("4:hugetlb,memory:/docker/1\n", files("memory/", version1)),
            ("4:memory:/a:b\n", files("memory/a:b/", version1)),
        ])
    func found(groups: String, files: [String: String]) throws {
        let (limit, used) = try Self.read(groups, files)
        #expect(limit == 64 << 20)
        #expect(used == Self.used)
    }

    @Test("The lowest limit counts, with the use of its cgroup, and the outer one of two equal limits")
    func lowest() throws {
        func group(_ folder: String, _ limit: String, _ used: Int) -> [String: String] {
            Self.files(folder, ["memory.max": limit, "memory.current": "\(used)", "memory.stat": ""])
        }
        for (outer, inner, limit, used) in [
            ("1000", "2000", 1000, 7), ("2000", "1000", 1000, 3), ("1000", "1000", 1000, 7), ("max", "1000", 1000, 3),
            ("1000", "max", 1000, 7),
        ] {
            let files = group("", outer, 7).merging(group("a/", inner, 3)) { first, _ in first }
            let found = try Self.read("0::/a\n", files)
            #expect(found.limit == limit && found.used == used, "\(outer) \(inner)")
        }
    }

    @Test(
        "Without a limit, or without readable files, there is none",
        arguments: [
            (nil, [:]), ("", [:]), ("0::/\n", [:]), ("0::\n1\n::\n", [:]),
            ("0::/\n", files("", ["memory.max": "max\n"])), ("0::/\n", files("", ["memory.max": ""])),
            ("0::/\n", files("", ["memory.max": "0"])), ("0::/\n", files("", ["memory.max": "-1"])),
            ("0::/\n", files("", ["memory.max": "64M"])), ("0::/\n", files("", ["memory.max": "99999999999999999999"])),
            ("4:memory:/\n", files("memory/", ["memory.limit_in_bytes": "9223372036854771712\n"])),
            ("4:cpu:/\n", files("", version2)),
        ] as [(String?, [String: String])])
    func absent(groups: String?, files: [String: String]) throws {
        #expect(try Self.read(groups, files).limit == nil)
    }

    @Test("A use that cannot be read is unknown, and no use is negative")
    func unknown() throws {
        let limit = ["memory.max": "1000"]
        for (files, used) in [
            (["memory.current": "7"], nil), (["memory.stat": ""], nil),
            (["memory.current": "x", "memory.stat": ""], nil),
            (["memory.current": "7", "memory.stat": "active_file x\nactive_file\n\nx y z\n"], 7),
            (["memory.current": "7", "memory.stat": "active_file 9\n"], 0),
        ] as [([String: String], Int?)] {
            let found = try Self.read("0::/\n", Self.files("", limit.merging(files) { first, _ in first }))
            #expect(found.limit == 1000 && found.used == used, "\(files)")
        }
    }
}
