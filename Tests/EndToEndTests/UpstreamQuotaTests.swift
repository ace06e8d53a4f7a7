import Foundation
import TestSupport
import Testing

/// Configured quotas, which all shards share and a file keeps.
@Suite(.timeLimit(.minutes(10)))
struct UpstreamQuotaTests {
    private static func configuration(_ upstream: ScriptedUpstream, _ quota: String, file: String = "") -> String {
        """
        {
            "listen": "127.0.0.1:0", "shards": 2, "cache": {"maximumBytes": 0}, "server": {"drainTimeoutMilliseconds": 3000},
            "fetching": {"deadlineMilliseconds": 20000\(file.isEmpty ? "" : #", "quotaFile": "\#(file)""#)},
            "upstreams": [
                {"name": "sky", "dialect": "darkSky", "baseURL": "\(upstream.baseURL)",
                 "key": {"environment": "WEIR_TEST_KEY"}, "deadlineMilliseconds": 20000, "quota": {\(quota)}}
            ],
            "weather": {"upstreams": ["sky"]}
        }
        """
    }

    @Test func aSpentQuotaIsA503WithTheTimeUntilTheNextPeriod() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration(upstream, #""perMonth": 12, "weights": {"forecast": 4}"#))
        defer { weir.kill() }
        for _ in 1...3 { #expect(try weir.get(weather).status == 200) }
        let before = Date.now
        let answer = try weir.get(weather)
        let problem = try expectProblem(answer, 503)
        #expect(problem["type"].string == "urn:weir:problem:upstream-rate-limit")
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let end = try #require(calendar.dateInterval(of: .month, for: before)).end
        let seconds = try #require(answer.header("Retry-After").flatMap { Double($0) })
        #expect(abs(end.timeIntervalSince(before) - seconds) < 5)
        #expect(
            problem["detail"].string?.hasPrefix("The upstream sky has used up its 12 requests a month, renewed at ")
                == true)
        #expect(upstream.requests.count == 3)
        #expect(try weir.terminate() == 0)
        #expect(weir.errors.split(separator: "\n").count { $0.contains("upstream quota used up") } == 1)
    }

    /// Every second request on a connection gets 408 or no answer, so that the client repeats it on another connection.
    @Test(arguments: [true, false])
    func aRequestThatTheClientRepeatsCountsTwice(_ answers: Bool) throws {
        let count = Watched(0)
        func response(_ head: String, _ body: String) -> [UInt8] {
            Array("HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        }
        let (good, late) = (response("200 OK", smallForecast), response("408 Request Timeout", "{}"))
        let upstream = try ScriptedUpstream { _ in
            count.update { $0 += 1 }
            return .play { connection in
                _ = connection.send(good, seconds: 60)
                guard case .bytes = connection.receive(seconds: 60) else { return }
                count.update { $0 += 1 }
                if answers { _ = connection.send(late, seconds: 60) }
            }
        }
        defer { upstream.stop() }
        let text = Self.configuration(upstream, #""perMonth": 4"#)
            .replacing(#""shards": 2"#, with: #""shards": 1"#)
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        for status in [200, 200, 200, 503] { #expect(try weir.get(weather).status == status) }
        #expect(count.current == 5)
        #expect(try weir.terminate() == 0)
        let lines = try weir.errors.split(separator: "\n").map { try Parsed(String($0)) }
        let access = try weir.output.split(separator: "\n").map { try Parsed(String($0)) }
        let sent = access.map { $0["weir.tries"][0]["sent"].integer }
        #expect(sent == [nil, 2, 2, nil])
        #expect(lines.count { $0["message"].string == "upstream quota used up" } == 1)
    }

    @Test func aQuotaContinuesAfterARestart() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("{}", to: "quotas.json")
        for status in [200, 200, 503] {
            let weir = try WeirProcess.serve(Self.configuration(upstream, #""perMonth": 2"#, file: file))
            defer { weir.kill() }
            #expect(try weir.get(weather).status == status)
            #expect(try weir.terminate() == 0)
        }
        #expect(upstream.requests.count == 2)
    }

    /// The upstream demands a short pause with the last answer of a month.
    @Test(arguments: [(429, 429), (503, 502)])
    func aShortPauseDoesNotHideASpentQuota(_ theirs: Int, _ ours: Int) throws {
        let upstream = try ScriptedUpstream { _ in .answer(theirs, "{}", headers: ["Retry-After: 2"]) }
        defer { upstream.stop() }
        let text = Self.configuration(upstream, #""perMonth": 1"#)
        let weir = try WeirProcess.serve(text.replacing(#""quota""#, with: #""retryPercent": 0, "quota""#))
        defer { weir.kill() }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let end = try #require(calendar.dateInterval(of: .month, for: .now)).end
        for status in [ours, 503] {
            let answer = try weir.get(weather)
            let problem = try expectProblem(answer, status)
            let seconds = try #require(answer.header("Retry-After").flatMap { Double($0) })
            #expect(abs(end.timeIntervalSinceNow - seconds) < 5)
            guard status == 503 else { continue }
            #expect(
                problem["detail"].string?.hasPrefix("The upstream sky has used up its 1 request a month, renewed at ")
                    == true)
        }
        #expect(upstream.requests.count == 1)
    }

    @Test func aStartWithoutAnOptionalKeyKeepsTheCountOfItsUpstream() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("{}", to: "quotas.json")
        let text = Self.configuration(upstream, #""perMonth": 2"#, file: file)
            .replacing(#""WEIR_TEST_KEY"}"#, with: #""WEIR_OPTIONAL_KEY", "optional": true}"#)
            .replacing(
                "\"upstreams\": [\n",
                with: #"""
                    "upstreams": [
                        {"name": "free", "dialect": "darkSky", "baseURL": "\#(upstream.baseURL)",
                         "key": {"environment": "WEIR_TEST_KEY"}},

                    """#
            )
            .replacing(#"["sky"]"#, with: #"["sky", "free"]"#)
        for (hasKey, names) in [(true, ["sky", "sky", "free"]), (false, ["free"]), (true, ["free"])] {
            let optional = hasKey ? ["WEIR_OPTIONAL_KEY": "optional-key"] : [:]
            let weir = try WeirProcess.serve(
                text, environment: ["WEIR_TEST_KEY": "test-key"].merging(optional) { $1 })
            defer { weir.kill() }
            for name in names {
                #expect(try weir.get("\(weather)&explain=1").json()["source"]["upstream"].string == name)
            }
            #expect(try weir.terminate() == 0)
        }
    }

    @Test func aSecondProcessWithTheSameFileSaysSo() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let text = Self.configuration(upstream, #""perMonth": 2"#, file: folder.path("quotas.json"))
        let first = try WeirProcess.serve(text)
        defer { first.kill() }
        let second = try WeirProcess.serve(text)
        defer { second.kill() }
        #expect(try second.logLine("quota file shared")["file"].string == folder.path("quotas.json"))
        for weir in [first, second] { #expect(try weir.terminate() == 0) }
        let third = try WeirProcess.serve(text)
        defer { third.kill() }
        #expect(try third.terminate() == 0)
        #expect(!(first.errors + third.errors).contains("quota file"))
    }

    @Test func aQuotaFileThatCannotBeLockedIsUsedAndLogged() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.path("quotas.json")
        try FileManager.default.createDirectory(atPath: file + ".lock", withIntermediateDirectories: false)
        let weir = try WeirProcess.serve(Self.configuration(upstream, #""perMonth": 2"#, file: file))
        defer { weir.kill() }
        #expect(try weir.logLine("quota file not locked")["file"].string == file)
        #expect(try weir.get(weather).status == 200)
        #expect(try weir.terminate() == 0)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    /// A service with a quota file, and the moment at which it is killed.
    private struct Service {
        let file: String
        let weir: WeirProcess
        let client: RawClient
        let end: ContinuousClock.Instant
        var answers: [ContinuousClock.Instant] = []
    }

    /// Kills processes at any moment, `WEIR_KILLS` times, up to 25 of them in a round; the issue names the second that the file
    /// may be behind.
    @Test func aKilledProcessLeavesAFileThatIsAtMostASecondBehind() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let count = Int(ProcessInfo.processInfo.environment["WEIR_KILLS"] ?? "") ?? (Sanitizer.isPresent ? 10 : 100)
        let files = try (0..<25).map { try folder.write("{}", to: "quotas-\($0).json") }
        var known: [String: Int] = [:]
        for kill in stride(from: 0, to: count, by: files.count) {
            var services = try (kill..<min(count, kill + files.count)).map { number in
                let file = files[number % files.count]
                let weir = try WeirProcess.serve(Self.configuration(upstream, #""perMonth": 1000000"#, file: file))
                // Each process of a file has another time, of up to 1.8 seconds.
                let time = Duration.milliseconds(75 * ((number + number / files.count * 6) % files.count))
                return Service(file: file, weir: weir, client: try weir.client(), end: .now + time)
            }
            defer { for service in services { service.weir.kill() } }
            while !services.isEmpty {
                for index in services.indices.reversed() {
                    #expect(try services[index].client.get(weather).status == 200)
                    services[index].answers.append(.now)
                    guard services[index].end <= .now else { continue }
                    let service = services.remove(at: index)
                    let killed = ContinuousClock.now
                    service.weir.kill()
                    // Half a second for a busy machine.
                    let certain = service.answers.count { killed - $0 > .milliseconds(1500) }
                    let found = try Parsed(Checkout.read(service.file))["sky"]["windows"][0]["used"].integer ?? 0
                    let before = known[service.file] ?? 0
                    #expect(before + certain <= found && found <= before + service.answers.count)
                    known[service.file] = found
                }
            }
        }
    }
}
