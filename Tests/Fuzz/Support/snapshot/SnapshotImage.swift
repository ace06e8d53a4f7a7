import CZlib
import Store
import Glibc

/// A snapshot file in memory, as `SnapshotHeader` in Sources/Service/Store describes it.
enum SnapshotImage {
    /// The file that the functions write and read; in memory, where there is a file system for it.
    private static let path = (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + "/weir-fuzz-\(getpid())"
    private static let file = SnapshotFile(path: path, version: 1, maximumBytes: 1 << 20)

    /// Returns the records that a file with this content passes on; nil if it is refused.
    static func records(of content: [UInt8]) -> [[UInt8]]? {
        write(content)
        defer { unlink(path) }
        var records: [[UInt8]] = []
        do {
            let count = try file.read { records.append($0) }
            invariant(count == records.count, "\(count) records, \(records.count) passed on")
            return records
        } catch let fault as SnapshotFault {
            invariant(fault != .absent && fault != .busy, "\(fault)")
            invariant(records.isEmpty, "\(records.count) records of a file that \(fault)")
            return nil
        } catch {
            fatalError("\(error)")
        }
    }

    /// Returns the content of a file that is written with these records.
    static func content(of records: [[UInt8]]) -> [UInt8] {
        do {
            try file.write { writer in for record in records { try writer.append(record) } }
        } catch {
            fatalError("\(error)")
        }
        defer { unlink(path) }
        return read()
    }

    /// Returns the content with a valid header and valid checksums; one of two headers keeps its number of records.
    static func repaired(_ content: [UInt8]) -> [UInt8] {
        guard content.count >= 40 else { return content }
        let records = Array(content[40...])
        var header = Array("WEIRSNAP".utf8)
        header += bytes(1, 4) + bytes(1, 4)
        header += content[0] < 128 ? bytes(count(in: records), 8) : Array(content[16..<24])
        header += bytes(records.count, 8) + bytes(checksum(records), 4)
        return header + bytes(checksum(header), 4) + records
    }

    /// The number of records, if lengths lead from each to the next.
    private static func count(in records: [UInt8]) -> Int {
        var (count, offset) = (0, 0)
        while offset + 4 <= records.count {
            let length = records[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
            (count, offset) = (count + 1, offset + 4 + length)
        }
        return count
    }

    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> Int { Int(crc32(0, bytes, UInt32(bytes.count))) }

    private static func write(_ content: [UInt8]) {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        invariant(Glibc.write(number, content, content.count) == content.count, "write: \(errno)")
        close(number)
    }

    private static func read() -> [UInt8] {
        let number = open(path, O_RDONLY)
        defer { close(number) }
        // More than libFuzzer makes.
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(number, &bytes, bytes.count)
        invariant(count >= 0 && count < bytes.count, "read: \(count), \(errno)")
        return Array(bytes[..<count])
    }
}
