import EventLoop
import Foundation
import HTTPCore
import HTTPServer
import TestSupport
import Testing

/// Requests that reach a running server whole, in two pieces cut at each byte, and byte by byte.
@Suite("Requests in pieces", .timeLimit(.minutes(10)))
struct CutRequestTests {
    /// A server on a Unix socket, which leaves no ports in TIME-WAIT.
    private struct Subject: Sendable {
        let shard: Shard
        let address: String

        /// Sends `pieces`, each after the server has read the one before, then ends the sending side, and returns all
        /// that the server answers, without what depends on the time of the pieces.
        func answers(to pieces: [ArraySlice<UInt8>]) throws -> String {
            let socket = try Descriptor(family: AF_UNIX)
            defer { socket.close() }
            try socket.connect(to: address, seconds: 30)
            // The server accepts in one turn of its loop, and reads in the next.
            turn()
            for piece in pieces {
                guard socket.send(Array(piece), seconds: 30) else { break }
                turn()
            }
            shutdown(socket.number, Int32(SHUT_WR))
            var bytes: [UInt8] = []
            while case .bytes(let more) = socket.receive(seconds: 30) { bytes += more }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.replacing(/Date: [^\r]*\r\n/, with: "")
        }

        /// Waits for a turn of the loop, in which the events come before the posted work.
        private func turn() {
            let gate = Gate()
            shard.post { gate.open() }
            gate.pass()
        }
    }

    /// Runs `body` with a server, on a thread of its own.
    private static func run(_ body: @escaping @Sendable (Subject) throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await Harness.run(at: .unix(path: folder.path("s")), answer: Harness.echo) { harness in
            let subject = Subject(shard: harness.shards[0], address: "\(harness.address)")
            try await WorkQueue("pieces").run { try body(subject) }
        }
    }

    /// Returns the answers to `input`, after checking that they do not depend on the pieces in which it arrives.
    private static func answers(to input: [UInt8], _ name: String, _ subject: Subject) throws -> String {
        let whole = try subject.answers(to: [input[...]])
        #expect(try subject.answers(to: input.indices.map { input[$0...$0] }) == whole, "\(name): byte by byte")
        for cut in input.indices.dropFirst() {
            let halves = try subject.answers(to: [input[..<cut], input[cut...]])
            if halves != whole { Issue.record("\(name): cut at \(cut): \(halves) instead of \(whole)") }
        }
        return whole
    }

    /// What a sequence of answers says.
    private struct Summary {
        /// The number of requests that were answered.
        let served: Int
        /// Whether the last answer is a refusal.
        let isRefused: Bool
        /// Whether the last answer closes the connection, as every refusal must.
        let isLast: Bool

        init(_ answers: String) {
            let heads = answers.matches(of: /HTTP\/1\.1 ([0-9]{3}) [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/)
            served = heads.count { $0.1 == "200" }
            isRefused = served < heads.count
            isLast = heads.last?.0.contains("Connection: close\r\n") ?? false
        }
    }

    /// Returns the number of requests that llhttp parses completely, up to the first with a body: that one is answered
    /// without its body, and the last.
    private static func served(_ sample: LlhttpCase) -> Int {
        let input = sample.inputWithHost
        var (parser, taken, count) = (RequestParser(), 0, 0)
        while case .request(let request, let consumed) = parser.parse(input.span.extracting(taken...)) {
            (taken, count) = (taken + consumed, count + 1)
            if request.hasBody { return count }
        }
        return sample.completed
    }

    @Test(
        "llhttp's cases get the same answers in whatever pieces they arrive: valid ones theirs, broken ones a refusal")
    func llhttp() async throws {
        let cases = LlhttpCase.all("request")
        guard !cases.isEmpty else { return }
        // Whole, byte by byte, and cut before each byte but the first.
        let plays = cases.reduce(0) { $0 + $1.inputWithHost.count + 1 }
        print("llhttp's request cases in pieces: \(cases.count) tried on \(plays) connections")
        try await Self.run { subject in
            for sample in cases {
                let answers = try Self.answers(to: sample.inputWithHost, sample.name, subject)
                guard sample.isStrict else { continue }
                let served = Self.served(sample)
                let isStricter = LlhttpCase.stricterHere[sample.name] != nil
                let isMoreLenient = LlhttpCase.moreLenientHere[sample.name] != nil
                if !sample.isRefused {
                    let summary = Summary(answers)
                    #expect(summary.isRefused == isStricter, "\(sample.name): \(answers)")
                    #expect(summary.isLast || !isStricter, "\(sample.name): \(answers)")
                    if !isStricter { #expect(summary.served == served, "\(sample.name): \(answers)") }
                } else if !isMoreLenient {
                    // llhttp refuses some heads before their end, which is where the server looks at them.
                    let ended = try subject.answers(to: [sample.inputWithHost + Array("\r\n\r\n".utf8)[...]])
                    let summary = Summary(ended)
                    #expect(summary.served <= served, "\(sample.name): \(ended)")
                    #expect(summary.isLast || sample.isPaused, "\(sample.name): \(ended)")
                }
            }
        }
    }

    @Test(
        "The hostile requests get the same answers in whatever pieces they arrive",
        arguments: HostileRequestTests.groups.keys.sorted())
    func hostile(_ group: String) async throws {
        try await Self.run { subject in
            for sample in HostileRequestTests.groups[group] ?? [] {
                let bytes = sample.bytes
                // What is long is long for the sake of a limit, and takes too long byte by byte.
                guard bytes.count <= 1024 else { continue }
                _ = try Self.answers(to: bytes, "\(group): \(sample)", subject)
            }
        }
    }
}
