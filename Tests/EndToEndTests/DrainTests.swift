import Foundation
import TestSupport
import Testing

/// Stopping by SIGTERM, which loses no answer.
@Suite(.timeLimit(.minutes(10)))
struct DrainTests {
    /// The outcome of one connection.
    private struct Outcome: Sendable {
        var answers = 0
        var failures: [String] = []
        var ended: RawClient.End?
    }

    @Test func busyConnectionsGetEveryAnswerCompletely() throws {
        let folder = try sample(forecast: smallForecast)
        defer { folder.remove() }
        // The grace is longer than a client takes to its next request, also on a busy machine.
        let configuration = configuration(
            [folder.path], deadline: 60_000,
            server: ["drainTimeoutMilliseconds": 1_800_000])
        let weir = try WeirProcess.serve(configuration)
        defer { weir.kill() }
        let address = try weir.address()
        let (connected, answered, outcomes) = (Watched(0), Watched(0), Watched([Outcome]()))
        let count = 64
        for number in 0..<count {
            Thread.detachNewThread {
                let outcome = Self.ask(address, "/weather?lat=\(number)&lon=0", number, connected, answered)
                outcomes.update { $0.append(outcome) }
            }
        }
        #expect(connected.wait { $0 == count ? true : nil } == true)
        // Under load.
        #expect(answered.wait(seconds: 60) { $0 >= count * 10 ? true : nil } == true)
        #expect(try weir.terminate() == 0)
        let all = outcomes.wait { $0.count == count ? $0 : nil } ?? []
        #expect(all.count == count)
        #expect(all.flatMap(\.failures) == [])
        #expect(all.allSatisfy { $0.answers > 0 && $0.ended == .closed })
        #expect(try weir.logLine("stopped")["connectionsCut"].integer == 0)
    }

    /// Sends requests until an answer closes the connection.
    private static func ask(
        _ address: String, _ target: String, _ latitude: Int, _ connected: Watched<Int>, _ answered: Watched<Int>
    ) -> Outcome {
        var outcome = Outcome()
        do {
            let client = try RawClient(address, seconds: 60)
            connected.update { $0 += 1 }
            while true {
                let answer = try client.get(target)
                outcome.answers += 1
                answered.update { $0 += 1 }
                if try answer.status != 200 || answer.json()["latitude"].integer != latitude {
                    outcome.failures.append(answer.everything)
                }
                guard answer.isLast else { continue }
                outcome.ended = try client.waitForEnd()
                return outcome
            }
        } catch {
            outcome.failures.append("\(error)")
            return outcome
        }
    }

    /// A service whose upstream answers when the gate opens, and a client that waits for its answer.
    private static func waiting(
        _ gate: Gate, server: [String: Int] = [:]
    ) throws -> (upstream: ScriptedUpstream, weir: WeirProcess, client: RawClient) {
        let upstream = try ScriptedUpstream { _ in
            gate.pass(seconds: 60)
            return .answer(smallForecast)
        }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], deadline: 60_000, server: server))
        let client = try weir.client()
        client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(upstream.waitForRequests(1))
        return (upstream, weir, client)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aRequestInFlightIsAnsweredCompletely(_ signal: Int32) throws {
        let gate = Gate()
        let (upstream, weir, client) = try Self.waiting(gate)
        defer {
            gate.open()
            weir.kill()
            upstream.stop()
        }
        let address = try weir.address()
        let idle = try weir.client()
        #expect(try idle.get("/livez").status == 200)
        weir.send(signal: signal)
        _ = try weir.logLine("draining")
        // When idle connections are closed, no new ones are accepted.
        #expect(try idle.waitForEnd() == .closed)
        #expect(throws: Failure.self) { try RawClient(address) }
        #expect(weir.isRunning)
        gate.open()
        let answer = try client.read()
        #expect(answer.status == 200)
        #expect(answer.text == smallForecast)
        #expect(answer.isLast)
        #expect(try client.waitForEnd() == .closed)
        #expect(try weir.waitForExit() == 0)
    }

    @Test func aRequestDuringTheDrainIsAnsweredAndEndsTheConnection() throws {
        let gate = Gate()
        let (upstream, weir, client) = try Self.waiting(gate, server: ["drainTimeoutMilliseconds": 600_000])
        defer {
            gate.open()
            weir.kill()
            upstream.stop()
        }
        let idle = try weir.client()
        #expect(try idle.get("/livez").status == 200)
        weir.send(signal: SIGTERM)
        _ = try weir.logLine("draining")
        var answer = try idle.get("/livez")
        // The event loops learn of the drain a moment after it is logged.
        for _ in 1...10_000 where !answer.isLast { answer = try idle.get("/livez") }
        #expect(answer.status == 200)
        #expect(answer.isLast)
        #expect(try idle.waitForEnd() == .closed)
        gate.open()
        #expect(try client.read().isLast)
        #expect(try weir.waitForExit() == 0)
    }

    @Test func aSecondSignalStopsTheServiceAtOnce() throws {
        let gate = Gate()
        let (upstream, weir, client) = try Self.waiting(gate)
        defer {
            gate.open()
            weir.kill()
            upstream.stop()
        }
        weir.send(signal: SIGTERM)
        _ = try weir.logLine("draining")
        weir.send(signal: SIGTERM)
        let (took, status) = try seconds { try weir.waitForExit() }
        #expect(status == 0)
        #expect(took < 10)
        #expect(try weir.logLine("stopped")["connectionsCut"].integer == 1)
        #expect(throws: RawClient.ReadFailure.closed(bytesReceived: 0)) { try client.read() }
    }

    @Test func aSecondSignalEndsTheDrainDelayToo() throws {
        let gate = Gate()
        let (upstream, weir, _) = try Self.waiting(gate, server: ["drainDelayMilliseconds": 60_000])
        defer {
            gate.open()
            weir.kill()
            upstream.stop()
        }
        weir.send(signal: SIGTERM)
        _ = try weir.logLine("draining")
        weir.send(signal: SIGTERM)
        #expect(try weir.waitForExit(seconds: 10) == 0)
    }

    @Test func aRequestBeyondTheDrainTimeoutIsCut() throws {
        let gate = Gate()
        let (upstream, weir, client) = try Self.waiting(gate, server: ["drainTimeoutMilliseconds": 200])
        defer {
            gate.open()
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.terminate() == 0)
        #expect(try weir.logLine("stopped")["connectionsCut"].integer == 1)
        #expect(throws: RawClient.ReadFailure.closed(bytesReceived: 0)) { try client.read() }
        // The client did not leave.
        #expect(weir.output.contains(#""error.type":"shutdown""#))
    }

    @Test func duringTheDrainDelayReadyzIs503AndServingContinues() throws {
        let folder = try sample(forecast: smallForecast)
        defer { folder.remove() }
        let weir = try WeirProcess.serve(configuration([folder.path], server: ["drainDelayMilliseconds": 1500]))
        defer { weir.kill() }
        let client = try weir.client()
        #expect(try client.get("/readyz").status == 200)
        weir.send(signal: SIGTERM)
        _ = try weir.logLine("draining")
        var ready = try client.get("/readyz")
        for _ in 1...10_000 where ready.status == 200 { ready = try client.get("/readyz") }
        #expect(ready.status == 503)
        #expect(ready.header("Content-Type") == "application/health+json")
        #expect(try ready.json()["output"].string == "draining")
        #expect(try client.get("/livez").status == 200)
        // New connections are accepted too, because a load balancer notices the 503 late.
        let answer = try weir.get(weather)
        #expect(answer.status == 200)
        #expect(!answer.isLast)
        #expect(try weir.waitForExit() == 0)
    }

    @Test func anIdleServiceStopsAtOnce() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        _ = try weir.address()
        let (took, status) = try seconds { try weir.terminate() }
        #expect(status == 0)
        #expect(took < 5)
        #expect(weir.output.isEmpty)
        for line in weir.errors.split(separator: "\n") { #expect(try Parsed(String(line))["time"].string != nil) }
    }
}
