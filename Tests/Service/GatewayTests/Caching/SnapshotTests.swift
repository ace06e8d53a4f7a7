import Foundation
import TestSupport
import Testing

@testable import Gateway
@testable import Proxy

/// Documents that outlive the service.
@Suite("Snapshots of the cache", .timeLimit(.minutes(10)))
struct DocumentSnapshotTests {
    @Test("A restart serves the documents of before, as old as they are")
    func restart() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (upstream, hands) = (try CountingUpstream(), CachedService.Hands())
        defer { upstream.stop() }
        let cache = #""snapshotFile": "documents""#
        func service() throws -> CachedService {
            try CachedService([upstream.baseURL], cache: cache, path: folder.path + "/weir.json", hands: hands)
        }
        try await service().run { service throws in
            #expect(try service.get(place).temperature == 1)
            #expect(try service.get("/weather?lat=1&lon=1").temperature == 2)
        }
        hands.move(seconds: 100)
        try await service().run { service throws in
            let answer = try service.get(place + "&units=us")
            #expect(answer.header("Age") == "100")
            #expect(answer.cacheStatus.hasPrefix("Weir; hit"))
            #expect(try service.get("/weather?lat=1&lon=1").temperature == 2)
            #expect(upstream.requests == 2)
            service.hands.move(seconds: 300)
            #expect(try service.get(place).temperature == 3)
        }
        // Of another address, the documents mean something else.
        let other = try CountingUpstream()
        defer { other.stop() }
        try await CachedService([other.baseURL], cache: cache, path: folder.path + "/weir.json", hands: hands)
            .run { service throws in #expect(try service.get(place).temperature == 1) }
    }

    @Test("A snapshot holds no key, whatever the upstream repeats")
    func secrets() async throws {
        let key = try #require(ProcessInfo.processInfo.environment["PATH"])
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let upstream = try CountingUpstream { number, _ in
            .answer(
                forecast(number, summary: key), headers: ["Link: <\(key)>; rel=\"next\"", "Set-Cookie: a=\(key)"])
        }
        defer { upstream.stop() }
        try await CachedService(
            [upstream.baseURL], cache: #""snapshotFile": "documents""#, path: folder.path + "/weir.json"
        ).run { service throws in #expect(try service.get(place).status == 200) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/documents"))
        #expect(bytes.count > 100)
        #expect(bytes.range(of: Data(key.utf8)) == nil)
        #expect(bytes.range(of: Data("Set-Cookie".utf8)) == nil)
    }

    @Test("A damaged snapshot is not used, and the service starts", arguments: [0, 1, 50, 200])
    func damage(_ place: Int) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        func service() throws -> CachedService {
            try CachedService(
                [upstream.baseURL], cache: #""snapshotFile": "documents""#, path: folder.path + "/weir.json")
        }
        let target = GatewayTests.place
        try await service().run { service throws in #expect(try service.get(target).temperature == 1) }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/documents"))
        bytes[place] ^= 0x41
        try bytes.write(to: URL(fileURLWithPath: folder.path + "/documents"))
        try await service().run { service throws in #expect(try service.get(target).temperature == 2) }
    }
}
