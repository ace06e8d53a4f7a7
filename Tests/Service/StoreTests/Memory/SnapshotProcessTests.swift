import Store
import Foundation
import TestSupport
import Testing

/// Snapshots of processes that are killed, or that share a path.
@Suite struct SnapshotProcessTests {
    /// The writer's id and the number of a snapshot, if all of its records are there and of that snapshot; nil without a file.
    private func content(of file: SnapshotFile) throws -> (id: UInt8, number: Int)? {
        var records: [[UInt8]] = []
        do {
            try file.read { records.append($0) }
        } catch SnapshotFault.absent {
            return nil
        }
        let first = try #require(records.first)
        #expect(records.count == Int(first[3]))
        #expect(records.allSatisfy { $0 == first })
        #expect(first.dropFirst(4).allSatisfy { $0 == first[1] } && first.count == 4 + 16 << 10)
        return (first[0], Int(first[1]) | Int(first[2]) << 8)
    }

    private func writer(_ id: Int, _ file: SnapshotFile) throws -> ShellProcess {
        try ShellProcess("exec '\(CacheWorker.path)' write '\(file.path)' \(id)", in: "/")
    }

    @Test func afterAHundredKillsTheFileIsAlwaysTheOldOneOrTheNewOne() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = SnapshotFile(path: folder.path("cache"), version: 1, maximumBytes: 1 << 20)
        var random = SplitMix64(seed: 6)
        var (found, withLeftover) = (0, 0)
        for round in 0..<100 {
            let process = try writer(round, file)
            // Killed after a number of records: most kills meet a writer within a snapshot.
            let lines = Int.random(in: 1...60, using: &random)
            var written = 0
            for _ in 0..<lines {
                let words = try #require(process.line(containing: "snapshot ")).split(separator: " ")
                if words.last == "written" { written = try #require(Int(words[0])) }
            }
            process.end()
            if FileManager.default.fileExists(atPath: file.path + ".new") { withLeftover += 1 }
            let content = try content(of: file)
            if written > 0 {
                let content = try #require(content)
                #expect(content.id == UInt8(round) && content.number >= written)
            }
            if content != nil { found += 1 }
            #expect(!FileManager.default.fileExists(atPath: file.path + ".new"))
        }
        #expect(found > 90 && withLeftover > 20)
    }

    @Test func twoProcessesWithOnePathDoNotMixTheirRecords() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = SnapshotFile(path: folder.path("cache"), version: 1, maximumBytes: 1 << 20)
        let processes = [try writer(1, file), try writer(2, file)]
        defer { for process in processes { process.end() } }
        var (written, lines) = ([0, 0], 0)
        while written.contains(where: { $0 < 10 }) {
            for (index, process) in processes.enumerated() {
                if try #require(process.line(containing: "snapshot ")).hasSuffix("written") { written[index] += 1 }
            }
            lines += 1
            if lines % 20 == 0 { _ = try content(of: file) }
        }
        #expect(try content(of: file) != nil)
    }
}
