import Foundation
import Glibc
import HTTPClient
import HTTPCore
import TestSupport
import Testing

/// Upstreams with TLS, served by the program `openssl`.
@Suite("TLS of upstreams", .serialized, .timeLimit(.minutes(10)))
struct TLSTests {
    private static let certificates = Result { try Certificates() }

    /// A server, a policy for it, and what is wrong.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let failure: TLSFailure?
        var certificate = "cert.pem"
        var options = ""
        var change: @Sendable (inout TLSPolicy, Certificates) -> Void = { _, _ in }
    }

    private static let demanding = "-Verify 2 -verify_return_error -CAfile ca.pem"

    private static func identity(
        _ certificate: String, _ key: String
    ) -> @Sendable (inout TLSPolicy, Certificates) -> Void {
        { policy, certificates in
            (policy.certificate, policy.key) = (certificates.path(certificate), certificates.path(key))
        }
    }

    private static let cases = [
        Case(testDescription: "a trusted certificate", failure: nil),
        Case(testDescription: "an unknown authority", failure: .untrusted) { policy, _ in policy.authorities = nil },
        Case(testDescription: "an expired certificate", failure: .expired, certificate: "expired.pem"),
        Case(testDescription: "another host's certificate", failure: .wrongHost, certificate: "other.pem"),
        Case(testDescription: "TLS 1.1", failure: .oldVersion, options: "-tls1_1 -cipher ALL:@SECLEVEL=0"),
        Case(testDescription: "TLS 1.2", failure: nil, options: "-tls1_2"),
        Case(testDescription: "TLS 1.2 below the minimum", failure: .oldVersion, options: "-tls1_2") { policy, _ in
            policy.minimumVersion = .tls13
        },
        Case(testDescription: "the pinned key", failure: nil) { policy, certificates in
            policy.publicKeys = "sha256//\(String(repeating: "A", count: 43))=;\(certificates.pin)"
        },
        Case(testDescription: "another key than the pinned one", failure: .wrongKey) { policy, _ in
            policy.publicKeys = "sha256//\(String(repeating: "A", count: 43))="
        },
        Case(testDescription: "a client without a certificate", failure: .clientCertificate, options: demanding),
        Case(
            testDescription: "a client without a certificate in TLS 1.2", failure: .clientCertificate,
            options: "-tls1_2 \(demanding)"),
        Case(
            testDescription: "a client with a certificate", failure: nil, options: demanding,
            change: identity("client.pem", "client.key")),
        Case(
            testDescription: "a client with a certificate in TLS 1.2", failure: nil, options: "-tls1_2 \(demanding)",
            change: identity("client.pem", "client.key")),
        Case(
            testDescription: "a client with an untrusted certificate", failure: .clientCertificate, options: demanding,
            change: identity("stranger.pem", "stranger.key")),
        Case(
            testDescription: "a client with an untrusted certificate in TLS 1.2", failure: .clientCertificate,
            options: "-tls1_2 \(demanding)", change: identity("stranger.pem", "stranger.key")),
        Case(
            testDescription: "no common cipher", failure: .nothingInCommon,
            options: "-tls1_2 -cipher ECDHE-RSA-AES128-GCM-SHA256"),
        Case(
            testDescription: "a key that is missing", failure: .localCertificate,
            change: identity("client.pem", "nothing")),
        Case(
            testDescription: "a key with a passphrase", failure: .localCertificate,
            change: identity("client.pem", "locked.key")),
        Case(testDescription: "authorities that are missing", failure: .localCertificate) { policy, certificates in
            policy.authorities = certificates.path("nothing")
        },
    ]

    @Test("A TLS failure says what is wrong", arguments: cases)
    func failure(_ sample: Case) async throws {
        let certificates = try Self.certificates.get()
        let (server, port) = try certificates.serve(certificate: sample.certificate, options: sample.options)
        defer { server.end() }
        var policy = TLSPolicy()
        policy.authorities = certificates.path("ca.pem")
        sample.change(&policy, certificates)
        let tls = policy
        try await withClient { client, _ in
            var request = OutgoingRequest("https://localhost:\(port)/")
            request.connectTimeout = .seconds(60)
            request.policy = ConnectionPolicy(tls: tls)
            let outcome = await client.outcome(request)
            #expect(outcome.error == sample.failure.map { .tlsFailed($0) })
            #expect((outcome.text?.contains("s_server") ?? false) == (sample.failure == nil))
        }
    }

    /// The program answers every GET itself, as a proxy could.
    @Test(
        "The authorities and the lowest version apply to a proxy with TLS, for upstreams with and without",
        arguments: [
            ("http", "ca.pem", .tls12, nil), ("http", nil, .tls12, .untrusted), ("http", "ca.pem", .tls13, .oldVersion),
            ("https", nil, .tls12, .untrusted), ("https", "ca.pem", .tls13, .oldVersion),
        ] as [(String, String?, TLSVersion, TLSFailure?)])
    func proxy(_ scheme: String, _ file: String?, _ version: TLSVersion, _ failure: TLSFailure?) async throws {
        let certificates = try Self.certificates.get()
        let (server, port) = try certificates.serve(options: "-tls1_2")
        defer { server.end() }
        var tls = TLSPolicy()
        (tls.authorities, tls.minimumVersion) = (file.map { certificates.path($0) }, version)
        let policy = ConnectionPolicy(tls: tls, proxy: "https://localhost:\(port)")
        try await withClient { client, _ in
            var request = OutgoingRequest("\(scheme)://weather.example/")
            (request.connectTimeout, request.policy) = (.seconds(60), policy)
            let outcome = await client.outcome(request)
            #expect(outcome.error == failure.map { .proxyTLSFailed($0) })
            #expect((outcome.text?.contains("s_server") ?? false) == (failure == nil))
        }
    }

    @Test("An upstream without TLS fails as a handshake")
    func plain() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            connection.answer(text: "plain")
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            var request = OutgoingRequest(upstream.url.replacing("http:", with: "https:"))
            request.connectTimeout = .seconds(60)
            #expect(await client.outcome(request).error == .tlsFailed(.handshake))
        }
    }

    @Test(
        "An alert in place of a handshake is named",
        arguments: [
            (80, .internalError), (112, .unknownName), (40, .nothingInCommon), (70, .oldVersion),
            (45, .clientCertificate),
        ]
            as [(UInt8, TLSFailure)])
    func alert(_ sample: (alert: UInt8, failure: TLSFailure)) async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.bytes()
            connection.write([21, 3, 3, 0, 2, 2, sample.alert])
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            let request = OutgoingRequest(upstream.url.replacing("http:", with: "https:"))
            #expect(await client.outcome(request).error == .tlsFailed(sample.failure))
        }
    }

    @Test("A connection that ends within the handshake is named", arguments: [true, false])
    func cut(_ isReset: Bool) async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.bytes()
            if isReset { connection.reset() }
        }
        try await withUpstream(serve) { client, upstream in
            let request = OutgoingRequest(upstream.url.replacing("http:", with: "https:"))
            #expect(await client.outcome(request).error == .tlsFailed(.brokenOff))
        }
    }

    @Test("TLS offers http/1.1 alone, so that an upstream with HTTP/2 agrees on it")
    func offeredProtocols() async throws {
        let certificates = try Self.certificates.get()
        let server = try ShellProcess(
            // Line by line, because the program would keep what it writes to a pipe.
            "exec stdbuf -oL openssl s_server -accept 127.0.0.1:0 -cert cert.pem -key cert.key -www -alpn h2,http/1.1",
            in: certificates.folder.path)
        defer { server.end() }
        let port = try #require(server.line(containing: "ACCEPT 127.0.0.1:"))
        try await withClient { client, _ in
            let request = OutgoingRequest("https://localhost:\(port)/", trusting: certificates)
            #expect(await client.outcome(request).text?.contains("s_server") == true)
        }
        #expect(server.line(containing: "ALPN protocols advertised by the client: ") == "http/1.1")
        #expect(server.line(containing: "ALPN protocols selected: ") == "http/1.1")
    }

    @Test("A session is not resumed: each new connection verifies the upstream")
    func resumption() async throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        let upstream = try Upstream(tls: TLSIdentity(certificates, alpn: "http/1.1")) { connection in
            guard connection.request() != nil else { return }
            connection.answer("Connection: close\r\n", text: connection.isResumed ? "resumed" : "new")
        }
        defer { upstream.stop() }
        let authorities = certificates.path("authorities.pem")
        func trust(_ file: String) throws {
            let content = try Data(contentsOf: URL(fileURLWithPath: certificates.path(file)))
            try content.write(to: URL(fileURLWithPath: authorities))
        }
        try trust("ca.pem")
        var request = OutgoingRequest(upstream.url + "/")
        request.connectTimeout = .seconds(60)
        var tls = TLSPolicy()
        (tls.authorities, tls.authoritiesLifetime) = (authorities, .zero)
        request.policy = ConnectionPolicy(tls: tls)
        try await withClient { client, _ in
            for _ in 0..<2 { #expect(await client.outcome(request).text == "new") }
            try trust("stranger.pem")
            #expect(await client.outcome(request).error == .tlsFailed(.untrusted))
        }
    }

    @Test("New keys of an idle connection are no answer: later connections are reused")
    func newKeys() async throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        let upstream = try Upstream(tls: TLSIdentity(certificates, alpn: "http/1.1")) { connection in
            while connection.request() != nil {
                connection.answer(text: "\(connection.number)")
                if connection.number == 1 { connection.updateKeys() }
            }
        }
        defer { upstream.stop() }
        try await withClient { client, _ in
            var texts: [String?] = []
            for _ in 0..<6 {
                texts.append(await client.outcome(OutgoingRequest(upstream.url, trusting: certificates)).text)
            }
            // The update can come before or after the next request.
            #expect(Set(texts).isSubset(of: ["1", "2"]), "\(texts)")
        }
    }

    @Test("A connection that is reset right after the handshake of TLS 1.3 may lack a client's certificate")
    func resetAfterHandshake() async throws {
        let certificates = try Self.certificates.get()
        let (server, port) = try certificates.serve()
        defer { server.end() }
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            guard let hello = connection.bytes(), let origin = try? Descriptor(family: AF_INET),
                (try? origin.connect(to: "127.0.0.1:\(port)", seconds: 60)) != nil, origin.send(hello, seconds: 60)
            else { return }
            Thread.detachNewThread {
                while case .bytes(let bytes) = origin.receive(seconds: 60) { connection.write(bytes) }
            }
            // The end of the client's handshake.
            _ = connection.bytes()
            connection.reset()
            origin.end()
        }
        try await withUpstream(serve) { client, upstream in
            var request = OutgoingRequest(upstream.url.replacing("http:", with: "https:"))
            request.connectTimeout = .seconds(60)
            var tls = TLSPolicy()
            tls.authorities = certificates.path("ca.pem")
            request.policy = ConnectionPolicy(tls: tls)
            let error = await client.outcome(request).error
            #expect(error == .brokenOff(.afterHandshake), "\(error)")
        }
    }
}
