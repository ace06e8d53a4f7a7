import Foundation
import TestSupport
import Testing

@Suite("The shared store of a service", .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(5)))
struct SharedStoreTests {
    /// A configuration with a sample, and Redis as the shared store.
    private static func settings(_ server: RedisServer, password: String = "WEIR_TEST_REDIS") -> String {
        let shared = """
            "shared": {
                "redis": "unix:\(server.socket)", "password": {"environment": "\(password)"}, "onLoss": "deny",
                "timeoutMilliseconds": 2000
            }
            """
        return configuration([Checkout.sample]).replacing(#""shards": 2,"#, with: "\"shards\": 2, \(shared),")
    }

    private static let environment = ["WEIR_TEST_KEY": "test-key", "WEIR_TEST_REDIS": "secret-word"]

    @Test("A service answers with and without its Redis, and says which rule is in force")
    func outage() throws {
        let server = try RedisServer("--requirepass secret-word")
        defer { server.stop() }
        let weir = try WeirProcess.serve(
            Self.settings(server), environment: Self.environment, arguments: ["--set", "server.pages.status=true"])
        defer { weir.kill() }
        func quotas(_ value: String) throws -> Parsed {
            while true {
                let check = try weir.get("/healthz").json()["checks"]["shared:quotas"][0]
                if check["observedValue"].string == value { return check }
            }
        }
        #expect(try quotas("together")["status"].string == "pass")
        #expect(try weir.get("/metrics").text.contains("\nweir_shared_connected 2\n"))
        server.kill()
        #expect(try weir.logLine("shared store lost")["detail"].string?.isEmpty == false)
        let check = try quotas("deny")
        #expect(check["status"].string == "warn")
        #expect(check["output"].string == "The shared store does not answer, or refuses to write.")
        let status = try WeirProcess.run(["status", "--url", "http://\(weir.address())"])
        #expect(status.output.contains(/Shared store\n.*\nquotas +deny\n/), "\(status.output)\(status.errors)")
        #expect(try weir.get(weather).status == 200)
        #expect(try weir.get("/readyz").status == 200)
        try server.restart()
        _ = try weir.logLine("shared store found")
        #expect(try quotas("together")["status"].string == "pass")
        #expect(try weir.terminate() == 0)
        #expect(!weir.errors.contains("secret-word"))
    }

    @Test("Two replicas allow a client what one allows, and each its half without Redis")
    func limits() throws {
        let server = try RedisServer("--requirepass secret-word")
        defer { server.stop() }
        let limit = #""limits": [{"by": {"header": "X-Client"}, "requests": 1, "perSeconds": 3600, "burst": 20}], "#
        let text = Self.settings(server).replacing(
            #""server": {"#, with: #""server": {"trustedProxies": ["127.0.0.1"], \#(limit)"#)
        let replicas = try (1...2).map { _ in try WeirProcess.serve(text, environment: Self.environment) }
        defer { for replica in replicas { replica.kill() } }
        func admitted(_ count: Int, _ client: String, by index: Int) throws -> Int {
            let statuses = try (0..<count).map { _ in
                try replicas[index].get(weather, headers: ["X-Client: \(client)"]).status
            }
            #expect(Set(statuses).isSubset(of: [200, 429]))
            return statuses.count { $0 == 200 }
        }
        /// The exchanges of a replica, which have an answer.
        func exchanges(_ index: Int) throws -> Int {
            let name = #/weir_shared_commands_total\{command="spend",result="success"\} ([0-9]+)/#
            return try replicas[index].get("/metrics").text.firstMatch(of: name).flatMap { Int($0.1) } ?? 0
        }
        func exchange(_ index: Int, after count: Int) throws { while try exchanges(index) <= count {} }
        #expect(try admitted(10, "a", by: 0) == 10)
        try exchange(0, after: 0)
        // The other replica learns of them with its own first request.
        let before = try exchanges(1)
        #expect(try admitted(1, "a", by: 1) == 1)
        try exchange(1, after: before)
        #expect(try admitted(20, "a", by: 1) == 9)
        #expect(try admitted(3, "b", by: 1) == 3)
        server.kill()
        while try replicas[0].get("/healthz").json()["checks"]["shared:quotas"][0]["observedValue"].string != "deny" {}
        // The rule is in force from the next exchange on.
        var number = 0, last = 20
        while last > 10 {
            number += 1
            last = try admitted(20, "c\(number)", by: 0)
        }
        #expect(last == 10)
    }

    @Test("weir check --probe says how Redis answers, and exits with 69 if Redis refuses", arguments: [true, false])
    func probe(isRight: Bool) throws {
        let server = try RedisServer("--requirepass secret-word")
        defer { server.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let name = isRight ? "WEIR_TEST_REDIS" : "WEIR_TEST_KEY"
        let file = try folder.write(Self.settings(server, password: name), to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file, "--probe"], environment: Self.environment)
        #expect(result.status == (isRight ? 0 : 69), "\(result.errors)")
        let line = "shares unix:\(server.socket) with other replicas: replicas 2, onLoss deny, timeoutMilliseconds 2000"
        #expect(result.output.contains(line))
        if isRight {
            #expect(result.output.contains(/: shared: Redis answers in (0\.[0-9]{1,2}|[0-9]+\.[0-9]) ms\n/))
        } else {
            #expect(result.output.hasSuffix(": shared: failed: Redis answers AUTH with WRONGPASS\n"))
        }
        let printed = try WeirProcess.run(["check", "--config", file, "--print"], environment: Self.environment)
        #expect(printed.output.contains(#""shared":{"redis":"unix:"#) && !printed.output.contains("secret-word"))
    }
}
