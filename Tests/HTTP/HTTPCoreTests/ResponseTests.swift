import HTTPCore
import Testing

@Suite("Responses")
struct ResponseTests {
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func sent(
        _ response: Response, version: Version = .http11, keepsAlive: Bool = true, omittingBody: Bool = false
    ) -> String {
        var output = Array("before|".utf8)
        response.serialize(
            into: &output, date: Array(Self.date.utf8), version: version, keepsAlive: keepsAlive,
            omittingBody: omittingBody)
        return text(output)
    }

    @Test("A response is written with Date, its fields, Content-Length and the body")
    func complete() {
        let response = Response(
            headers: [("Content-Type", "application/json"), ("X-Empty", "")], body: Array(#"{"a":1}"#.utf8))
        #expect(
            sent(response)
                == "before|HTTP/1.1 200 OK\r\nDate: \(Self.date)\r\nContent-Type: application/json\r\nX-Empty: \r\n"
                + "Content-Length: 7\r\n\r\n{\"a\":1}")
    }

    @Test("The response to HEAD has Content-Length and no body", arguments: [1, 9, 10, 100, 101, 1230, 98_765])
    func head(count: Int) {
        let response = Response(body: Array(repeating: 65, count: count))
        #expect(sent(response, omittingBody: true).hasSuffix("\r\nContent-Length: \(count)\r\n\r\n"))
    }

    @Test(
        "Statuses without content have neither a body nor Content-Length",
        arguments: [Status.noContent, .notModified, Status(101)])
    func noContent(status: Status) {
        let response = Response(status: status, headers: [("ETag", "\"a\"")], body: Array("body".utf8))
        #expect(
            sent(response)
                == "before|HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nDate: \(Self.date)\r\nETag: \"a\"\r\n\r\n")
    }

    @Test("An empty body has Content-Length 0")
    func empty() {
        #expect(sent(Response(status: .notFound)).hasSuffix("\r\nContent-Length: 0\r\n\r\n"))
    }

    static let connections: [(version: Version, keepsAlive: Bool, field: String)] = [
        (.http11, true, ""), (.http11, false, "Connection: close\r\n"), (.http10, true, "Connection: keep-alive\r\n"),
        (.http10, false, "Connection: close\r\n"),
    ]

    @Test("Connection is close, keep-alive to HTTP/1.0, or absent", arguments: connections)
    func connection(version: Version, keepsAlive: Bool, field: String) {
        #expect(
            sent(Response(), version: version, keepsAlive: keepsAlive)
                == "before|HTTP/1.1 200 OK\r\nDate: \(Self.date)\r\nContent-Length: 0\r\n\(field)\r\n")
    }

    @Test("Line breaks and NUL in a value cannot split the response")
    func injection() {
        let response = Response(headers: [("X", "a\r\nSet-Cookie: b\r\n\r\n<html>\u{0}"), ("Y", "ż\t\"")])
        #expect(
            sent(response)
                == "before|HTTP/1.1 200 OK\r\nDate: \(Self.date)\r\nX: a  Set-Cookie: b    <html> \r\nY: ż\t\"\r\n"
                + "Content-Length: 0\r\n\r\n")
    }

    @Test(
        "Fields with an invalid name, and those that the serializer writes, are left out",
        arguments: ["", "a b", "a:b", "a\r\nb", "é", "Content-Length", "transfer-encoding", "CONNECTION", "date"])
    func names(name: String) {
        #expect(sent(Response(headers: [(name, "1"), ("Z", "z")])) == sent(Response(headers: [("Z", "z")])))
    }

    @Test(
        "Status lines have the reason phrase",
        arguments: [
            (200, "OK"), (304, "Not Modified"), (400, "Bad Request"), (404, "Not Found"), (405, "Method Not Allowed"),
            (408, "Request Timeout"), (413, "Content Too Large"), (414, "URI Too Long"), (417, "Expectation Failed"),
            (429, "Too Many Requests"), (431, "Request Header Fields Too Large"), (501, "Not Implemented"),
            (502, "Bad Gateway"), (503, "Service Unavailable"), (504, "Gateway Timeout"),
            (505, "HTTP Version Not Supported"), (299, "Success"), (399, "Redirection"), (499, "Client Error"),
            (599, "Server Error"),
        ])
    func statusLines(code: Int, phrase: String) {
        #expect(sent(Response(status: Status(code))).hasPrefix("before|HTTP/1.1 \(code) \(phrase)\r\n"))
        #expect(Status(code).reasonPhrase == phrase)
    }

    @Test("An invalid status code is sent as 500", arguments: [0, 99, 600, 1000, -1, Int.max])
    func codes(code: Int) {
        #expect(Status(code) == Status(500))
    }
}
