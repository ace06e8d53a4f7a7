import Glibc
import TestSupport
import Testing

/// Places at which there is no upstream, or one with bad TLS.
@Suite("Unavailable upstreams", .timeLimit(.minutes(10)))
struct UnavailableUpstreamTests {
    private static let certificates = Result { try Certificates() }

    /// A place at which there is no upstream, or one with bad TLS.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let detail: String
        var settings = ""
        /// Returns the base URL, further settings, and a function to call at the end.
        let start: @Sendable () throws -> (url: String, settings: String, stop: () -> Void)
    }

    private static func tls(
        _ certificate: String = "cert.pem", options: String = "", _ settings: String = ""
    ) -> @Sendable () throws -> (url: String, settings: String, stop: () -> Void) {
        {
            let certificates = try certificates.get()
            let (server, port) = try certificates.serve(certificate: certificate, options: options)
            let file = #", "tls": {"caFile": "\#(certificates.path("ca.pem"))"\#(settings)}"#
            return ("https://localhost:\(port)", file.replacing("PIN", with: certificates.pin), server.end)
        }
    }

    /// Starts an upstream at the address of one that has ended, with a valid certificate if it has TLS, and returns the function
    /// that stops it; nil for an address without a port.
    private static func recover(_ url: String) throws -> (() -> Void)? {
        guard let port = url.split(separator: ":").last.flatMap({ UInt16($0) }) else { return nil }
        guard url.hasPrefix("https:") else {
            return try ScriptedUpstream(port: port) { _ in .answer(smallForecast) }.stop
        }
        let certificates = try certificates.get()
        let (certificate, key) = (certificates.path("cert.pem"), certificates.path("cert.key"))
        // Weir itself serves what Dark Sky did.
        let text = configuration([Checkout.sample]).replacing(
            #""server": {"#,
            with: #""server": {"tls": {"certificateFile": "\#(certificate)", "keyFile": "\#(key)"}, "#)
        return try WeirProcess.serve(text, arguments: ["--listen", "127.0.0.1:\(port)"]).kill
    }

    private static let places: [Place] = [
        Place(testDescription: "refused", status: 503, detail: "it does not accept connections") {
            let port = try RefusingPort()
            return (port.baseURL, "", port.release)
        },
        Place(
            testDescription: "blackholed", status: 504, detail: "the connection to it took too long",
            settings: #", "connectTimeoutMilliseconds": 1000"#
        ) {
            let listener = try Descriptor(family: AF_INET)
            try listener.bind(to: "127.0.0.1:0")
            guard listen(listener.number, 0) == 0 else { throw Failure("listen: \(errorText())") }
            let fillers = try (0..<4).map { _ in
                let filler = try Descriptor(family: AF_INET)
                try? filler.connect(to: "127.0.0.1:\(listener.port)", seconds: 0)
                return filler
            }
            return ("http://127.0.0.1:\(listener.port)", "", { for socket in fillers + [listener] { socket.close() } })
        },
        Place(testDescription: "an unknown name", status: 503, detail: "its host name is not known") {
            ("http://\(String(repeating: "a", count: 70)).example", "", {})
        },
        Place(
            testDescription: "an unknown authority", status: 502, detail: "its TLS certificate is not trusted",
            start: tls("stranger.pem", options: "-key stranger.key")),
        Place(
            testDescription: "an expired certificate", status: 502, detail: "its TLS certificate has expired",
            start: tls("expired.pem")),
        Place(
            testDescription: "another host's certificate", status: 502,
            detail: "its TLS certificate is for another host", start: tls("other.pem")),
        Place(
            testDescription: "TLS 1.1", status: 502, detail: "it speaks no version of TLS that is accepted",
            start: tls(options: "-tls1_1 -cipher ALL:@SECLEVEL=0")),
        Place(
            testDescription: "TLS 1.2 below the minimum", status: 502,
            detail: "it speaks no version of TLS that is accepted",
            start: tls(options: "-tls1_2", #", "minimumVersion": "1.3""#)),
        Place(
            testDescription: "another key than the pinned one", status: 502,
            detail: "its TLS certificate has another key than the pinned one",
            start: tls("renewed.pem", options: "-key renewed.key", #", "pinnedPublicKey": "PIN""#)),
        Place(
            testDescription: "a certificate demanded of the client", status: 502,
            detail: "it demands a TLS certificate of its client, or refuses the configured one",
            start: tls(options: "-Verify 2 -verify_return_error -CAfile ca.pem")),
    ]

    @Test(
        "A place without an upstream is a problem that names why; other upstreams are not affected, nor is a good one later",
        arguments: places)
    func noUpstream(_ place: Place) throws {
        let (url, settings, end) = try place.start()
        var stop = end
        defer { stop() }
        let good = try ScriptedUpstream { _ in .answer(BadUpstreamTests.status) }
        defer { good.stop() }
        let weir = try WeirProcess.serve(
            BadUpstreamTests.configuration(weather: url, settings: place.settings + settings, tweets: good.baseURL))
        defer { weir.kill() }
        let otherClient = try weir.client()
        let usual = try BadUpstreamTests.tail(of: otherClient)
        // Not before, because a connection without a request is closed after ten seconds.
        let client = try weir.client()
        #expect(try client.get("/livez").status == 200)
        let (descriptors, memory) = (try weir.descriptorCount, try weir.residentMemory)
        for _ in 1...2 {
            let (took, answer) = try seconds {
                client.send("GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n")
                try BadUpstreamTests.expectTail(of: otherClient, nearly: usual)
                return try client.read()
            }
            let problem = try expectProblem(answer, place.status)
            #expect(problem["detail"].string == "The upstream sky cannot be used: \(place.detail).")
            #expect((answer.header("Retry-After") != nil) == (place.status == 503))
            #expect(took < 12, "\(took) s")
        }
        stop()
        stop = {}
        if let other = try Self.recover(url) {
            stop = other
            #expect(try client.get(weather).status == 200)
        }
        try BadUpstreamTests.expectNoLeak(in: weir, descriptors: descriptors, memory: memory)
        #expect(try weir.terminate() == 0)
    }
}
