import Glibc

/// A file of records, which is replaced as a whole: whoever reads it gets all records of one writer, or a fault.
///
/// The writer fills the file `<path>.new` and renames it. That file is locked meanwhile, so that two processes with the
/// same path do not write into each other's; what a killed process leaves of it is written over, or removed by a reader.
///
///     let file = SnapshotFile(path: "/var/lib/weir/cache", version: 1, maximumBytes: 128 << 20)
///     try file.write { writer in try cache.forEach { try writer.append(record($0, $1)) } }
///     let count = try file.read { record in restore(record) }
///
/// The calls block: use a queue of their own.
public struct SnapshotFile: Sendable {
    /// The place of the file.
    public let path: String
    private let version: UInt32
    private let maximumBytes: Int

    /// The file at `path`.
    /// - Parameters:
    ///   - version: The version of the records; a file with another one is rejected.
    ///   - maximumBytes: The most bytes that are written or read, the header of 40 bytes included.
    public init(path: String, version: UInt32, maximumBytes: Int) {
        (self.path, self.version, self.maximumBytes) = (path, version, maximumBytes)
    }

    private var temporary: String { path + ".new" }

    /// Replaces the file by one with the records that `content` appends; if it throws, the file stays as it is.
    /// - Throws: `SnapshotFault`, `busy` if it is just being written elsewhere, `foreign` if there is something else at
    ///   its path, or what `content` throws.
    public func write(_ content: (inout SnapshotWriter) throws -> Void) throws {
        try checkOwn()
        let file = try openTemporary()
        do {
            var writer = try SnapshotWriter(file, version: version, limit: maximumBytes)
            try content(&writer)
            try writer.finish(temporary, as: path)
        } catch {
            removeLeftover()
            throw error
        }
    }

    /// Passes the records to `body`, in the order in which they were written, once the whole file has proved sound.
    ///
    /// Also removes what a killed writer has left.
    /// - Returns: The number of records.
    /// - Throws: `SnapshotFault`, `absent` if there is no file, or what `body` throws.
    @discardableResult
    public func read(_ body: ([UInt8]) throws -> Void) throws -> Int {
        removeLeftover()
        var reader = try SnapshotReader(path, version: version, limit: maximumBytes)
        try reader.check()
        return try reader.forEach(body)
    }

    /// Throws if there is something at the path that is neither a snapshot nor empty: it can be another program's.
    private func checkOwn() throws(SnapshotFault) {
        do throws(SnapshotFault) {
            let start = try SnapshotDescriptor(path, O_RDONLY).read(SnapshotHeader.magic.count, at: 0)
            guard start.isEmpty || start == SnapshotHeader.magic else { throw .foreign }
        } catch .absent {
            // The first one.
        } catch .damaged, .system(_, ELOOP) {
            // Not a regular file, or a symbolic link.
            throw .foreign
        }
    }

    /// Opens and locks the temporary file.
    private func openTemporary() throws(SnapshotFault) -> SnapshotDescriptor {
        while true {
            let file = try SnapshotDescriptor(temporary, O_RDWR | O_CREAT)
            guard try file.lock() else { throw .busy }
            // Its last writer may have renamed it between these calls.
            if try file.isAt(temporary) { return file }
        }
    }

    private func removeLeftover() {
        guard let file = try? SnapshotDescriptor(temporary, O_RDWR), (try? file.lock()) == true,
            (try? file.isAt(temporary)) == true
        else { return }
        unlink(temporary)
    }
}
