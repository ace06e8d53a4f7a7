import Foundation

/// Python's orjson in a process of its own that runs so many times what it is told to and says how long that took it.
final class Orjson {
    private static let program = """
        import sys, time, orjson
        document = sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))
        for line in sys.stdin.buffer:
            start = time.process_time_ns()
            for _ in range(int(line)):
                orjson.dumps(orjson.loads(document))
            print(time.process_time_ns() - start, flush=True)
        """

    private let process = Process()
    private let input = Pipe(), output = Pipe()

    /// Nil when there is no Python with orjson.
    init?(_ document: [UInt8]) {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        signal(SIGPIPE, SIG_IGN)
        do {
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data("\(document.count)\n".utf8) + Data(document))
            _ = try run(1)
        } catch {
            if process.isRunning { process.terminate() }
            return nil
        }
    }

    deinit {
        // The end of its input is the end of its work.
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Loads and dumps the document so many times; the nanoseconds of processor time that it took.
    func run(_ count: Int) throws -> UInt64 {
        try input.fileHandleForWriting.write(contentsOf: Data("\(count)\n".utf8))
        guard let time = UInt64(String(decoding: line(), as: UTF8.self)) else { throw Gone() }
        return time
    }

    /// What it says up to the end of the line, or of its life.
    private func line() -> [UInt8] {
        var line: [UInt8] = []
        var byte = UInt8(0)
        while true {
            let count = read(output.fileHandleForReading.fileDescriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { return line }
            line.append(byte)
        }
    }

    /// It ended before it answered.
    struct Gone: Error, CustomStringConvertible {
        var description: String { "python3 ended before it answered" }
    }
}
