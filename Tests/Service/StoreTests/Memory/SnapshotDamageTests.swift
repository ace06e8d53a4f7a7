import CZlib
import Glibc
import TestSupport
import Testing

@testable import Store

/// No bytes crash the reader, and none that differ from what was written are taken for it.
@Suite struct SnapshotDamageTests {
    private func withFile(_ body: (SnapshotFile, TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try body(SnapshotFile(path: folder.path("cache"), version: 7, maximumBytes: 1 << 20), folder)
    }

    /// The bytes of a snapshot of three records.
    private func snapshot(_ file: SnapshotFile) throws -> [UInt8] {
        try file.write { writer in
            for record in [Array("one".utf8), [], [UInt8](repeating: 9, count: 50)] { try writer.append(record) }
        }
        return try Checkout.read(file.path)
    }

    /// Returns the fault of a file with these bytes; nil if it is read.
    private func fault(_ bytes: [UInt8], _ file: SnapshotFile, _ folder: TemporaryFolder) throws -> SnapshotFault? {
        try folder.write(bytes, to: "cache")
        do {
            try file.read { _ in }
            return nil
        } catch let fault as SnapshotFault {
            return fault
        }
    }

    @Test func everyChangedBitAndEveryCutIsFound() throws {
        try withFile { file, folder in
            let sound = try snapshot(file)
            #expect(try fault(sound, file, folder) == nil)
            for index in sound.indices {
                for bit in [0, 3, 7] {
                    var bytes = sound
                    bytes[index] ^= 1 << bit
                    #expect(try fault(bytes, file, folder) != nil)
                }
                #expect(try fault(Array(sound[..<index]), file, folder) != nil)
            }
            #expect(try fault(sound + [0], file, folder) != nil)
            #expect(try fault(sound + sound, file, folder) != nil)
        }
    }

    @Test func aFileThatSomebodyElseCouldHaveWrittenIsRefused() throws {
        try withFile { file, folder in
            let sound = try snapshot(file)
            for (mode, isTrusted) in [(0o600, true), (0o660, true), (0o602, false), (0o666, false)] as [(mode_t, Bool)]
            {
                try folder.write(sound, to: "cache")
                #expect(chmod(file.path, mode) == 0)
                if isTrusted {
                    #expect(try file.read { _ in } == 3)
                } else {
                    #expect(throws: SnapshotFault.untrusted("other users may write it")) { try file.read { _ in } }
                }
            }
            #expect(chmod(file.path, 0o600) == 0)
            // Only root can give a file away.
            guard chown(file.path, 65_534, 65_534) == 0 else { return }
            #expect(throws: SnapshotFault.untrusted("it belongs to another user")) { try file.read { _ in } }
        }
    }

    @Test func anyBytesAreAnsweredWithAFaultThatSaysWhy() throws {
        let zeros = [UInt8](repeating: 0, count: 100)
        try withFile { file, folder in
            for (bytes, text) in [
                ([], "is damaged: it ends within its header"),
                (Array("WEIRSNAP".utf8), "is damaged: it ends within its header"),
                (zeros, "is damaged: it does not begin as a snapshot does"),
                (Array("WEIRSNAP".utf8) + zeros, "is damaged: its header has another checksum"),
            ] {
                #expect(try fault(bytes, file, folder)?.description == text)
            }
            var random = SplitMix64(seed: 5)
            let sound = try snapshot(file)
            for _ in 0..<500 {
                var bytes = sound
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let index = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: index)
                    default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                    }
                }
                #expect(try bytes == sound || fault(bytes, file, folder) != nil)
            }
        }
    }

    @Test func aFileThatGrowsWhileItIsReadIsRefused() throws {
        #expect(throws: SnapshotFault.damaged("it ends within its header")) {
            _ = try SnapshotHeader(SnapshotHeader(version: 1).bytes, versions: 1...1, size: 10)
        }
    }

    /// Lengths and counts that do not fit, in a file whose checksums are right.
    @Test(arguments: [
        (offset: 16, value: UInt8(2), text: "is damaged: it has more records than its header says"),
        (offset: 16, value: 4, text: "is damaged: a record goes beyond its end"),
        (offset: 16, value: 200, text: "is damaged: it is too short for 200 records"),
        (offset: 23, value: 255, text: "is damaged: it is too short for 18374686479671623683 records"),
        (offset: 24, value: 1, text: "is damaged: it has 65 bytes of records, and its header says 1"),
        (
            offset: 31, value: 255,
            text: "is damaged: it has 65 bytes of records, and its header says 18374686479671623745"
        ),
        (offset: 8, value: 2, text: "is damaged: its format is unknown"),
        (offset: 40, value: 200, text: "is damaged: a record goes beyond its end"),
        (offset: 43, value: 255, text: "is damaged: a record goes beyond its end"),
        (offset: 40, value: 0, text: "is damaged: a record goes beyond its end"),
    ])
    func aForgedFileIsRejected(_ change: (offset: Int, value: UInt8, text: String)) throws {
        try withFile { file, folder in
            var bytes = try snapshot(file)
            bytes[change.offset] = change.value
            let records = Array(bytes[40...])
            set(UInt32(crc32(0, records, UInt32(records.count))), at: 32, in: &bytes)
            set(UInt32(crc32(0, bytes, 36)), at: 36, in: &bytes)
            #expect(try fault(bytes, file, folder)?.description == change.text)
        }
    }

    private func set(_ value: UInt32, at offset: Int, in bytes: inout [UInt8]) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
}
