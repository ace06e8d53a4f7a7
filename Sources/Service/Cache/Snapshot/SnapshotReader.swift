import Glibc

/// Reads the records of a snapshot one after the other; 256 KiB and a record are in memory at a time.
struct SnapshotReader: ~Copyable {
    private static let part = 256 << 10

    private let file: SnapshotDescriptor
    private let header: SnapshotHeader
    private let size: Int
    /// Bytes of the file up to `end`, of which those from `start` are still to be used.
    private var (buffer, start, end): ([UInt8], Int, Int) = ([], 0, 0)

    /// Opens the file at `path`, and checks its header.
    init(_ path: String, version: UInt32, limit: Int) throws(SnapshotFault) {
        let file = try SnapshotDescriptor(path, O_RDONLY)
        let size = try file.size
        guard size <= limit else { throw .tooLarge(limit: limit) }
        header = try SnapshotHeader(try file.read(SnapshotHeader.size, at: 0), version: version, size: size)
        self.file = file
        self.size = size
    }

    /// Reads all records, and throws unless they are what was written.
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
