import Cache
import TestSupport
import Testing

@Suite struct SnapshotFileTests {
    private func withFile(
        limit: Int = 1 << 20, _ body: (SnapshotFile, TemporaryFolder) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try body(SnapshotFile(path: folder.path("cache"), version: 7, maximumBytes: limit), folder)
    }

    private func records(_ file: SnapshotFile) throws -> [[UInt8]] {
        var records: [[UInt8]] = []
        let count = try file.read { records.append($0) }
        #expect(count == records.count)
        return records
    }

    private func write(_ records: [[UInt8]], to file: SnapshotFile) throws {
        try file.write { writer in for record in records { try writer.append(record) } }
    }

    @Test(arguments: [[], [[]], [[1]], [[1, 2, 3], [], [4]], [[UInt8](repeating: 5, count: 900_000), [6]]])
    func recordsAreReadAsTheyWereWritten(_ expected: [[UInt8]]) throws {
        try withFile { file, _ in
            try write(expected, to: file)
            #expect(try records(file) == expected)
        }
    }

    @Test func manyRecordsAreReadInTheirOrder() throws {
        try withFile(limit: 4 << 20) { file, _ in
            let expected = (0..<100_000).map { [UInt8](repeating: UInt8($0 % 251), count: $0 % 40) }
            try write(expected, to: file)
            #expect(try records(file) == expected)
        }
    }

    @Test func aMissingFileIsAbsent() throws {
        try withFile { file, _ in #expect(throws: SnapshotFault.absent) { try records(file) } }
    }
}
