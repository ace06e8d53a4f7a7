import Foundation
import TestSupport
import Testing

/// The service that keeps its documents in a file, killed at any moment.
///
/// `WEIR_KILLS` is the number of kills, 25 without it.
@Suite("Kills beside a snapshot", .timeLimit(.minutes(10)))
struct SnapshotKillTests {
    private static let kills = Int(ProcessInfo.processInfo.environment["WEIR_KILLS"] ?? "") ?? 25

    @Test("After each SIGKILL the next start serves whole documents of the snapshot, and never older ones than before")
    func kills() throws {
        let run = try KilledService()
        defer { run.stop() }
        try run.fill()
        for _ in 0..<Self.kills { try run.kill() }
        try run.check(all: true)
        print("\(Self.kills) kills, \(run.torn) within a write: \(run.moments)")
        #expect(run.torn >= Self.kills / 10)
    }
}

/// A service that is started and killed again and again, with an upstream whose documents have another version each time.
private final class KilledService {
    /// When a process is killed.
    private enum Moment: String {
        /// After SIGTERM, when it writes the file for the last time.
        case lastWrite
        /// When it writes the file in between, and answers.
        case write
        /// When it answers.
        case work
        /// When it starts, and reads the file.
        case start
    }

    private struct Document: Sendable {
        /// What clients ask for, and a part of what the upstream is asked for.
        let target: String, path: String
        let text: NumberedText
    }

    private let folder: TemporaryFolder
    private let upstream: ScriptedUpstream
    private let events: FolderEvents
    private let configuration: String
    private let documents = KilledService.documents()
    /// The versions that the upstream has sent.
    private let versions: Watched<[Int]>
    private let isFailing = Watched(false)
    private var random = SplitMix64(seed: 16)
    /// The answers, as soon as they are known; their versions in the snapshot, at least or exactly.
    private var answers: [Int: NumberedText] = [:]
    private var (least, exact): ([Int: Int], [Int: Int]) = ([:], [:])
    /// How long a write and a start take, in seconds; the first one changes so that half of the kills come before its end.
    private var (write, start) = (0.01, 0.05)
    private(set) var torn = 0
    private(set) var moments: [String: Int] = [:]

    init() throws {
        folder = try TemporaryFolder()
        events = try FolderEvents(folder.path)
        let (documents, isFailing) = (documents, isFailing)
        let versions = Watched([Int](repeating: 0, count: documents.count))
        self.versions = versions
        upstream = try ScriptedUpstream { head in
            if isFailing.current { return .answer(503, "{}") }
            if head.contains("/accounts/lookup") { return .answer(#"{"id":"7","acct":"weir"}"#) }
            guard let index = documents.firstIndex(where: { head.contains($0.path) }) else { return .answer(404, "{}") }
            let version = versions.update { versions in
                versions[index] += 1
                return versions[index]
            }
            return .answer(200, documents[index].text.with(version))
        }
        let once = #""retryPercent": 0, "breaker": {"minimumRequests": 1000000}"#
        let asked = #"{"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0}"#
        configuration = """
            {"listen": "127.0.0.1:0", "shards": 2,
             "server": {"drainTimeoutMilliseconds": 300, "accessLog": {"format": "none"}},
             "cache": {"snapshotFile": "documents", "snapshotSeconds": 1, "weather": \(asked), "tweets": \(asked)},
             "upstreams": [
                {"name": "sky", "dialect": "darkSky", "baseURL": "\(upstream.baseURL)",
                 "key": {"environment": "WEIR_TEST_KEY"}, \(once)},
                {"name": "social", "dialect": "mastodon", "baseURL": "\(upstream.baseURL)", \(once)}],
             "weather": {"upstreams": ["sky"]}, "tweets": {"upstreams": ["social"]}}
            """
    }

    func stop() {
        upstream.stop()
        folder.remove()
    }

    /// Forecasts of 4 to 400 KB, a list, a search and a status.
    private static func documents() -> [Document] {
        let hours = Array(repeating: 10, count: 8) + Array(repeating: 270, count: 8) + [1000, 1000, 1000]
        let forecasts = hours.enumerated().map { index, hours in
            let place = "\(index + 10).5"
            return Document(
                target: "/weather?lat=\(place)&lon=7.5", path: "/\(place),7.5",
                text: NumberedForecast.text(latitude: place, longitude: "7.5", hours: hours))
        }
        func status(_ id: Int) -> String {
            #"{"id":"\#(id)","content":"\#(NumberedText.mark(0)) clear","created_at":"2026-01-01"}"#
        }
        let list = "[\((100..<140).map(status).joined(separator: ","))]"
        let tweets = [
            ("/timelines/weir", "/accounts/7/statuses", list),
            ("/search?q=rain", "/search?", #"{"statuses":\#(list)}"#),
            ("/tweets/99", "/statuses/99", status(99)),
        ]
        return forecasts
            + tweets.map { Document(target: $0, path: $1, text: NumberedText(Array($2.utf8))) }
    }

    // MARK: - A process

    private func launch() throws -> WeirProcess {
        let file = try folder.write(configuration, to: "weir.json")
        return try WeirProcess(["serve", "--config", file], environment: ["WEIR_TEST_KEY": "test-key"])
    }

    /// Starts the service with all documents of the snapshot.
    private func serve() throws -> WeirProcess {
        let (time, weir) = try seconds {
            let weir = try launch()
            _ = try weir.address()
            return weir
        }
        start = max(start, time)
        #expect(try weir.get("/livez").status == 200)
        return weir
    }

    /// Gets all documents for the first time, and ends the service.
    func fill() throws {
        let weir = try launch()
        defer { weir.kill() }
        let client = try weir.client()
        for (index, document) in documents.enumerated() {
            let answer = try client.get(document.target)
            try #require(answer.status == 200, "\(answer.text)")
            answers[index] = NumberedText(answer.body, number: 1)
            #expect((answers[index]?.count ?? 0) >= document.text.count, "\(document.target)")
            exact[index] = 1
        }
        #expect(try weir.terminate() == 0)
    }

    // MARK: - A round

    /// Starts the service, checks what it serves, lets it work, and kills it at some moment.
    func kill() throws {
        let choice = Int.random(in: 0..<20, using: &random)
        // The moments between the writes cost a second each.
        let moment = choice < 11 ? Moment.lastWrite : choice < 14 ? .write : choice < 17 ? .work : .start
        moments[moment.rawValue, default: 0] += 1
        if moment == .start {
            let weir = try launch()
            _ = try? weir.waitForExit(seconds: .random(in: 0..<start, using: &random))
            weir.kill()
        } else {
            let weir = try check(all: false)
            defer { weir.kill() }
            isFailing.update { $0 = false }
            switch moment {
            case .lastWrite: try killInLastWrite(weir)
            case .write, .work: try killAtWork(weir, waits: moment == .write)
            case .start: break
            }
        }
        if FileManager.default.fileExists(atPath: folder.path("documents.new")) { torn += 1 }
    }

    /// Starts the service and checks documents while the upstream fails.
    @discardableResult
    func check(all: Bool) throws -> WeirProcess {
        isFailing.update { $0 = true }
        let weir = try serve()
        let restored = try weir.logLine("documents restored")
        // The id of a user is one more.
        #expect(restored["documents"].integer == documents.count + 1)
        let client = try weir.client()
        var chosen = Set(all ? Array(documents.indices) : Array(exact.keys))
        for _ in 0..<4 { chosen.insert(documents.indices.randomElement(using: &random) ?? 0) }
        for index in chosen.sorted() {
            let answer = try client.get(documents[index].target)
            #expect(answer.status == 200 && answer.header("Cache-Status")?.hasPrefix("Weir; fwd=stale") == true)
            let version = answers[index]?.number(in: answer.body)
            let newest = versions.current[index]
            let found = try #require(version, "\(documents[index].target) is torn")
            #expect(least[index, default: 1]...newest ~= found && exact[index, default: found] == found)
            least[index] = found
        }
        exact = [:]
        #expect(!weir.errors.contains("not restored") && !weir.errors.contains("not saved"), "\(weir.errors)")
        if all { weir.kill() }
        return weir
    }

    private func killInLastWrite(_ weir: WeirProcess) throws {
        let client = try weir.client()
        var latest: [Int: Int] = [:]
        for _ in 0..<3 {
            let index = documents.indices.randomElement(using: &random) ?? 0
            latest[index] = answers[index]?.number(in: try client.get(documents[index].target).body)
            #expect(latest[index] != nil)
        }
        client.close()
        events.drop()
        weir.send(signal: SIGTERM)
        if try killInWrite(weir) { exact = latest }
    }

    /// Waits until a write begins, kills the service within it or soon after, and returns whether the write had ended.
    private func killInWrite(_ weir: WeirProcess) throws -> Bool {
        #expect(events.wait(for: .created, of: "documents.new", seconds: 20))
        let limit = Double.random(in: 0..<2 * write, using: &random)
        let hasEnded = events.wait(for: .renamed, of: "documents", seconds: limit)
        weir.kill()
        write *= hasEnded ? 0.9 : 1.1
        return hasEnded
    }

    private func killAtWork(_ weir: WeirProcess, waits: Bool) throws {
        let (address, documents, seed) = (try weir.address(), documents, random.next())
        let hasEnded = Watched(false)
        events.drop()
        Thread.detachNewThread {
            var random = SplitMix64(seed: seed)
            let client = try? RawClient(address)
            while let target = documents.randomElement(using: &random)?.target, (try? client?.get(target)) != nil {}
            hasEnded.update { $0 = true }
        }
        if waits {
            _ = try killInWrite(weir)
        } else {
            _ = try? weir.waitForExit(seconds: .random(in: 0..<0.3, using: &random))
            weir.kill()
        }
        #expect(hasEnded.wait { $0 ? true : nil } == true)
    }
}
