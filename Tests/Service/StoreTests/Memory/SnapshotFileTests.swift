import Store
import Foundation
import Glibc
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

    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: [[], [[]], [[1]], [[1, 2, 3], [], [4]], [[UInt8](repeating: 5, count: 900_000), [6]]])
    func recordsAreReadAsTheyWereWritten(_ expected: [[UInt8]]) throws {
        try withFile { file, folder in
            try write(expected, to: file)
            #expect(try records(file) == expected)
            #expect(try names(folder) == ["cache"])
        }
    }

    @Test func manyRecordsAreReadInTheirOrder() throws {
        try withFile(limit: 4 << 20) { file, _ in
            let expected = (0..<100_000).map { [UInt8](repeating: UInt8($0 % 251), count: $0 % 40) }
            try write(expected, to: file)
            #expect(try records(file) == expected)
        }
    }

    @Test func aSecondSnapshotReplacesTheFirst() throws {
        try withFile { file, _ in
            try write([[1], [2], [3]], to: file)
            try write([[4]], to: file)
            #expect(try records(file) == [[4]])
        }
    }

    @Test func aMissingFileIsAbsent() throws {
        try withFile { file, _ in #expect(throws: SnapshotFault.absent) { try records(file) } }
    }

    @Test func recordsOfAnotherVersionAreRejected() throws {
        try withFile { file, _ in
            try write([[1]], to: file)
            let later = SnapshotFile(path: file.path, version: 8, maximumBytes: 1 << 20)
            #expect(throws: SnapshotFault.otherVersion(found: 7, expected: 8)) { try records(later) }
        }
    }

    @Test func aFailureWhileWritingLeavesTheOldFileAlone() throws {
        try withFile(limit: 10_000) { file, folder in
            try write([[1]], to: file)
            #expect(throws: Failure.self) {
                try file.write { writer in
                    try writer.append([2])
                    throw Failure("no more")
                }
            }
            #expect(throws: SnapshotFault.tooLarge(limit: 10_000)) {
                try write([[UInt8]](repeating: [UInt8](repeating: 0, count: 1000), count: 10), to: file)
            }
            #expect(try records(file) == [[1]])
            #expect(try names(folder) == ["cache"])
        }
    }

    @Test func aFileAboveTheLimitIsNotRead() throws {
        try withFile { file, _ in
            try write([[UInt8](repeating: 1, count: 1000)], to: file)
            for (limit, isRead) in [(1044, true), (1043, false), (0, false), (-1, false)] {
                let bounded = SnapshotFile(path: file.path, version: 7, maximumBytes: limit)
                if isRead {
                    #expect(try records(bounded).count == 1)
                } else {
                    #expect(throws: SnapshotFault.tooLarge(limit: limit)) { try records(bounded) }
                    #expect(throws: SnapshotFault.tooLarge(limit: limit)) {
                        try write([[UInt8](repeating: 1, count: 1000)], to: bounded)
                    }
                }
            }
        }
    }

    @Test func whatAKilledWriterHasLeftIsRemoved() throws {
        try withFile { file, folder in
            try folder.write("half of a snapshot", to: "cache.new")
            #expect(throws: SnapshotFault.absent) { try records(file) }
            #expect(try names(folder).isEmpty)
            try folder.write("half of a snapshot", to: "cache.new")
            try write([[1]], to: file)
            #expect(try records(file) == [[1]])
            #expect(try names(folder) == ["cache"])
        }
    }

    @Test func aFileThatIsBeingWrittenIsBusyAndStaysReadable() throws {
        try withFile { file, folder in
            try write([[1]], to: file)
            try file.write { writer in
                try writer.append([2])
                #expect(throws: SnapshotFault.busy) { try write([[3]], to: file) }
                #expect(try records(file) == [[1]])
                #expect(try names(folder) == ["cache", "cache.new"])
            }
            #expect(try records(file) == [[2]])
        }
    }

    @Test func whatIsNoSnapshotIsNotReplaced() throws {
        try withFile { file, folder in
            try folder.write("WEIR is not how a snapshot begins", to: "cache")
            #expect(throws: SnapshotFault.foreign) { try write([[1]], to: file) }
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "WEIR is not how a snapshot begins")
            unlink(file.path)
            for make in [{ mkfifo($0, 0o600) }, { symlink("target", $0) }, { mkdir($0, 0o700) }] {
                #expect(make(file.path) == 0)
                #expect(throws: SnapshotFault.foreign) { try write([[1]], to: file) }
                #expect(remove(file.path) == 0)
            }
            try folder.write("", to: "cache")
            try write([[1]], to: file)
            #expect(try records(file) == [[1]])
            #expect(try names(folder) == ["cache"])
        }
    }

    @Test func whatIsNoFileIsRefusedAtOnce() throws {
        try withFile { file, folder in
            #expect(mkfifo(file.path, 0o600) == 0)
            #expect(throws: SnapshotFault.damaged("it is not a regular file")) { try records(file) }
            unlink(file.path)
            #expect(symlink("/etc/passwd", file.path + ".new") == 0)
            #expect(throws: SnapshotFault.system(call: "open", code: ELOOP)) { try write([[1]], to: file) }
            let missing = SnapshotFile(path: folder.path("none/cache"), version: 7, maximumBytes: 1 << 20)
            #expect(throws: SnapshotFault.system(call: "open", code: ENOENT)) { try write([[1]], to: missing) }
            let directory = SnapshotFile(path: folder.path, version: 7, maximumBytes: 1 << 20)
            #expect(throws: SnapshotFault.damaged("it is not a regular file")) { try records(directory) }
        }
    }
}
