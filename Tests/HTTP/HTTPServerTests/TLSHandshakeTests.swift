import EventLoop
import Foundation
import HTTPCore
import HTTPServer
import TestSupport
import Testing

@Suite("TLS handshakes", .timeLimit(.minutes(10)))
struct TLSHandshakeTests {
    /// The numbers of the versions on the wire (RFC 8446 §4.1.2).
    private static let versions: [String: Int32] = ["TLSv1.1": 0x0302, "TLSv1.2": 0x0303, "TLSv1.3": 0x0304]

    @Test(
        "A client is served from the lowest version on, and refused with an older one",
        arguments: [
            ("TLSv1.1", TLSVersion.tls12, false), ("TLSv1.2", .tls12, true), ("TLSv1.3", .tls12, true),
            ("TLSv1.1", .tls13, false), ("TLSv1.2", .tls13, false), ("TLSv1.3", .tls13, true),
        ])
    func versions(name: String, minimum: TLSVersion, isServed: Bool) async throws {
        let number = try #require(Self.versions[name])
        try await Harness.runSecure(context: Secure.context(minimumVersion: minimum)) { recorder, harness in
            let peer = try harness.connectSecurely { $0.versions = number...number }
            #expect(await peer.handshake() == isServed)
            guard isServed else {
                #expect(peer.tls?.failure == "tlsv1 alert protocol version")
                let record = try #require(await recorder.records.next(1).first)
                #expect(record.outcome == .refused(.handshake))
                #expect(record.client != nil)
                return
            }
            #expect(peer.tls?.version == name)
            try await peer.get("/now")
            #expect(try await peer.answer().text == "/now")
        }
    }

    @Test(
        "HTTP/1.1 is selected among the client's protocols, and a client without it gets the alert of RFC 7301",
        arguments: [
            ([], nil, true), (["http/1.1"], "http/1.1", true), (["h2", "http/1.1"], "http/1.1", true),
            (["h2"], nil, false), (["http/1.0"], nil, false),
        ] as [([String], String?, Bool)])
    func protocols(offered: [String], selected: String?, isServed: Bool) async throws {
        try await Harness.runSecure { _, harness in
            let peer = try harness.connectSecurely { $0.protocols = offered }
            #expect(await peer.handshake() == isServed)
            #expect(peer.tls?.selectedProtocol == selected)
            if !isServed { #expect(peer.tls?.failure == "tlsv1 alert no application protocol") }
        }
    }

    @Test("The programs curl and openssl are served, and refused with an old version or another protocol")
    func programs() async throws {
        try await Secure.prepare()
        let folder = try Secure.certificates.get().folder.path
        try await Harness.runSecure { _, harness in
            let port = try #require("\(harness.address)".split(separator: ":").last)
            let curl = "curl -sS --cacert ca.pem https://localhost:\(port)/now"
            let openssl =
                "printf 'GET /now HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' | openssl s_client"
                + " -connect 127.0.0.1:\(port) -CAfile ca.pem -verify_return_error -quiet 2>&1"
            let rows = [
                ("\(curl) -w ' %{http_version}'", "/now 1.1"), ("\(curl) --http2 -w ' %{http_version}'", "/now 1.1"),
                ("\(curl) --tls-max 1.2", "/now"), ("\(curl) --tlsv1.3", "/now"), ("\(openssl) -tls1_2", "/now"),
                ("\(openssl) -tls1_3 -alpn http/1.1", "/now"),
                ("\(openssl) -tls1_1 -cipher ALL:@SECLEVEL=0 || true", "alert protocol version"),
                ("\(openssl) -alpn h2 || true", "alert no application protocol"),
            ]
            for (command, text) in rows {
                let output = await WorkQueue("program").run { try? ShellProcess.run(command, in: folder) }
                #expect(output?.contains(text) == true, "\(command): \(output ?? "it failed")")
            }
        }
    }

    @Test(
        "A ticket resumes a session at every event loop, and not after another certificate",
        arguments: ["TLSv1.2", "TLSv1.3"])
    func resumption(version: String) async throws {
        let number = try #require(Self.versions[version])
        try await Harness.runSecure(shards: 2) { _, harness in
            func visit(_ ticket: TLSClient.Ticket?) async throws -> (isResumed: Bool?, ticket: TLSClient.Ticket?) {
                let peer = try harness.connectSecurely {
                    ($0.versions, $0.ticket) = (number...number, ticket)
                }
                try await peer.get("/now")
                #expect(try await peer.answer().status == 200)
                return (peer.tls?.isResumed, peer.tls?.ticket)
            }
            var ticket = try await visit(nil).ticket
            for _ in 0..<8 {
                let next = try await visit(ticket)
                #expect(next.isResumed == true)
                ticket = next.ticket
            }
            harness.server.replace(try Secure.context("renewed"))
            await harness.turn()
            #expect(try await visit(ticket).isResumed == false)
        }
    }

    @Test("Plain HTTP gets a 400 that says so")
    func plain() async throws {
        try await Harness.runSecure { recorder, harness in
            for method in ["GET", "POST"] {
                let peer = try harness.connect()
                try await peer.send("\(method) /now HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
                let answer = try await peer.answer()
                #expect(answer.status == 400)
                #expect(answer.text.contains("HTTPS"))
                #expect(try await peer.rest().isEmpty)
                #expect(await recorder.records.next(1).first?.outcome == .refused(.malformed))
            }
        }
    }

    @Test("Bytes that are no handshake end their connection alone")
    func garbage() async throws {
        try await Harness.runSecure { recorder, harness in
            let peer = try harness.connectSecurely()
            try await peer.get("/now")
            #expect(try await peer.answer().status == 200)
            _ = await recorder.records.next(1)
            let hello = try await Self.firstFlight(harness)
            var random = SplitMix64(seed: 7)
            for index in 0..<100 {
                let garbage = try harness.connect()
                var bytes = (0..<Int.random(in: 6...2000, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                switch index % 3 {
                // A record of a handshake, or of an alert, with random content.
                case 0: bytes.replaceSubrange(0..<5, with: [index % 2 == 0 ? 22 : 21, 3, 1, 0, 1])
                // A ClientHello with a wrong byte in the fields whose values a server must check.
                case 1:
                    bytes = hello
                    bytes[Int.random(in: 0..<44, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
                default: break
                }
                try await garbage.sendRaw(bytes)
                garbage.finishSending()
                // An alert, the flight of the server, or nothing; never a wait.
                _ = try? await garbage.rest()
            }
            try await peer.get("/later")
            #expect(try await peer.answer().text == "/later")
            let before = await harness.processorTime()
            await harness.wait(milliseconds: 200)
            #expect(await harness.processorTime() - before < .milliseconds(100))
            #expect(recorder.open.value == 1)
        }
    }

    @Test("A handshake has the time of a request, whatever has arrived of it", arguments: [0, 1, 5, 60, .max])
    func slow(bytes: Int) async throws {
        try await Harness.runSecure(.patient.with { $0.requestTimeout = .milliseconds(300) }) { _, harness in
            let hello = try await Self.firstFlight(harness)
            let peer = try harness.connect()
            let start = MonotonicTime.now
            // All of the ClientHello is answered, and then nothing follows.
            try await peer.sendRaw(Array(hello.prefix(bytes)))
            let rest = try await peer.rest()
            #expect(rest.isEmpty == (bytes < hello.count))
            #expect(MonotonicTime.now - start >= .milliseconds(250))
        }
    }

    @Test("A handshake in pieces completes", arguments: [1, 7, 100])
    func pieces(size: Int) async throws {
        try await Harness.runSecure { _, harness in
            let peer = try harness.connectSecurely()
            peer.tls?.onTheWire = { bytes in
                stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
            }
            for path in ["/now", "/later", "/stored"] {
                try await peer.get(path)
                #expect(try await peer.answer().status == 200)
            }
        }
    }

    @Test("New handshakes get another certificate, open connections go on, and no request fails")
    func replacement() async throws {
        try await Harness.runSecure(shards: 2) { recorder, harness in
            let open = try harness.connectSecurely()
            try await open.get("/now")
            #expect(try await open.answer().status == 200)
            let (first, second) = (try Secure.context(), try Secure.context("renewed"))
            let (isOver, answered) = (Watched(false), Counter())
            let serials = try await withThrowingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        var serials: Set<String> = []
                        while !isOver.current {
                            let peer = try harness.connectSecurely()
                            for path in ["/now", "/later"] {
                                try await peer.get(path)
                                #expect(try await peer.answer().text == path)
                            }
                            if let serial = peer.tls?.serial { serials.insert(serial) }
                            answered.add(1)
                        }
                        return serials
                    }
                }
                for number in 1...10 {
                    let before = answered.value
                    while answered.value < before + 3 { await harness.wait(milliseconds: 2) }
                    harness.server.replace(number % 2 == 0 ? first : second)
                }
                isOver.update { $0 = true }
                return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
            }
            #expect(serials.count == 2)
            try await open.get("/now")
            #expect(try await open.answer().status == 200)
        }
    }

    /// Why a certificate or a key is refused.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let certificate: String, key: String
        let fault: TLSContext.Fault
    }

    private static let none = TLSContext.Fault.certificate("holds no certificate in PEM, or a malformed one")
    private static let noKey = TLSContext.Fault.key("holds no private key in PEM, or one with a passphrase")

    @Test(
        "A certificate or a key that cannot be used is named",
        arguments: [
            Fault(
                testDescription: "another key", certificate: "cert.pem", key: "client.key",
                fault: .key("holds a key that does not belong to the certificate")),
            Fault(
                testDescription: "a key with a passphrase", certificate: "client.pem", key: "locked.key", fault: noKey),
            Fault(testDescription: "a certificate as key", certificate: "cert.pem", key: "cert.pem", fault: noKey),
            Fault(testDescription: "a key as certificate", certificate: "cert.key", key: "cert.key", fault: none),
            Fault(testDescription: "an empty file", certificate: "empty", key: "cert.key", fault: none),
            Fault(
                testDescription: "a second certificate that is cut", certificate: "cut", key: "cert.key", fault: none),
            Fault(
                testDescription: "a short RSA key", certificate: "short.pem", key: "short.key",
                fault: .certificate("holds a certificate that libssl refuses: ee key too small")),
        ])
    func faults(_ sample: Fault) async throws {
        try await Secure.prepare()
        let (folder, source) = (try TemporaryFolder(), try Secure.certificates.get().folder.path)
        defer { folder.remove() }
        let command = """
            cp '\(source)'/*.pem '\(source)'/*.key . && : > empty && { cat cert.pem; head -c 200 ca.pem; } > cut && openssl \
            req -x509 -newkey rsa:1024 -nodes -keyout short.key -out short.pem -subj /CN=short 2> /dev/null
            """
        _ = try await WorkQueue("openssl").run { try ShellProcess.run(command, in: folder.path) }
        let (certificate, key) = (folder.path(sample.certificate), folder.path(sample.key))
        #expect(throws: sample.fault) {
            try TLSContext(certificate: Checkout.read(certificate), key: Checkout.read(key))
        }
    }

    @Test("The certificates that lead to the authority are sent, and the key can be in the same file")
    func chain() async throws {
        try await Secure.prepare()
        let all = try ["cert.key", "cert.pem", "ca.pem"].flatMap { try Secure.read($0) }
        let folder = try Secure.certificates.get().folder.path
        try await Harness.runSecure(context: TLSContext(certificate: all, key: all)) { _, harness in
            let port = try #require("\(harness.address)".split(separator: ":").last)
            let command = "openssl s_client -connect 127.0.0.1:\(port) -showcerts < /dev/null 2> /dev/null"
            let output = await WorkQueue("program").run { try? ShellProcess.run(command, in: folder) }
            #expect(output?.split(separator: "BEGIN CERTIFICATE").count == 3)
        }
    }

    /// Returns the ClientHello of a client.
    private static func firstFlight(_ harness: Harness) async throws -> [UInt8] {
        let peer = try harness.connectSecurely()
        let flight = Watched<[UInt8]>([])
        peer.tls?.onTheWire = { bytes in
            flight.update { $0 += bytes }
            return []
        }
        peer.finishSending()
        #expect(await !peer.handshake())
        return flight.current
    }
}

extension Harness {
    /// Waits until all event loops have done what was posted to them.
    func turn() async {
        for shard in shards {
            await withCheckedContinuation { continuation in shard.post { continuation.resume() } }
        }
    }
}
