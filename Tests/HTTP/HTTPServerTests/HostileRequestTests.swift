import HTTPCore
import HTTPServer
import TestSupport
import Testing

/// Requests whose end two readers could find in different places, and malformed ones, sent to a running server.
///
/// The classes are those of MDA2AV/Http11Probe (src/Http11Probe/TestCases) and of narfindustries/http-garden
/// (TROPHIES.md); the bytes are our own. Behind each input comes a request for `/end`: a server that misreads the input
/// answers it, or answers one more.
@Suite("Hostile requests")
struct HostileRequestTests {
    /// An input, and what the server answers to it: a refusal before it closes, or the requests that it read.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let input: String
        let refusal: Int?
        var requests: [String] = []
        /// Whether the last request has a body, which is not read.
        var isUnread = false

        /// The input, and a request behind it.
        var bytes: [UInt8] {
            input.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + Array(HostileRequestTests.end.utf8)
        }

        static func refused(_ name: String, _ status: Int, _ input: String) -> Case {
            Case(testDescription: name, input: input, refusal: status)
        }

        static func refused(_ name: String, _ input: String) -> Case { refused(name, 400, input) }

        static func read(_ name: String, _ input: String, _ requests: String...) -> Case {
            Case(testDescription: name, input: input, refusal: nil, requests: requests)
        }

        /// A request with a body: the answer closes the connection.
        static func unread(_ name: String, _ input: String, _ request: String = "POST / ") -> Case {
            Case(testDescription: name, input: input, refusal: nil, requests: [request], isUnread: true)
        }
    }

    private static let end = "GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    private static let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"

    /// A GET with these field lines beside Host.
    private static func get(_ fields: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n" }

    /// A POST with these field lines beside Host, and what follows its head.
    private static func post(_ fields: String, _ body: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    /// A POST with the chunked coding.
    private static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked", body) }

    /// A request with this request line.
    private static func line(_ line: String) -> String { "\(line)\r\nHost: a\r\n\r\n" }

    private static let lengths: [Case] = [
        .unread("a length", post("Content-Length: 5", "hello")),
        .unread("a length between blanks", post("Content-Length: \t 5 \t", "hello")),
        .read("a length of 0", post("Content-Length: 0"), "POST / "),
        .read("neither a length nor a coding", post("X: y"), "POST / "),
        .unread("a length with GET", get("Content-Length: 5") + "hello", "GET / "),
        .unread("a length with OPTIONS", "OPTIONS / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", "OPTIONS / "),
        .unread("a hidden request as a body", post("Content-Length: \(hidden.utf8.count)", hidden)),
        .unread("a large length", post("Content-Length: 999999999")),
        .refused("a sign", post("Content-Length: +5", "hello")),
        .refused("a negative length", post("Content-Length: -5", "hello")),
        .refused("negative zero", post("Content-Length: -0")),
        .refused("letters", post("Content-Length: five", "hello")),
        .refused("digits and a letter", post("Content-Length: 1Z", "Z")),
        .refused("hexadecimal digits", post("Content-Length: 0x5", "hello")),
        .refused("octal digits", post("Content-Length: 0o5", "hello")),
        .refused("a leading zero", post("Content-Length: 010", "01234567")),
        .refused("two zeros", post("Content-Length: 00")),
        .refused("an underscore", post("Content-Length: 1_0", "0123456789")),
        .refused("a blank inside", post("Content-Length: 1 0", "0123456789")),
        .refused("a decimal point", post("Content-Length: 5.0", "hello")),
        .refused("no digits", post("Content-Length: ", hidden)),
        .refused("a length of 2^64 and more", post("Content-Length: 18446744073709551621", "hello")),
        .refused("a list of different lengths", post("Content-Length: 5, 0", "hello")),
        .refused("a list of equal lengths", post("Content-Length: 5, 5, 5", "hello")),
        .refused("two different lengths", post("Content-Length: 0\r\nContent-Length: \(hidden.utf8.count)", hidden)),
        .refused("two equal lengths", post("Content-Length: 5\r\nContent-Length: 5", "hello")),
        .refused("an empty length and another", post("Content-Length: \r\nContent-Length: 5", "hello")),
    ]

    private static let codings: [Case] = [
        .unread("chunks", chunked("5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n")),
        .unread("no chunk but the last", chunked("0\r\n\r\n")),
        .unread("a hidden request behind the last chunk", chunked("0\r\n\r\n" + hidden)),
        .unread("a malformed chunk", chunked("+0\r\n\r\n" + hidden)),
        .unread("another letter case", post("Transfer-Encoding: Chunked", "0\r\n\r\n")),
        .refused("a tab, which some proxies do not skip", post("Transfer-Encoding:\tchunked", "0\r\n\r\n")),
        .refused("a length and chunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n" + hidden)),
        .refused(
            "chunks and a length", post("Transfer-Encoding: chunked\r\nContent-Length: 4", "5c\r\n\(hidden)0\r\n\r\n")),
        .refused("chunked twice", post("Transfer-Encoding: chunked, chunked", "0\r\n\r\n")),
        .refused("two fields", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n")),
        .refused(
            "chunked and identity", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "0\r\n\r\n")),
        .refused("another coding last", post("Transfer-Encoding: chunked, gzip", "0\r\n\r\n")),
        .refused("a coding before chunked", 501, post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n")),
        .refused("an unknown coding", post("Transfer-Encoding: xchunked", "0\r\n\r\n")),
        .refused("identity", post("Transfer-Encoding: identity", "hello")),
        .refused("no coding", post("Transfer-Encoding: ", "0\r\n\r\n")),
        .refused("parameters", post("Transfer-Encoding: chunked;a=b", "0\r\n\r\n")),
        .refused("a vertical tab", post("Transfer-Encoding: \u{B}chunked", "0\r\n\r\n")),
        .refused("a form feed", post("Transfer-Encoding: \u{C}chunked", "0\r\n\r\n")),
        .refused("NUL", post("Transfer-Encoding: chunked\0", "0\r\n\r\n")),
        .refused("a blank of Latin-1", post("Transfer-Encoding: \u{A0}chunked\u{A0}", "0\r\n\r\n")),
        .refused("a folded line", post("Transfer-Encoding:\r\n chunked", "0\r\n\r\n")),
        .refused("a line cut inside the name", post("Transfer-\r\nEncoding: chunked", "0\r\n\r\n")),
        .refused("a blank before the colon", post("Transfer-Encoding : chunked", "0\r\n\r\n")),
        .refused("HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    private static let fields: [Case] = [
        .read("an underscore in a name", get("Content_Length: 5\r\nTransfer_Encoding: chunked"), "GET / "),
        .refused("a blank before the colon", get("Content-Length : 5") + "hello"),
        .refused("no colon", get("Content-Length 10")),
        .refused("no name", get(": x")),
        .refused("brackets in a name", get("[X]: y")),
        .refused("a tab in a name", get("Content\t-Length: 5")),
        .refused("a byte of Latin-1 in a name", get("Content-Length\u{85}: 10")),
        .refused("a letter of UTF-8 in a name", get("X-\u{C3}\u{AB}: y")),
        .refused("a control character in a name", get("X\u{1}: y")),
        .refused("NUL in a value", get("X: y\0z")),
        .refused("control characters in a value", get("X: \u{1}\u{7F}")),
        .refused("a carriage return in a value", get("X: y\rContent-Length: 5")),
        .refused(
            "a carriage return at the end of the head", "GET / HTTP/1.1\r\nHost: a\r\n\rZGET /evil HTTP/1.1\r\n\r\n"),
        .refused("a folded line", get("X: y\r\n z")),
        .refused("a blank before the first field", "GET / HTTP/1.1\r\n Host: a\r\nX: y\r\n\r\n"),
        .refused("line feeds alone", "GET / HTTP/1.1\nHost: a\n\n"),
        .refused("a line feed alone", "GET / HTTP/1.1\r\nHost: a\r\nX: y\n\r\n"),
        .refused("carriage returns alone", "GET / HTTP/1.1\rHost: a\r\r"),
        .refused("a long value", 431, get("X: \(String(repeating: "y", count: 100 << 10))")),
        .refused("a long name", 431, get("\(String(repeating: "x", count: 100 << 10)): y")),
        .refused("many fields", 431, get((0..<10_000).map { "X\($0): y" }.joined(separator: "\r\n"))),
        .refused("an unknown expectation", 417, get("Expect: 200-ok")),
    ]

    private static let hosts: [Case] = [
        .read("no host with HTTP/1.0", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / "),
        .refused("no host", "GET / HTTP/1.1\r\n\r\n"),
        .refused("two hosts", get("Host: b")),
        .refused("two equal hosts", get("Host: a")),
        .refused("a list of hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
        .refused("a user", "GET / HTTP/1.1\r\nHost: user@a\r\n\r\n"),
        .refused("a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        .refused("NUL", "GET / HTTP/1.1\r\nHost: a\0.b\r\n\r\n"),
        .refused("bytes of Latin-1", "GET / HTTP/1.1\r\nHost: \u{FF}a\u{FF}\r\n\r\n"),
    ]

    private static let lines: [Case] = [
        .read("an absolute URL", line("GET http://a/x HTTP/1.1"), "GET /x "),
        .read("a higher minor version", line("GET /x HTTP/1.2"), "GET /x "),
        .read("an empty line before it", "\r\n" + line("GET /x HTTP/1.1"), "GET /x "),
        .read("a method in lower case", line("get / HTTP/1.1"), "get / "),
        .read(
            "8,000 bytes", line("GET /\(String(repeating: "x", count: 8000)) HTTP/1.1"),
            "GET /\(String(repeating: "x", count: 8000)) "),
        .refused("no version", "GET /\r\n\r\n"),
        .refused("no target", line("GET HTTP/1.1")),
        .refused("an empty target", line("GET  HTTP/1.1")),
        .refused("two blanks", line("GET  / HTTP/1.1")),
        .refused("tabs", line("GET\t/\tHTTP/1.1")),
        .refused("a blank in the target", line("GET /a b HTTP/1.1")),
        .refused("a fragment", line("GET /a#b HTTP/1.1")),
        .refused("a target without a slash", line("GET ! HTTP/1.1")),
        .refused("an asterisk with GET", line("GET * HTTP/1.1")),
        .refused("NUL in the target", line("GET /\0 HTTP/1.1")),
        .refused("bytes of UTF-8 in the target", line("GET /\u{C3}\u{A9} HTTP/1.1")),
        .refused("a method that is no token", line("G=\":<>(e),[T];?\" / HTTP/1.1")),
        .refused("NUL as the method", line("\0 / HTTP/1.1")),
        .refused("a version in lower case", line("GET / http/1.1")),
        .refused("a version without a minor digit", line("GET / HTTP/1")),
        .refused("leading zeros", line("GET / HTTP/01.01")),
        .refused("a long minor version", line("GET / HTTP/1.32")),
        .refused("a blank in the version", line("GET / HTTP/ 1.1")),
        .refused("carriage returns in the version", line("GET / HTTP/\r\r1.1")),
        .refused("a large version", line("GET / HTTP/4294967295.255")),
        .refused("another protocol", line("GET / ICAP/1.0")),
        .refused("HTTP/2", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        .refused("HTTP/2 with GET", 505, line("GET / HTTP/2.0")),
        .refused("noise", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\r\n\r\n"),
        .refused("blanks alone", "   \r\n\r\n"),
        .refused("a long target", 414, line("GET /\(String(repeating: "x", count: 100 << 10)) HTTP/1.1")),
        .refused("a long method", line("\(String(repeating: "X", count: 100 << 10)) / HTTP/1.1")),
        .refused("the authority form", 501, line("CONNECT a:443 HTTP/1.1")),
    ]

    static let groups = [
        "Content-Length": lengths, "Transfer-Encoding": codings, "fields": fields, "Host": hosts,
        "request line": lines,
    ]

    @Test(
        "The server reads an input as the specification says, or refuses it and closes",
        arguments: groups.keys.sorted())
    func hostile(_ group: String) async throws {
        try await Harness.run { harness in
            for sample in Self.groups[group] ?? [] {
                let peer = try harness.connect()
                // The server may close before it has taken everything.
                try? await peer.send(sample.bytes)
                for request in sample.requests.dropLast(sample.isUnread ? 1 : 0) {
                    #expect(try await peer.answer().text == request, "\(group): \(sample)")
                }
                let last = try await peer.answer()
                if sample.isUnread {
                    #expect(last.text == sample.requests.last, "\(group): \(sample)")
                } else if let refusal = sample.refusal {
                    #expect(last.status == refusal, "\(group): \(sample): \(last.text)")
                } else {
                    #expect(last.text == "GET /end ", "\(group): \(sample)")
                }
                #expect(last.header("Connection") == "close", "\(group): \(sample)")
                #expect((try? await peer.rest()) ?? "" == "", "\(group): \(sample)")
            }
        }
    }
}
