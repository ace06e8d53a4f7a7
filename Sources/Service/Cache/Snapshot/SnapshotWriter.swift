import Glibc

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

    /// Writes what is left, then the header, waits for the disk, and renames the file, which stays locked until then.
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
