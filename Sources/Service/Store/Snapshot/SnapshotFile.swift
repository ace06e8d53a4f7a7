import Glibc
import HTTPCore

/// A file of records, which is replaced as a whole: whoever reads it gets all records of one writer, or a fault.
///
/// The writer fills the file `<path>.new` and renames it. That file is locked meanwhile, so that two processes with the
/// same path do not write into each other's; the next writer overwrites the rest of a killed one, or a reader removes it.
///
///     let file = SnapshotFile(path: "/var/lib/weir/cache", version: 1, maximumBytes: 128 << 20)
///     try file.write { writer in try cache.forEach { try writer.append(record($0, $1)) } }
///     let count = try file.read { record in restore(record) }
///
/// The calls block: use a queue of their own.
public struct SnapshotFile: Sendable {
    /// The place of the file.
    public let path: String
    private let version: UInt32, oldest: UInt32
    private let maximumBytes: Int

    /// The file at `path`.
    /// - Parameters:
    ///   - version: The version of the records that are written.
    ///   - oldest: The first version that is read as well, `version` without it; a file with another one is rejected.
    ///   - maximumBytes: The most bytes that are written or read, the header of 40 bytes included.
    public init(path: String, version: UInt32, oldest: UInt32? = nil, maximumBytes: Int) {
        (self.path, self.version, self.maximumBytes) = (path, version, maximumBytes)
        self.oldest = min(oldest ?? version, version)
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

    /// Passes the records to `body`, in the order in which they were written, once the whole file has proved sound; nobody but
    /// the user of this process may be able to write the file.
    ///
    /// Also removes the file of a killed writer. A file that is not the caller's own, such as a copy, can be anybody's, and
    /// nothing is removed then.
    /// - Returns: The number of records.
    /// - Throws: `SnapshotFault`, `absent` if there is no file, or what `body` throws.
    @discardableResult
    public func read(isOwn: Bool = true, _ body: ([UInt8]) throws -> Void) throws -> Int {
        if isOwn { removeLeftover() }
        var reader = try SnapshotReader(path, isOwn: isOwn, versions: oldest...version, limit: maximumBytes)
        try reader.check()
        return try reader.forEach(body)
    }

    /// Throws if the file at the path is neither a snapshot nor empty: it can be another program's.
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

/// Takes the records of a snapshot that is being written; 64 KiB of them are in memory at a time.
public struct SnapshotWriter: ~Copyable {
    private static let part = 64 << 10

    private let file: SnapshotDescriptor
    private let limit: Int
    private var header: SnapshotHeader
    private var checksum = Checksum()
    private var buffer: [UInt8] = []
    private var end = SnapshotHeader.size

    /// Begins an empty file.
    init(_ file: consuming SnapshotDescriptor, version: UInt32, limit: Int) throws(SnapshotFault) {
        try file.truncate()
        self.file = file
        self.limit = limit
        header = SnapshotHeader(version: version)
    }

    /// Adds a record.
    /// - Throws: `SnapshotFault` if the file would be too large, or cannot be written.
    public mutating func append(_ record: [UInt8]) throws(SnapshotFault) {
        guard record.count <= limit - end - buffer.count - 4, record.count <= UInt32.max else {
            throw .tooLarge(limit: limit)
        }
        buffer.append(littleEndian: UInt32(record.count))
        buffer += record
        header.count += 1
        if buffer.count >= Self.part { try flush() }
    }

    /// Writes the remaining records and the header, waits for the disk, and renames the file, which stays locked until then.
    mutating func finish(_ name: String, as path: String) throws(SnapshotFault) {
        try flush()
        header.length = UInt64(end - SnapshotHeader.size)
        header.checksum = checksum.value
        try file.write(header.bytes, at: 0)
        try file.synchronize()
        guard rename(name, path) == 0 else { throw .last("rename") }
        try SnapshotDescriptor.synchronizeFolder(of: path)
    }

    private mutating func flush() throws(SnapshotFault) {
        try file.write(buffer, at: end)
        checksum.add(buffer)
        end += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Reads the records of a snapshot one after the other; 256 KiB and a record are in memory at a time.
struct SnapshotReader: ~Copyable {
    private static let part = 256 << 10

    private let file: SnapshotDescriptor
    private let header: SnapshotHeader
    private let size: Int
    /// Bytes of the file up to `end`, of which those from `start` are still to be used.
    private var (buffer, start, end): ([UInt8], Int, Int) = ([], 0, 0)

    /// Opens the file at `path`, and checks its header.
    init(_ path: String, isOwn: Bool, versions: ClosedRange<UInt32>, limit: Int) throws(SnapshotFault) {
        let file = try SnapshotDescriptor(path, O_RDONLY)
        if isOwn { try file.checkOwner() }
        let size = try file.size
        guard size <= limit else { throw .tooLarge(limit: limit) }
        header = try SnapshotHeader(try file.read(SnapshotHeader.size, at: 0), versions: versions, size: size)
        self.file = file
        self.size = size
    }

    /// Reads all records, and throws unless they have the checksum of the header.
    mutating func check() throws {
        var checksum = Checksum()
        _ = try forEach { record in
            var length: [UInt8] = []
            length.append(littleEndian: UInt32(record.count))
            checksum.add(length)
            checksum.add(record)
        }
        guard checksum.value == header.checksum else {
            throw SnapshotFault.damaged("its records have another checksum")
        }
    }

    /// Passes all records to `body`, and returns their number.
    mutating func forEach<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws -> Int {
        (buffer, start, end) = ([], 0, SnapshotHeader.size)
        for _ in 0..<header.count {
            let length = UInt32(littleEndian: try take(4), at: 0)
            try body(try take(Int(length)))
        }
        guard end == size, start == buffer.count else {
            throw SnapshotFault.damaged("it has more records than its header says")
        }
        return Int(header.count)
    }

    private mutating func take(_ count: Int) throws(SnapshotFault) -> [UInt8] {
        if buffer.count - start < count {
            buffer.removeFirst(start)
            start = 0
            guard count - buffer.count <= size - end else { throw .damaged("a record goes beyond its end") }
            let part = try file.read(min(max(Self.part, count - buffer.count), size - end), at: end)
            buffer += part
            end += part.count
            guard count <= buffer.count else { throw .damaged("it became shorter while it was read") }
        }
        defer { start += count }
        return Array(buffer[start..<start + count])
    }
}

/// Why a snapshot could not be read or written; its text follows the name of the file in a log line.
public enum SnapshotFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no such file: the first start.
    case absent
    /// A call of the system failed, such as `write`, with its error number.
    case system(call: String, code: Int32)
    /// The file, or the new content, has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// The records have another version than the caller's.
    case otherVersion(found: UInt32, expected: UInt32)
    /// The content differs from the written one; the text says how.
    case damaged(String)
    /// Somebody else could have written the file; the text says why.
    case untrusted(String)
    /// The file at the path is no snapshot, and is not replaced.
    case foreign
    /// Another process, or another thread, is writing the file.
    case busy

    /// A text such as `is damaged: it has 17 bytes less than its header says`.
    public var description: String {
        switch self {
        case .absent: "does not exist"
        case .system(let call, let code): "cannot be used: \(call): \(String(cString: strerror(code)))"
        case .tooLarge(let limit): "is larger than the limit of \(limit) bytes"
        case .otherVersion(let found, let expected): "has version \(found) instead of \(expected)"
        case .damaged(let reason): "is damaged: \(reason)"
        case .untrusted(let reason): "is not trusted: \(reason)"
        case .foreign: "is no snapshot, and so it is not replaced; remove it, or name another file"
        case .busy: "is being written by another process"
        }
    }
}
