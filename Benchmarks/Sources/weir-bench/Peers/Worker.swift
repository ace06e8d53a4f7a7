import Foundation

/// A peer that runs in its own process.
///
/// The process reads a line with the length of the document, then the document, then one number of repetitions per line.
/// It answers each number with the nanoseconds of processor time that the repetitions took.
final class Worker {
    private let process = Process()
    private let input = Pipe(), output = Pipe()

    /// Starts the process; nil if it does not start or fails on the document.
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
        // The peer exits at the end of its input.
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Does the work `count` times and returns the nanoseconds of processor time.
    func run(_ count: Int) throws -> UInt64 {
        try input.fileHandleForWriting.write(contentsOf: Data("\(count)\n".utf8))
        guard let time = UInt64(String(decoding: line(), as: UTF8.self)) else { throw Gone() }
        return time
    }

    /// Returns the answer, of a peer that writes it in one line if it should do the work 0 times.
    func answer() throws -> [UInt8] {
        try input.fileHandleForWriting.write(contentsOf: Data("0\n".utf8))
        return line()
    }

    /// Reads a line; an incomplete one at the end of the output.
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

    /// The peer exited before it answered.
    struct Gone: Error, CustomStringConvertible {
        var description: String { "a peer exited before it answered" }
    }
}

extension Worker {
    /// Starts Python's orjson with `loads` and `dumps`; nil if it is not installed.
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

    /// Starts Rust's serde_json with derived types, from `Peers/serde`; nil if it has not been built.
    ///
    /// `kind` is `forecast` or `tweets`.
    static func serde(_ kind: String, _ document: [UInt8]) -> Worker? {
        built("/serde/target/release/weir-bench-serde", kind, document)
    }

    /// Starts Node's `JSON.parse` and `JSON.stringify`, from `Peers/parse.mjs`; nil if Node is not installed.
    static func node(_ document: [UInt8]) -> Worker? { Worker(["node", Peers.folder + "/parse.mjs"], document) }

    /// Starts go-jmespath with encoding/json, from `Peers/jmespath`; nil if it has not been built.
    static func goJMESPath(_ expression: String, _ document: [UInt8]) -> Worker? {
        built("/jmespath/jmespath", expression, document)
    }

    /// Starts jq's library, from `Peers/jq`; nil if it has not been built.
    static func jq(_ filter: String, _ document: [UInt8]) -> Worker? { built("/jq/jq", filter, document) }

    /// Starts Python's jmespath with orjson; nil if they are not installed.
    static func pythonJMESPath(_ expression: String, _ document: [UInt8]) -> Worker? {
        Worker(["python3", Peers.folder + "/jmespath/routes.py", expression], document)
    }

    private static func built(_ path: String, _ argument: String, _ document: [UInt8]) -> Worker? {
        let program = Peers.folder + path
        return FileManager.default.isExecutableFile(atPath: program) ? Worker([program, argument], document) : nil
    }
}

/// The files of the peers.
enum Peers {
    /// The folder, relative to the root of the project, which is the working directory of the benchmarks.
    static let folder = "Benchmarks/Peers"

    /// The folder of nginx's modules; nil if the one for Lua is not installed.
    static var luaModules: String? {
        let folder = "/usr/lib/nginx/modules"
        return FileManager.default.fileExists(atPath: folder + "/ngx_http_lua_module.so") ? folder : nil
    }
}
