/// A folder with the files of a cgroup of version 2 in a container, which a test changes.
package struct Cgroup: Sendable {
    private let folder: TemporaryFolder
    private let limit: Int

    /// The folder that stands for the root of the file system.
    package var root: String { folder.path }

    /// A cgroup with this limit of bytes, of which nothing is in use.
    package init(limit: Int) throws {
        (folder, self.limit) = (try TemporaryFolder(), limit)
        try folder.write("0::/\n", to: "proc/self/cgroup")
        try folder.write("\(limit)\n", to: "sys/fs/cgroup/memory.max")
        try folder.write("anon 0\nactive_file 4096\ninactive_file 4096\n", to: "sys/fs/cgroup/memory.stat")
        try use(percent: 0)
    }

    /// Lets this part of the limit be in use.
    package func use(percent: Int) throws {
        try folder.write("\(limit / 100 * percent + 8192)\n", to: "sys/fs/cgroup/memory.current")
    }

    package func remove() { folder.remove() }
}
