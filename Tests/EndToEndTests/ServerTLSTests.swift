import Foundation
import TestSupport
import Testing

/// `server.tls`: the certificate of the service.
@Suite("TLS of the service", .timeLimit(.minutes(10)))
struct ServerTLSTests {
    /// A service in a folder with certificates, whose configuration and certificate can change.
    private struct Secure {
        let certificates: Certificates
        let weir: WeirProcess
        let address: String

        init(_ settings: String = Self.settings(), server: String = "") throws {
            certificates = try Certificates()
            try Self.copy("cert", in: certificates)
            weir = try WeirProcess(
                ["serve", "--config", certificates.folder.write(Self.text(settings + server), to: "weir.json")],
                environment: ["WEIR_TEST_KEY": "test-key-0123"])
            address = try weir.address()
        }

        static func settings(certificate: String = "current.pem", key: String = "current.key", version: String = "1.2")
            -> String
        {
            """
            "tls": {"certificateFile": "\(certificate)", "keyFile": "\(key)", "minimumVersion": "\(version)"}
            """
        }

        static func text(_ settings: String) -> String {
            configuration([Checkout.sample]).replacing("\"server\": {", with: "\"server\": {\(settings), ")
        }

        /// Makes the certificate `name` the current one.
        static func copy(_ name: String, in certificates: Certificates) throws {
            let key = name == "expired" ? "cert" : name
            for (name, kind) in [(name, "pem"), (key, "key")] {
                try certificates.folder.write(
                    Checkout.read(certificates.path("\(name).\(kind)")), to: "current.\(kind)")
            }
        }

        func client() throws -> RawClient {
            try RawClient(address, tls: TLSClient.Settings(authority: certificates.path("ca.pem")))
        }

        /// Makes the service read its files again, and waits for the log line of the reload `number`.
        func reload(number: Int) throws {
            weir.send(signal: SIGHUP)
            _ = try weir.logLine("configuration reloaded") { $0["number"].integer == number }
        }

        func end() {
            weir.kill()
            certificates.remove()
        }
    }

    @Test("Answers of all sizes arrive with TLS, and the address for monitoring stays plain")
    func answers() throws {
        let service = try Secure(server: #", "operationsListen": "127.0.0.1:0""#)
        defer { service.end() }
        let client = try service.client()
        for target in [weather, "/livez", "/nothing", darkSkyWeather] {
            let answer = try client.get(target)
            #expect(answer.status == (target == "/nothing" ? 404 : 200))
        }
        #expect(try client.get(weather, headers: ["Accept-Encoding: gzip"]).header("Content-Encoding") == "gzip")
        let operations = try service.weir.logLine("listening for monitoring")["address"].string
        let plain = try RawClient(#require(operations))
        #expect(try plain.get("/readyz").status == 200)
        _ = try? RawClient(service.address).get("/livez")
        let metrics = try plain.get("/metrics").text
        #expect(metrics.contains("tls_handshake"))
        let idle = try service.client()
        #expect(try idle.get("/livez").status == 200)
        #expect(try service.weir.terminate() == 0)
        #expect(try idle.waitForEnd() == .closed)
        #expect(idle.tls?.failure == nil)
    }

    @Test("SIGHUP loads a new certificate for new connections under load, without a request that fails")
    func renewal() throws {
        let service = try Secure()
        defer { service.end() }
        let open = try service.client()
        #expect(try open.get(weather).status == 200)
        let (clients, isOver) = (4, Watched(false))
        let (results, answered) = (Watched<[Set<String>]>([]), Watched(0))
        for _ in 0..<clients {
            Thread.detachNewThread {
                var seen: Set<String> = []
                while !isOver.current {
                    do {
                        let client = try service.client()
                        for _ in 0..<3 {
                            if try client.get("/livez").status != 200 { seen.insert("a bad status") }
                        }
                        seen.insert(client.tls?.serial ?? "no certificate")
                    } catch {
                        seen.insert("\(error)")
                    }
                    answered.update { $0 += 1 }
                }
                results.update { $0.append(seen) }
            }
        }
        for number in 1...10 {
            let before = answered.current
            _ = answered.wait { $0 >= before + 10 ? true : nil }
            try Secure.copy(number % 2 == 0 ? "cert" : "renewed", in: service.certificates)
            try service.reload(number: number)
        }
        isOver.update { $0 = true }
        let seen = try #require(results.wait(seconds: 60) { $0.count == clients ? $0 : nil })
        let all = seen.reduce(into: Set<String>()) { $0.formUnion($1) }
        #expect(all == Set([open.tls?.serial, try newSerial(service)].compactMap(\.self)))
        #expect(try open.get(weather).status == 200)
    }

    /// Returns the serial number of `renewed.pem`, after a reload with it.
    private func newSerial(_ service: Secure) throws -> String? {
        try Secure.copy("renewed", in: service.certificates)
        try service.reload(number: 11)
        let client = try service.client()
        #expect(try client.get("/livez").status == 200)
        return client.tls?.serial
    }

    @Test("A certificate that cannot be used is refused as a whole, and the old one stays in use; no log shows a key")
    func refusedRenewal() throws {
        let service = try Secure()
        defer { service.end() }
        let folder = service.certificates.folder
        let first = try service.client()
        #expect(try first.get("/livez").status == 200)
        let key = String(decoding: try Checkout.read(folder.path("renewed.key")), as: UTF8.self)
        let rows = [
            ("current.key", key, "server.tls.keyFile names current.key, which holds a key that does not belong"),
            (
                "current.key", String(key.dropLast(60)),
                "server.tls.keyFile names current.key, which holds no private key"
            ),
            ("current.pem", key, "server.tls.certificateFile names current.pem, which holds no certificate"),
        ]
        for (name, text, reason) in rows {
            try Secure.copy("cert", in: service.certificates)
            try folder.write(text, to: name)
            service.weir.send(signal: SIGHUP)
            _ = try service.weir.logLine("configuration refused") { $0["detail"].string?.contains(reason) == true }
            let client = try service.client()
            #expect(try client.get("/livez").status == 200)
            #expect(client.tls?.serial == first.tls?.serial)
        }
        for line in key.split(separator: "\n") where !line.hasPrefix("-") {
            #expect(!service.weir.errors.contains(line))
        }
    }

    @Test("/healthz and the metrics have the end of the certificate in use, also after a reload")
    func daysLeft() throws {
        let service = try Secure(server: #", "operationsListen": "127.0.0.1:0""#)
        defer { service.end() }
        let operations = try RawClient(#require(service.weir.logLine("listening for monitoring")["address"].string))
        func check() throws -> Parsed {
            let health = try operations.get("/healthz")
            #expect(health.status == 200)
            return try health.json()["checks"]["certificate:daysLeft"][0]
        }
        func expectEnd(_ time: String?) throws {
            let seconds = try Int(Date(#require(time), strategy: .iso8601).timeIntervalSince1970)
            let metrics = try operations.get("/metrics").text
            #expect(metrics.contains("\nweir_certificate_expiry_timestamp_seconds \(seconds)\n"))
        }
        try expectEnd(check()["time"].string)
        #expect(try check()["time"].string?.hasPrefix("20") == true)
        let before = try check()["observedValue"].integer ?? -1
        try Secure.copy("expired", in: service.certificates)
        try service.reload(number: 1)
        let expired = try check()
        try expectEnd(expired["time"].string)
        #expect(before >= 0 && expired["observedValue"].integer ?? 0 <= 0)
        #expect(expired["status"].string == "fail")
        #expect(try operations.get("/healthz").json()["status"].string == "warn")
    }

    @Test("A reload changes the lowest version, and says that TLS itself is not switched on or off")
    func settings() throws {
        let service = try Secure()
        defer { service.end() }
        var old = TLSClient.Settings(authority: service.certificates.path("ca.pem"))
        old.versions = 0x0303...0x0303
        #expect(try RawClient(service.address, tls: old).get("/livez").status == 200)
        try service.certificates.folder.write(Secure.text(Secure.settings(version: "1.3")), to: "weir.json")
        try service.reload(number: 1)
        let refused = try RawClient(service.address, tls: old)
        #expect(throws: (any Error).self) { try refused.get("/livez") }
        #expect(refused.tls?.failure == "tlsv1 alert protocol version")
        try service.certificates.folder.write(configuration([Checkout.sample]), to: "weir.json")
        try service.reload(number: 2)
        #expect(try service.weir.logLine("settings need a restart")["settings"].string == "server.tls")
        #expect(try service.client().get("/livez").status == 200)
    }

    @Test(
        "A certificate that cannot be used is named by check and at the start",
        arguments: [
            (Secure.settings(certificate: "nothing.pem"), "server.tls.certificateFile cannot be used: cannot read"),
            (Secure.settings(key: "nothing.key"), "server.tls.keyFile cannot be used: cannot read"),
            (
                Secure.settings(certificate: "cert.key"),
                "server.tls.certificateFile names cert.key, which holds no certif"
            ),
            (
                Secure.settings(key: "client.key"),
                "server.tls.keyFile names client.key, which holds a key that does not"
            ),
            (Secure.settings(key: "locked.key"), "which holds no private key in PEM, or one with a passphrase"),
            (Secure.settings(version: "1.1"), "server.tls.minimumVersion must be one of 1.2, 1.3, in quotes"),
            (
                #""tls": {"certificateFile": "cert.pem"}"#,
                "server.tls.certificateFile names cert.pem, which holds no priv"
            ),
            (#""tls": {}"#, "server.tls.certificateFile is missing"),
            (#""tls": {"certificateFile": "cert.pem", "ciphers": ""}"#, "server.tls.ciphers is not a setting"),
        ])
    func faults(settings: String, error: String) throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        try Secure.copy("cert", in: certificates)
        let file = try certificates.folder.write(Secure.text(settings), to: "weir.json")
        for command in ["check", "serve"] {
            let result = try WeirProcess.run([command, "--config", file], environment: ["WEIR_TEST_KEY": "k"])
            #expect(result.status == 78)
            #expect(result.errors.contains("line 5, column"), "\(result.errors)")
            #expect(result.errors.contains(error), "\(result.errors)")
        }
    }

    @Test("weir check accepts a certificate, and prints the paths alone")
    func check() throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        try Secure.copy("cert", in: certificates)
        let file = try certificates.folder.write(Secure.text(Secure.settings()), to: "weir.json")
        let result = try WeirProcess.run(["check", "--print", "--config", file], environment: ["WEIR_TEST_KEY": "k"])
        #expect(result.status == 0, "\(result.errors)")
        let printed = try Parsed(result.output)
        #expect(printed["server"]["tls"]["certificateFile"].string == "current.pem")
        #expect(!result.output.contains("BEGIN"))
    }

    @Test("An expired certificate is used, because a restart must not depend on it, and check and the log say so")
    func expired() throws {
        let service = try Secure()
        defer { service.end() }
        try Secure.copy("expired", in: service.certificates)
        let flaw = "server.tls.certificateFile names current.pem, which has expired at 2"
        let file = service.certificates.path("weir.json")
        let result = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_TEST_KEY": "k"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("weir.json: warning: \(flaw)"), "\(result.output)")
        try service.reload(number: 1)
        #expect(try service.weir.logLine("certificate not valid")["detail"].string?.hasPrefix(flaw) == true)
        #expect(throws: (any Error).self) { try service.client().get("/livez") }
    }
}
