import Foundation
import TestSupport
import Testing

/// Keys in files that change while the service runs.
@Suite("Key rotation", .timeLimit(.minutes(10)))
struct KeyRotationTests {
    private static let (first, second) = ("first-KEY-0123456789", "second-KEY-9876543210")

    /// An upstream that accepts one key at a time, and a service whose key is in a file.
    private struct Rotation {
        let accepted = Watched(first)
        let folder: TemporaryFolder
        let upstream: ScriptedUpstream
        let weir: WeirProcess

        init(file text: String = first, cache: String = #""maximumBytes": 0"#) throws {
            folder = try TemporaryFolder()
            let file = try folder.write(text, to: "key")
            upstream = try ScriptedUpstream { [accepted] head in
                let key = accepted.current
                if head.contains("/\(key)/") { return .answer(smallForecast) }
                return .answer(401, #"{"error":"not \#(first) nor \#(second)"}"#)
            }
            weir = try WeirProcess.serve(
                configuration([upstream.baseURL], key: #"{"file": "\#(file)"}"#, cache: cache))
        }

        /// Replaces the file as a whole, as mounted secrets are.
        func replaceKey(with text: String) throws {
            let new = try folder.write(text, to: "new")
            guard rename(new, folder.path("key")) == 0 else { throw Failure("rename") }
        }

        func end() {
            weir.kill()
            upstream.stop()
            folder.remove()
        }
    }

    @Test("After a 401, a key that has changed is used for the same request")
    func changedKey() throws {
        let rotation = try Rotation()
        defer { rotation.end() }
        #expect(try rotation.weir.get(weather).status == 200)
        rotation.accepted.update { $0 = Self.second }
        try rotation.replaceKey(with: "\(Self.second)\n")
        for _ in 0..<2 { #expect(try rotation.weir.get(weather).status == 200) }
        let keys = rotation.upstream.requests.map { $0.contains(Self.second) }
        #expect(keys == [false, false, true, true])
        _ = try rotation.weir.logLine("upstream key replaced")
        #expect(try rotation.weir.terminate() == 0)
        let isLogged = [Self.first, Self.second].contains { rotation.weir.errors.contains($0) }
        #expect(!isLogged)
    }

    @Test("The path of a key's file is relative to the configuration file, also when it is read again")
    func relativePath() throws {
        let rotation = try Rotation()
        defer { rotation.end() }
        let file = try rotation.folder.write(
            configuration([rotation.upstream.baseURL], key: #"{"file": "key"}"#), to: "weir.json")
        let weir = try WeirProcess(["serve", "--config", file])
        defer { weir.kill() }
        _ = try weir.address()
        #expect(try weir.get(weather).status == 200)
        rotation.accepted.update { $0 = Self.second }
        try rotation.replaceKey(with: Self.second)
        #expect(try weir.get(weather).status == 200)
    }

    @Test(
        "After a 401, a key that has not changed, or cannot be read, is not used again",
        arguments: [first, "", "two words", nil])
    func unchangedKey(_ text: String?) throws {
        let rotation = try Rotation()
        defer { rotation.end() }
        rotation.accepted.update { $0 = Self.second }
        if let text { try rotation.replaceKey(with: text) } else { unlink(rotation.folder.path("key")) }
        let answer = try rotation.weir.get(weather)
        try expectProblem(answer, 502)
        #expect(rotation.upstream.requests.count == 1)
        #expect(!answer.text.contains(Self.first))
        // The key stays in use.
        rotation.accepted.update { $0 = Self.first }
        #expect(try rotation.weir.get(weather).status == 200)
    }

    @Test("A new key that is refused as well is tried once; neither key leaves the upstream's answer")
    func refusedKey() throws {
        let rotation = try Rotation()
        defer { rotation.end() }
        rotation.accepted.update { $0 = "another" }
        try rotation.replaceKey(with: Self.second)
        for count in [2, 3] {
            let answer = try rotation.weir.get(weather)
            try expectProblem(answer, 502)
            #expect(rotation.upstream.requests.count == count)
            #expect(answer.text.contains("not *** nor ***"))
        }
    }

    @Test("Documents that were fetched with the former key are no hits")
    func documents() throws {
        let rotation = try Rotation(cache: "")
        defer { rotation.end() }
        for _ in 0..<2 { #expect(try rotation.weir.get(weather).status == 200) }
        #expect(rotation.upstream.requests.count == 1)
        rotation.accepted.update { $0 = Self.second }
        try rotation.replaceKey(with: Self.second)
        // Another place is asked for, with the former key and then with the new one.
        #expect(try rotation.weir.get("/weather?lat=1&lon=2").status == 200)
        #expect(try rotation.weir.get(weather).status == 200)
        let keys = rotation.upstream.requests.map { $0.contains(Self.second) }
        #expect(keys == [false, false, true, true])
    }

    @Test("No request fails while a key is replaced under load")
    func load() throws {
        let rotation = try Rotation()
        defer { rotation.end() }
        // Each client goes on until the key has been replaced, and then for ten more requests.
        let (clients, replaced) = (8, Watched(false))
        let statuses = Watched<[[Int]]>([])
        let answered = Watched(0)
        for _ in 0..<clients {
            Thread.detachNewThread { [weir = rotation.weir] in
                var (list, left): ([Int], Int) = ([], 10)
                let client = try? weir.client()
                while left > 0 {
                    if replaced.current { left -= 1 }
                    list.append((try? client?.get(weather).status) ?? 0)
                    answered.update { $0 += 1 }
                }
                statuses.update { $0.append(list) }
            }
        }
        _ = answered.wait { $0 >= 40 ? true : nil }
        try rotation.replaceKey(with: Self.second)
        rotation.accepted.update { $0 = Self.second }
        replaced.update { $0 = true }
        let all = try #require(statuses.wait(seconds: 60) { $0.count == clients ? $0.flatMap(\.self) : nil })
        #expect(all.count >= 40 + clients * 9)
        #expect(all.allSatisfy { $0 == 200 }, "\(all)")
        // The requests that were made with the old key and refused were repeated.
        let requests = rotation.upstream.requests
        #expect(requests.count > all.count)
        #expect(requests.contains { $0.contains(Self.second) })
    }
}
