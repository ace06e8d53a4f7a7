// Unsafe: `write` gives the kernel a pointer into an array, which stays valid for the duration of the call.
import Glibc

/// An open file, which is closed with this value.
struct SnapshotDescriptor: ~Copyable {
    private let number: Int32

    /// Opens a regular file; anything else is refused, and a pipe is not waited for.
    init(_ path: String, _ flags: Int32) throws(SnapshotFault) {
        number = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard number >= 0 else {
            // Without the folder, a file cannot be created either.
            throw errno == ENOENT && flags & O_CREAT == 0 ? .absent : .last("open")
        }
        guard try status().st_mode & S_IFMT == S_IFREG else { throw .damaged("it is not a regular file") }
    }

    deinit { close(number) }

    /// The bytes of the file.
    var size: Int { get throws(SnapshotFault) { try status().st_size } }

    /// Throws if a user other than that of this process owns the file, or if everybody may write it.
    func checkOwner() throws(SnapshotFault) {
        let status = try status()
        guard status.st_uid == geteuid() else { throw .untrusted("it belongs to another user") }
        // The group may: Kubernetes lets the group of a volume write its files.
        guard status.st_mode & S_IWOTH == 0 else { throw .untrusted("other users may write it") }
    }

    /// Locks the file until it is closed, at the latest by the end of the process; false if another one has it locked.
    func lock() throws(SnapshotFault) -> Bool {
        if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .last("lock") }
        return false
    }

    /// Whether `path` still leads to this file.
    func isAt(_ path: String) throws(SnapshotFault) -> Bool {
        var (here, there) = (try status(), stat())
        guard lstat(path, &there) == 0 else { return false }
        return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)
    }

    func truncate() throws(SnapshotFault) {
        guard ftruncate(number, 0) == 0 else { throw .last("truncate") }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(SnapshotFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                pwrite(number, $0.baseAddress, $0.count, offset + written)
            }
            if count >= 0 { written += count } else if errno != EINTR { throw .last("write") }
        }
    }

    /// Reads `count` bytes, or fewer at the end of the file.
    func read(_ count: Int, at offset: Int) throws(SnapshotFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes[filled...].withUnsafeMutableBytes {
                pread(number, $0.baseAddress, $0.count, offset + filled)
            }
            if read == 0 { break }
            if read > 0 { filled += read } else if errno != EINTR { throw .last("read") }
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Returns when the content is on the disk.
    func synchronize() throws(SnapshotFault) {
        guard fsync(number) == 0 else { throw .last("fsync") }
    }

    /// Returns when the names in the folder of `path` are on the disk.
    static func synchronizeFolder(of path: String) throws(SnapshotFault) {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .last("open folder") }
        defer { close(number) }
        guard fsync(number) == 0 else { throw .last("fsync folder") }
    }

    private func status() throws(SnapshotFault) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last("fstat") }
        return status
    }
}

extension SnapshotFault {
    /// The fault of the last call, of the name `call`.
    static func last(_ call: String) -> SnapshotFault { .system(call: call, code: errno) }
}
