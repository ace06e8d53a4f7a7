import Dispatch
import EventLoop
import Operations
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LineWriterTests {
    /// A stream that takes nothing until it is opened.
    private final class Gate: Sendable {
        let isOpen = Watched(false)
        let written = Watched(0)

        func write(_ bytes: [UInt8]) -> Bool {
            _ = isOpen.wait { $0 ? true : nil }
            written.update { $0 += bytes.count }
            return true
        }
    }

    @Test func aStreamThatTakesNothingBlocksNeitherTheShardsNorTheExit() async {
        let gate = Gate()
        let reported = Watched<[Int]>([])
        let writer = LineWriter(
            "test", maximumBytes: 1000, write: { gate.write($0) },
            whenDropped: { lost in reported.update { $0.append(lost) } })
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 100)
        let taken = (0..<50).count { _ in writer.submit(line, lines: 2) }
        #expect(taken == 10)
        #expect(writer.droppedLines == 80)
        #expect(!writer.flush(within: .milliseconds(20)))
        gate.isOpen.update { $0 = true }
        #expect(await WorkQueue("flush").run { writer.flush(within: .seconds(600)) })
        #expect(gate.written.current == 1000)
        #expect(reported.wait { $0.isEmpty ? nil : $0 } == [80])
        #expect(writer.takeUnreported() == 0)
    }

    @Test func roomIsAvailableAgainAfterTheStreamTookTheLines() async {
        let output = Output()
        let writer = output.writer(maximumBytes: 100)
        for index in 0..<100 {
            #expect(writer.submit(Array("line \(index)\n".utf8), lines: 1))
            #expect(await WorkQueue("flush").run { writer.flush(within: .seconds(600)) })
        }
        #expect(output.lines.count == 100)
        #expect(writer.droppedLines == 0)
    }

    @Test func linesOfAClosedStreamAreCounted() async {
        let writer = LineWriter("test", maximumBytes: 1000, write: { _ in false })
        writer.submit([1], lines: 3)
        #expect(await WorkQueue("flush").run { writer.flush(within: .seconds(600)) })
        #expect(writer.droppedLines == 3)
        #expect(writer.takeUnreported() == 3)
        #expect(writer.takeUnreported() == 0)
        #expect(writer.latestDrop.map { .now - $0 < .seconds(600) } == true)
    }

    @Test("Of the lines for the status page, half stay free for warnings, and for other lines")
    func latest() {
        let log = Log(writer: Output().writer())
        func counts(_ level: Log.Level, _ count: Int) -> [Int] {
            for _ in 0..<count { log.write(level, "m") }
            let lines = log.latestLines
            return [Log.Level.info, .warning].map { level in lines.count { $0.contains("\"\(level.rawValue)\"") } }
        }
        #expect(counts(.warning, 3) == [0, 3])
        #expect(counts(.info, 1000) == [47, 3])
        #expect(counts(.warning, 1000) == [24, 26])
        #expect(counts(.info, 1000) == [25, 25])
        #expect(Log(writer: Output().writer()).latestLines.isEmpty)
    }
}
