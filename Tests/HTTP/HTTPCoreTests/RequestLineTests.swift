import HTTPCore
import Testing

@Suite("Request line")
struct RequestLineTests {
    @Test(
        "Methods are tokens and keep their case",
        arguments: [
            "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "PROPFIND", "M-SEARCH",
            "!#$%&'*+-.^_`|~09az", String(repeating: "M", count: 32),
        ])
    func methods(method: String) throws {
        let request = try request("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(request.method.rawValue == method)
        #expect(request.method == Method(method))
    }

    @Test(
        "Well-known methods equal their constants",
        arguments: [
            ("GET", Method.get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("DELETE", .delete),
            ("OPTIONS", .options), ("PATCH", .patch), ("TRACE", .trace),
        ])
    func constants(name: String, method: Method) throws {
        #expect(try request("\(name) / HTTP/1.1\r\nHost: a\r\n\r\n").method == method)
        #expect(method.rawValue == name)
    }

    @Test(
        "A minor version above 1 is read as HTTP/1.1",
        arguments: [("1.0", Version.http10), ("1.1", .http11), ("1.2", .http11), ("1.9", .http11)])
    func versions(number: String, version: Version) throws {
        #expect(try request("GET / HTTP/\(number)\r\nHost: a\r\n\r\n").version == version)
    }

    static let targets: [(target: String, path: String, query: String)] = [
        ("/", "/", ""), ("/weather?lat=1&lon=2", "/weather", "lat=1&lon=2"), ("/a%20b", "/a b", ""),
        ("/a+b", "/a+b", ""), ("/caf%C3%A9", "/café", ""), ("/a%2Fb", "/a/b", ""), ("/a/../b/./c", "/a/../b/./c", ""),
        ("//a//b", "//a//b", ""), ("/?", "/", ""), ("/?a?b", "/", "a?b"), ("/a;b=c", "/a;b=c", ""),
        ("/\"quoted\"|{x}\\^`<>[]", "/\"quoted\"|{x}\\^`<>[]", ""), ("/%41", "/A", ""), ("/%e2%82%ac", "/€", ""),
        ("http://example.com/a?b=c", "/a", "b=c"), ("HTTPS://example.com:8443/a", "/a", ""),
        ("http://example.com", "/", ""), ("http://example.com?a=b", "/", "a=b"), ("http://[::1]:80/x", "/x", ""),
        ("/http://example.com/", "/http://example.com/", ""), ("/?u=http://a/b", "/", "u=http://a/b"),
    ]

    @Test("A target in origin-form or absolute-form has a decoded path and a raw query", arguments: targets)
    func target(target: String, path: String, query: String) throws {
        let request = try request("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(request.target.path == path)
        #expect(request.target.query.rawValue == query)
        let made = try RequestTarget(target)
        #expect(made.path == path)
        #expect(made.query.rawValue == query)
    }

    @Test("The raw path and the raw query keep their escapes")
    func rawPath() throws {
        let target = try request("GET http://h/a%2Fb?x=%20 HTTP/1.1\r\nHost: a\r\n\r\n").target
        #expect(target.rawPath == "/a%2Fb")
        #expect(text(Array(target.rawBytes)) == "/a%2Fb?x=%20")
        #expect(try RequestTarget("http://h").rawPath == "/")
    }

    @Test("OPTIONS accepts the asterisk-form")
    func asterisk() throws {
        #expect(try request("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").target.path == "*")
    }

    static let refused: [(line: String, status: Int)] = [
        // method
        (" / HTTP/1.1", 400), ("G@T / HTTP/1.1", 400), ("G=\":<>(e),[T];?\" /get HTTP/1.1", 400),
        ("G\u{00}T / HTTP/1.1", 400), ("G\u{E9}T / HTTP/1.1", 400), ("\tGET / HTTP/1.1", 400), (" GET / HTTP/1.1", 400),
        (String(repeating: "M", count: 33) + " / HTTP/1.1", 400), ("GET", 400), ("GET/", 400),
        ("\u{16}\u{03}\u{01}", 400), ("CONNECT example.com:443 HTTP/1.1", 501), ("CONNECT / HTTP/1.1", 501),
        // separators
        ("GET  / HTTP/1.1", 400), ("GET /  HTTP/1.1", 400), ("GET / HTTP/1.1 ", 400), ("GET\t/ HTTP/1.1", 400),
        ("GET /\tHTTP/1.1", 400), ("GET / HTTP/1.1\t", 400), ("GET /a b HTTP/1.1", 400), ("GET /\u{0B}HTTP/1.1", 400),
        // target
        ("GET HTTP/1.1", 400), ("GET ! HTTP/1.1", 400), ("GET a HTTP/1.1", 400), ("GET ?a HTTP/1.1", 400),
        ("GET * HTTP/1.1", 400), ("OPTIONS *a HTTP/1.1", 400), ("OPTIONS *?a HTTP/1.1", 400),
        ("GET /a#b HTTP/1.1", 400), ("GET /?a#b HTTP/1.1", 400), ("GET /\u{7F} HTTP/1.1", 400),
        ("GET /\u{01} HTTP/1.1", 400), ("GET /\u{C3}\u{A9} HTTP/1.1", 400), ("GET /?\u{C3}\u{A9} HTTP/1.1", 400),
        ("GET /\u{00} HTTP/1.1", 400), ("GET /% HTTP/1.1", 400), ("GET /%4 HTTP/1.1", 400), ("GET /%zz HTTP/1.1", 400),
        ("GET /%+1 HTTP/1.1", 400), ("GET /%00 HTTP/1.1", 400), ("GET /%ff HTTP/1.1", 400),
        ("GET /%c0%af HTTP/1.1", 400), ("GET /%ed%a0%80 HTTP/1.1", 400), ("GET /?a=% HTTP/1.1", 400),
        ("GET /?%4=a HTTP/1.1", 400), ("GET /?a=%00 HTTP/1.1", 400), ("GET /?a=%ff HTTP/1.1", 400),
        ("GET /?a=%e2%82&b=%ac HTTP/1.1", 400), ("GET ftp://example.com/ HTTP/1.1", 400), ("GET http:// HTTP/1.1", 400),
        ("GET http:///a HTTP/1.1", 400), ("GET http:/a HTTP/1.1", 400), ("GET http://user@example.com/ HTTP/1.1", 400),
        ("GET http://a:b:c/ HTTP/1.1", 400), ("GET http://:80/ HTTP/1.1", 400), ("GET http://[::1/ HTTP/1.1", 400),
        ("GET http://[]/ HTTP/1.1", 400), ("GET http://a:123456/ HTTP/1.1", 400), ("GET example.com:80 HTTP/1.1", 400),
        // version
        ("GET /", 400), ("GET / ", 400), ("GET / http/1.1", 400), ("GET / HTTP/1", 400), ("GET / HTTP/11", 400),
        ("GET / HTTP/1.32", 400), ("GET / HTTP/01.1", 400), ("GET / HTTP/1.1a", 400), ("GET / HTTP/1.a", 400),
        ("GET / HTTP/+1.1", 400), ("GET / HTTP/4294967295.255", 400), ("GET / HTTPS/1.1", 400), ("GET / ICE/1.0", 400),
        ("GET / HTTP/2", 400), ("GET / HTTP/0.9", 505), ("GET / HTTP/2.0", 505), ("GET / HTTP/3.0", 505),
        ("PRI * HTTP/2.0", 505), ("GET / HTTP/5.6", 505),
    ]

    @Test("A malformed request line is refused", arguments: refused)
    func refusal(line: String, status: Int) {
        let input = octets("\(line)\r\nHost: a\r\n\r\n")
        #expect(verdicts(input).map(\.status) == [status])
    }

    @Test(
        "Only CRLF ends a line",
        arguments: [
            "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
            "GET / HTTP/1.1\rHost: a\r\r", "GET / HTTP/\r\r1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n\rZGET /evil: HTTP/1.1\r\nHost: a\r\n\r\n",
            "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /\nHTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func bareLineEnds(input: String) {
        #expect(verdicts(octets(input)).map(\.status) == [400])
    }

    @Test("Up to four empty lines before a request are skipped")
    func leadingEmptyLines() {
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let expected = verdicts(octets(request))
        #expect(expected.first?.status == nil)
        #expect(verdicts(octets(String(repeating: "\r\n", count: 4) + request)) == expected)
        #expect(verdicts(octets(String(repeating: "\r\n", count: 5) + request)).map(\.status) == [400])
    }

    @Test("An error message quotes at most 40 characters, escaped")
    func excerpt() throws {
        var wire = Wire()
        wire.receive(octets("GET / HTTP/1.1\r\nHost: \u{FF}\"\\" + String(repeating: "a", count: 100) + "\r\n\r\n"))
        let detail = try #require(wire.failure).detail
        #expect(
            detail == #"The Host "\xFF\x22\x5C\#(String(repeating: "a", count: 28))..." "#
                + "is not a host with an optional port.")
    }

    @Test("An error in a target names the character and does not quote the target, which may contain a key")
    func targetWithAKey() throws {
        for (target, detail) in [
            ("/key/\u{FF}", #"The request target has the unescaped illegal character "\xFF"."#),
            ("/key/%00", "The path does not decode to UTF-8 text."),
            ("ftp://key@host/", "The request target is neither a path nor an http URI."),
        ] {
            var wire = Wire()
            wire.receive(octets("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"))
            #expect(try #require(wire.failure).detail == detail)
        }
    }
}
