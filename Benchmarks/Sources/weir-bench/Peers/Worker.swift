import Foundation

/// A peer in a process of its own that does its work on a document so many times as it is told to, and says how long that took it.
///
/// It reads a line with the document's length, the document, and then a number a line; it answers each with the nanoseconds
/// of processor time.
final class Worker {
    private let process = Process()
    private let input = Pipe(), output = Pipe()

    /// Nil when it does not start, or does not do the work.
    init?(_ arguments: [String], _ document: [UInt8]) {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
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

    /// Does the work so many times; the nanoseconds of processor time that it took.
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
        var description: String { "a peer ended before it answered" }
    }
}

extension Worker {
    /// Python's orjson: loads and dumps.
    ///
    /// Nil when there is no Python with it.
    static func orjson(_ document: [UInt8]) -> Worker? {
        let program = """
            import sys, time, orjson
            document = sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))
            for line in sys.stdin.buffer:
                start = time.process_time_ns()
                for _ in range(int(line)):
                    orjson.dumps(orjson.loads(document))
                print(time.process_time_ns() - start, flush=True)
            """
        return Worker(["python3", "-c", program], document)
    }

    /// Rust's serde_json with derived types, from `Peers/serde`.
    ///
    /// `kind` is `forecast` or `tweets`. Nil when it has not been built.
    static func serde(_ kind: String, _ document: [UInt8]) -> Worker? {
        let program = Peers.folder + "/serde/target/release/weir-bench-serde"
        return FileManager.default.isExecutableFile(atPath: program) ? Worker([program, kind], document) : nil
    }

    /// Node's `JSON.parse` and `JSON.stringify`, from bytes to bytes, from `Peers/parse.mjs`.
    ///
    /// Nil when there is no Node.
    static func node(_ document: [UInt8]) -> Worker? { Worker(["node", Peers.folder + "/parse.mjs"], document) }
}

/// Where the peers' own files are, below the project's root, in which the benchmarks run.
enum Peers {
    static let folder = "Benchmarks/Peers"
}
