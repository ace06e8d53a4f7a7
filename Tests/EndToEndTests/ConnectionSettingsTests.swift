import Foundation
import TestSupport
import Testing

/// Settings that say how upstreams are connected to.
@Suite("Settings of connections", .timeLimit(.minutes(10)))
struct ConnectionSettingsTests {
    /// A configuration with this base URL and these further settings of its upstream.
    private static func configuration(_ baseURL: String, _ settings: String) -> String {
        EndToEndTests.configuration([baseURL]).replacing(
            #""retryPercent": 0"#, with: #""retryPercent": 0, \#(settings)"#)
    }

    @Test(
        "An upstream with TLS, certificates on both sides, a pin and a Unix socket answers",
        .enabled(if: Nginx.isInstalled, "nginx is not installed"))
    func everything() throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        let nginx = try Nginx(
            certificates,
            """
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_client_certificate \(certificates.path("ca.pem"));
            ssl_verify_client on;
            default_type application/json;
            location /2.0/ { return 200 '\(smallForecast)'; }
            location / { return 301 https://localhost$request_uri; }
            location /old/ { rewrite ^/old/(.*)$ /2.0/$1 redirect; }
            """)
        defer { nginx.stop() }
        let settings = """
            "unixSocket": "\(nginx.socket)", "redirects": "sameHost", "tls": {
                "caFile": "\(certificates.path("ca.pem"))", "certificateFile": "\(certificates.path("client.pem"))",
                "keyFile": "\(certificates.path("client.key"))", "minimumVersion": "1.3",
                "pinnedPublicKey": "\(certificates.pin)"
            }
            """
        for (path, status) in [("/2.0", 200), ("/old", 200), ("/loop", 502)] {
            let weir = try WeirProcess.serve(Self.configuration("https://localhost\(path)", settings))
            defer { weir.kill() }
            for _ in 1...3 {
                let answer = try weir.get(weather)
                #expect(answer.status == status, "\(answer.text)")
                #expect(answer.text.contains("it redirects more than 3 times") == (status == 502))
            }
            #expect(try weir.terminate() == 0)
        }
    }

    /// Five requests earn a retry, but each of them is redirected.
    @Test("Redirects leave the retries as they are", .enabled(if: Nginx.isInstalled, "nginx is not installed"))
    func retriesAfterRedirects() throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        let nginx = try Nginx(
            certificates,
            """
            default_type application/json;
            location /2.0/ { return 200 '\(smallForecast)'; }
            location ~ ^/old/.*/1,2 { return 503; }
            location /old/ { rewrite ^/old/(.*)$ /2.0/$1 redirect; }
            """)
        defer { nginx.stop() }
        let tls = #""tls": {"caFile": "\#(certificates.path("ca.pem"))"}"#
        let settings = #""unixSocket": "\#(nginx.socket)", "redirects": "sameHost", \#(tls)"#
        let weir = try WeirProcess.serve(
            Self.configuration("https://localhost/old", settings).replacing(
                #""retryPercent": 0"#, with: #""retryPercent": 20"#))
        defer { weir.kill() }
        for _ in 1...5 { #expect(try weir.get(weather).status == 200) }
        try expectProblem(weir.get("/weather?lat=1&lon=2"), 502)
        let tries = try weir.logLine("fetched")["tries"].elements
        #expect(tries.map { $0["result"].string } == ["503", "503"])
    }

    @Test("A configured proxy is used, whatever the environment says")
    func proxy() throws {
        let proxy = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { proxy.stop() }
        let port = try RefusingPort()
        defer { port.release() }
        let proxies = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"].map { ($0, port.baseURL) }
        let others = [("WEIR_TEST_KEY", "k"), ("no_proxy", "*"), ("NO_PROXY", "*")]
        let weir = try WeirProcess.serve(
            Self.configuration("http://weather.example", #""proxy": "\#(proxy.baseURL)""#),
            environment: Dictionary(uniqueKeysWithValues: proxies + others))
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        #expect(proxy.requests.first?.hasPrefix("GET http://weather.example/forecast/") == true)
    }

    /// This machine's name, if it leads to private addresses only, as names of containers do.
    private static let privateName: String? = {
        let name = ProcessInfo.processInfo.hostName
        let result = try? Tool.run(["getent", "ahosts", name]).text
        let addresses = result?.split(separator: "\n").map { $0.prefix { $0 != " " } } ?? []
        let ranges = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|fe80|f[cd])/
        guard !addresses.isEmpty, addresses.allSatisfy({ $0.contains(ranges) }), name != "localhost" else { return nil }
        return name.wholeMatch(of: /[a-z0-9][a-z0-9\-]*/) == nil ? nil : name
    }()

    @Test(
        "A name that leads to a private address is a 502 that names the setting, which allows it",
        .enabled(if: privateName != nil, "this machine's name does not lead to a private address"))
    func privateAddresses() throws {
        let name = try #require(Self.privateName)
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        for (setting, isAllowed) in [("false", false), ("true", true)] {
            let weir = try WeirProcess.serve(
                Self.configuration(
                    "http://\(name):\(upstream.port)", #""allowsPrivateAddresses": \#(setting)"#))
            defer { weir.kill() }
            let answer = try weir.get(weather)
            // The upstream listens on 127.0.0.1; the name can lead to another address.
            #expect(isAllowed ? [200, 503].contains(answer.status) : answer.status == 502)
            #expect(answer.text.contains("which needs the setting allowsPrivateAddresses") == !isAllowed)
            #expect(isAllowed || upstream.requests.isEmpty)
        }
    }

    @Test("localhost and literal addresses are used as they are written", arguments: ["localhost", "127.0.0.1"])
    func named(host: String) throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration("http://\(host):\(upstream.port)", #""redirects": "never""#))
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
    }

    /// Settings that are wrong, and the error that results.
    @Test(
        "A fault is reported with its path",
        arguments: [
            (#""redirects": "all""#, "upstreams[0].redirects must be one of never, sameHost, not \"all\""),
            (#""proxy": "http://proxy.example""#, "upstreams[0].proxy must have a port"),
            (#""proxy": "socks5://proxy.example:1""#, "upstreams[0].proxy must start with http:// or https://"),
            (#""proxy": "http://u:p@proxy.example:1""#, "upstreams[0].proxy must not hold a user or a password"),
            (#""proxy": "http://proxy.example:1/path""#, "upstreams[0].proxy must end after its port"),
            (#""unixSocket": """#, "upstreams[0].unixSocket must be a path of 1 to 107 bytes"),
            (#""unixSocket": "/a\u0000b""#, "upstreams[0].unixSocket must be a path of 1 to 107 bytes, without NUL"),
            // With the folder of the configuration file.
            (#""unixSocket": "\#(String(repeating: "s", count: 107))""#, "s, which has more than 107 bytes"),
            (
                #""unixSocket": "/a", "proxy": "http://proxy.example:1""#,
                "upstreams[0].proxy must be left out if there is a unixSocket"
            ),
            (
                #""tls": {"minimumVersion": "1.1"}"#,
                "upstreams[0].tls.minimumVersion must be one of 1.2, 1.3, in quotes"
            ),
            (#""tls": {"minimumVersion": 1.2}"#, "upstreams[0].tls.minimumVersion must be a string"),
            (
                #""tls": {"keyFile": "/etc/hostname"}"#,
                "upstreams[0].tls.keyFile must be left out, unless there is a certificateFile"
            ),
            (#""tls": {"pinnedPublicKey": "sha256//AAAA"}"#, "upstreams[0].tls.pinnedPublicKey must be sha256//"),
            (#""tls": {"caFile": "/nothing"}"#, "upstreams[0].tls.caFile names /nothing, which cannot be read"),
            (#""tls": {"CAfile": "a"}"#, "upstreams[0].tls.CAfile is not a setting; did you mean \"caFile\"?"),
        ])
    func faults(_ settings: String, _ complaint: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(Self.configuration("https://host.invalid", settings), to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_TEST_KEY": "k"])
        #expect(result.status == 78)
        #expect(result.errors.contains(complaint), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }

    /// Files of `Certificates` that cannot be used, and the error that results.
    @Test(
        "A certificate or a key that cannot be used is named by check and at the start",
        arguments: [
            (#""caFile": "ca.key""#, "caFile names ca.key, which holds no certificate in PEM, or a malformed one"),
            (#""caFile": "damaged.pem""#, "caFile names damaged.pem, which holds no certificate in PEM"),
            (
                #""certificateFile": "client.pem""#,
                "certificateFile names client.pem, which holds no private key in PEM"
            ),
            (
                #""certificateFile": "client.key", "keyFile": "client.key""#,
                "certificateFile names client.key, which holds no certificate in PEM, or a malformed one"
            ),
            (
                #""certificateFile": "client.pem", "keyFile": "cert.key""#,
                "keyFile names cert.key, which holds a key that does not belong to the certificate"
            ),
            (
                #""certificateFile": "client.pem", "keyFile": "locked.key""#,
                "keyFile names locked.key, which holds no private key in PEM, or one with a passphrase"
            ),
            (#""caFile": "ca.pem", "certificateFile": "client.pem", "keyFile": "client.key""#, nil),
            (#""caFile": "bundle.pem", "certificateFile": "both.pem""#, nil),
        ])
    func tlsFiles(_ settings: String, _ complaint: String?) throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        let authority = try Checkout.read(certificates.path("ca.pem"))
        try certificates.folder.write(authority + authority.dropLast(60), to: "damaged.pem")
        try certificates.folder.write(Array("# Two.\n".utf8) + authority + authority, to: "bundle.pem")
        try certificates.folder.write(
            Checkout.read(certificates.path("client.pem")) + Checkout.read(certificates.path("client.key")),
            to: "both.pem")
        let file = try certificates.folder.write(
            Self.configuration("https://host.invalid", "\"tls\": {\(settings)}"), to: "weir.json")
        for command in complaint == nil ? ["check"] : ["check", "serve"] {
            let result = try WeirProcess.run([command, "--config", file], environment: ["WEIR_TEST_KEY": "k"])
            #expect(result.status == (complaint == nil ? 0 : 78), "\(result.errors)")
            if let complaint {
                #expect(result.errors.contains("upstreams[0].tls.\(complaint)"), "\(result.errors)")
            }
        }
    }

    @Test("TLS settings without TLS are a fault")
    func unusedTLS() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(
            Self.configuration("http://host.invalid", #""tls": {"minimumVersion": "1.3"}"#), to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_TEST_KEY": "k"])
        #expect(result.errors.contains("upstreams[0].tls must be left out, unless baseURL or proxy is https"))
    }

    @Test("Authorities come from the settings and from the system's bundle, and not from variables of OpenSSL")
    func authorities() throws {
        let certificates = try Certificates()
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        let (relay, port) = try certificates.relay(to: upstream.baseURL)
        defer {
            relay.end()
            upstream.stop()
            certificates.remove()
        }
        let text = EndToEndTests.configuration(["https://localhost:\(port)"])
        let authority = certificates.path("ca.pem")
        let environment = [
            "WEIR_TEST_KEY": "test-key", "SSL_CERT_FILE": authority, "SSL_CERT_DIR": certificates.folder.path,
        ]
        let refused = try WeirProcess.serve(text, environment: environment)
        defer { refused.kill() }
        let problem = try expectProblem(refused.get(weather), 502)
        #expect(problem["detail"].string?.contains("not trusted") == true, "\(problem["detail"].string ?? "")")
        let admitted = try WeirProcess.serve(
            text, environment: environment, arguments: ["--set", "upstreams[0].tls.caFile=\(authority)"])
        defer { admitted.kill() }
        #expect(try admitted.get(weather).status == 200)
    }
}
