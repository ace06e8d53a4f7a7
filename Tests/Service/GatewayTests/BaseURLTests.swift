import HTTPCore
import Testing

@testable import Settings
@testable import Gateway

@Suite("Base URLs")
struct BaseURLTests {
    private static let host = "must have a host of letters, digits, hyphens and dots, or an IPv6 address in [ and ]"
    private static let port = "must have a port from 1 to 65535 after its host, or none"
    private static let ipv4 =
        "must have an IPv4 address of four numbers from 0 to 255, or a name that does not end in a number"
    private static let ipv6 = "must have an IPv6 address between [ and ]"
    private static let path = "must have other characters in its path escaped, with % and two hexadecimal digits"
    private static let dots = "must not have . or .. in its path"

    @Test(
        "An address is accepted, or refused for one reason",
        arguments: [
            ("http://a", nil), ("https://api.example.com", nil), ("http://a:1", nil), ("http://a:65535/", nil),
            ("http://a_b.example.", nil), ("http://xn--mnchen-3ya.example/v1", nil), ("http://127.0.0.1:8080", nil),
            ("http://[::1]", nil), ("http://[2001:db8::7]:443/a", nil), ("http://[::ffff:192.0.2.1]", nil),
            ("http://a/b/c.d/~e/%20/f=g,h;i", nil), ("http://a//b", nil), ("http://1.2.3.4.example", nil),
            ("http://a/...", nil), ("http://a/..b", nil), ("http://a/+", nil),
            ("http://a:99999", port), ("http://a:0", port), ("http://a:65536", port), ("http://a:", port),
            ("http://a:80:80", port), ("http://a:8o", port), ("http://a:-1", port), ("http://a:000080", port),
            ("http://[::1]:", port), ("http://[::1]80", port), ("http://[::1]:99999", port), ("http://[::1]a", port),
            ("http://[::1", "must have a ] after its IPv6 address"),
            ("http://[", "must have a ] after its IPv6 address"),
            ("http://[]", ipv6), ("http://[::1%25lo]", ipv6), ("http://[1:2:3]", ipv6), ("http://[::g]", ipv6),
            ("http://[v1.a]", ipv6), ("http://[127.0.0.1]", ipv6), ("http://[::1::2]", ipv6),
            ("http://%00", host), ("http://a%2eb", host), ("http://a..b", host), ("http://.a", host),
            ("http://a,b", host), ("http://a\\\\b", host), ("http://a]", host), ("http://{key}", host),
            ("http://\(String(repeating: "a.", count: 130))a", host), ("http://::1", "must name a host"),
            ("http://:80", "must name a host"), ("http:///a", "must name a host"), ("http://", "must name a host"),
            ("http://1.2.3", ipv4), ("http://256.1.1.1", ipv4), ("http://1.2.3.4.5", ipv4), ("http://2130706433", ipv4),
            ("http://01.2.3.4", ipv4), ("http://a/%", path), ("http://a/%2", path), ("http://a/%gg", path),
            ("http://a/{key}", path), ("http://a/b|c", path), ("http://a/\\\\", path), ("http://a/[", path),
            ("http://a/..", dots), ("http://a/../b", dots), ("http://a/./b", dots), ("http://a/%2e%2E/b", dots),
            ("http://a/b/.", dots), ("http://a/..%2fb", dots), ("http://a/b%5c..", dots),
            ("http:/a", "must start with http:// or https://"), ("http:a", "must start with http:// or https://"),
            ("//a", "must start with http:// or https://"), ("", "must start with http:// or https://"),
            ("http://a/b?c", "must not have a query or a fragment"),
        ] as [(String, String?)])
    func check(_ url: String, _ fault: String?) {
        let configuration = """
            {"upstreams": [
              {"name": "a", "dialect": "openMeteo", "baseURL": "\(url)"}], "weather": {"upstreams": ["a"]}}
            """
        var message: String?
        do {
            _ = try ConfigurationFile(path: "weir.json", bytes: Array(configuration.utf8)).configuration()
        } catch {
            message = "\(error)"
        }
        #expect(message == fault.map { "weir.json: line 2, column 41: upstreams[0].baseURL \($0)" })
    }

    @Test(
        "The host and the port are those that connections lead to",
        arguments: [
            ("http://A.example/b", "a.example", 80, false), ("https://a.example", "a.example", 443, false),
            ("https://a.example:8443/x:1", "a.example", 8443, true), ("http://127.0.0.1:1", "127.0.0.1", 1, true),
            ("http://[::1]", "::1", 80, false), ("https://[FE80::1]:99/", "fe80::1", 99, true),
        ])
    func place(_ url: String, _ host: String, _ port: Int, _ hasPort: Bool) throws {
        let url = try BaseURL(url)
        #expect((url.host, url.port, url.hasPort) == (host, port, hasPort))
        #expect(url.isAddress == !host.contains("example"))
    }

    @Test(
        "Segments that may be keys are hidden, and removed from answers if they cannot be ordinary words",
        arguments: [
            ("http://a", "http://a", []), ("http://a/", "http://a/", []),
            ("HTTPS://A:1/v1/api/", "https://A:1/v1/api/", []),
            ("http://a/api/v2.5/forecast/data", "http://a/api/v2.5/forecast/data", []),
            ("http://a/2/oauth2/token", "http://a/2/oauth2/token", []),
            ("http://a/s3ntinel-KEY", "http://a/***", ["s3ntinel-KEY"]),
            ("http://a/KEY%2F1", "http://a/***", ["KEY/1"]),
            ("http://a/v1.1/0123456789abcdef/x", "http://a/v1.1/***/***", ["0123456789abcdef"]),
            ("http://a/abcdefghijklmnop/B", "http://a/***/***", ["B"]),
            ("http://a/inventory-service/Order_items", "http://a/***/***", []),
            (
                "http://a/inventory-service2/abcdefghijklmnopqrstu", "http://a/***/***",
                ["inventory-service2", "abcdefghijklmnopqrstu"]
            ),
            // Keys that could be words or versions are hidden, but not removed from answers.
            ("http://a/hunter/v1", "http://a/***/v1", []), ("http://a/v12345678901", "http://a/***", []),
            ("http://a/v1.2.3.4", "http://a/***", []), ("http://a/123", "http://a/***", ["123"]),
            ("http://a/API/forecasts", "http://a/***/***", ["API"]),
            ("http://a/2024-06-01/Forecast/created_at", "http://a/***/***/***", []),
            ("http://a/2024-06/1999-06-01", "http://a/***/***", ["1999-06-01"]),
        ] as [(String, String, [String])])
    func secrets(_ url: String, _ printed: String, _ secrets: [String]) throws {
        let url = try BaseURL(url)
        #expect(url.withoutSecrets == printed)
        #expect(url.secrets.map { $0.withExposedText { $0 } } == secrets)
    }
}
