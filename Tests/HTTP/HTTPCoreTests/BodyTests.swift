import HTTPCore
import Testing

@Suite("Request bodies")
struct BodyTests {
    static func post(_ fields: String, _ body: String = "") -> [UInt8] {
        octets("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)")
    }

    static let framingRows: [(fields: String, hasBody: Bool)] = [
        ("Content-Length: 5", true), ("Content-Length: 0", false), ("content-LENGTH:3", true),
        ("Content-Length: \t 3 \t", true), ("X: y", false), ("Content-Length: 9223372036854775807", true),
        ("Content-Length: 65537", true), ("Transfer-Encoding: Chunked", true),
    ]

    @Test("A request has a body if its Content-Length is above 0 or it is chunked", arguments: framingRows)
    func framing(fields: String, hasBody: Bool) {
        var parser = RequestParser()
        let head = Self.post(fields)
        guard case .request(let request, head.count) = parser.parse((head + octets("body")).span) else {
            Issue.record("no request")
            return
        }
        #expect(request.hasBody == hasBody)
        #expect(request.keepsAlive)
    }

    static let framingRefused: [(fields: String, status: Int)] = [
        ("Content-Length:", 400), ("Content-Length: -1", 400), ("Content-Length: +1", 400),
        ("Content-Length: 1_0", 400),
        ("Content-Length: 010", 400), ("Content-Length: 00", 400), ("Content-Length: 003", 400),
        ("Content-Length: 0x10", 400), ("Content-Length: 1Z", 400), ("Content-Length: 1 0", 400),
        ("Content-Length: 1.0", 400),
        ("Content-Length: \"1\"", 400),
        ("Content-Length: 1, 1", 400), ("Content-Length: 1,1", 400), ("Content-Length: 1\r\nContent-Length: 1", 400),
        ("Content-Length: 1\r\nContent-Length: 0", 400), ("Content-Length: \r\nContent-Length: 43", 400),
        ("Content-Length: 18446744073709551617", 400), ("Content-Length: 9223372036854775808", 400),
        ("Content-Length\u{85}: 1", 400),
        ("Content-Length: \u{B2}", 400), ("Content-Length : 1", 400),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding: chunked\r\nContent-Length: 0", 400),
        ("Transfer-Encoding: ,chunked\r\nContent-Length: 5", 400),
        ("Transfer-Encoding: gzip, chunked", 501), ("Transfer-Encoding: gzip,deflate , chunked", 501),
        ("Transfer-Encoding: gzip", 400), ("Transfer-Encoding: identity", 400), ("Transfer-Encoding: pigeons", 400),
        ("Transfer-Encoding: chunked, gzip", 400), ("Transfer-Encoding: chunked, chunked", 400),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 400), ("Transfer-Encoding: ,chunked", 400),
        ("Transfer-Encoding: chunked,", 400), ("Transfer-Encoding:", 400), ("Transfer-Encoding: \"chunked\"", 400),
        ("Transfer-Encoding: chunked;a=b", 400), ("Transfer-Encoding: chunked\u{0B}", 400),
        ("Transfer-Encoding: \u{A0}chunked\u{A0}", 400), ("Transfer-Encoding:\tchunked", 400),
        ("Transfer-Encoding: chunked \t", 400), ("Transfer-Encoding: \tchunked", 400),
        ("Transfer-Encoding : chunked", 400),
        ("Transfer-Encoding: chunke", 400), ("Transfer-Encoding: chunk ed", 400), ("Transfer-Encoding: xchunked", 400),
        ("Transfer-Encoding:\r\n chunked", 400), ("Transfer-Encoding: gzip,\tchunked", 400),
    ]

    @Test("Ambiguous or invalid framing is refused before the body", arguments: framingRefused)
    func refusedFraming(fields: String, status: Int) {
        #expect(verdicts(Self.post(fields)).map(\.status) == [status])
    }

    @Test("The chunked coding is refused in HTTP/1.0")
    func chunkedHTTP10() {
        let input = octets("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        #expect(verdicts(input).map(\.status) == [400])
    }

    static let chunkedRows: [(sent: String, body: String)] = [
        ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5\r\nhello\r\n6\r\n world\r\n000\r\n\r\n", "hello world"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("000000000000000a\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
        ("1;a\r\nx\r\n0;b=c\r\n\r\n", "x"), ("1;a=\"q\\\";,\";b\r\nx\r\n0\r\n\r\n", "x"),
        ("1;a;b;c=d\r\nx\r\n0\r\n\r\n", "x"),
        ("1\r\nx\r\n0\r\nVary: *\r\nContent-Type: text/plain\r\n\r\n", "x"),
    ]

    @Test("A chunked body is decoded without its extensions and trailers", arguments: chunkedRows)
    func chunked(sent: String, body: String) throws {
        let input = Self.post("Transfer-Encoding: Chunked", sent)
        #expect(verdicts(input).map(\.status) == [nil])
        var wire = Wire()
        wire.receive(input.dropLast())
        #expect(wire.requests.isEmpty)
        wire.receive(input.suffix(1))
        let request = try #require(wire.requests.first)
        #expect(wire.bodies.map(text) == [body])
        #expect(request.headers["Vary"] == nil)
        #expect(wire.pending == 0)
    }

    @Test("A chunked body is held once, however it is framed and however much of it has arrived")
    func chunkedMemory() {
        var wire = Wire()
        wire.receive(Self.post("Transfer-Encoding: chunked"))
        for _ in 0..<1000 {
            wire.receive(octets("1;a=b\r\nx\r"))
            #expect(wire.pending <= 1)
            wire.receive(octets("\n"))
            #expect(wire.pending == 0)
        }
        wire.receive(octets("0\r\nX: y\r\n"))
        #expect(wire.pending == 0)
        wire.receive(octets("\r\n"))
        #expect(wire.bodies.map(\.count) == [1000])
    }

    static let chunksRefused: [String] = [
        "\r\n\r\n", "x\r\n", "Z\r\nZZ\r\n", "-1\r\n", "+1\r\nx\r\n", "-0x0\r\n\r\n", "0x1\r\nx\r\n", "0_2e\r\n",
        " 1\r\nx\r\n",
        "1 \r\nx\r\n", "1\t\r\nx\r\n", "2 erfrferferf\r\naa\r\n", "1these-bytes\r\nZ\r\n", "1;\r\nx\r\n",
        "1;;a\r\nx\r\n",
        "1;a=\r\nx\r\n", "1;a=\"b\r\nx\r\n", "1;a=\"b\\\r\nx\r\n",
        "1;a=b\r\r\n", "1\rx\r\n", "1\nx\r\n", "1;a\nb\r\nx\r\n", "1;a\u{00}\r\nx\r\n", "1;\u{85}\r\nx\r\n",
        "5\r\r;ABCD\r\n",
        "1\r\nxy\r\n", "1\r\nx\n0\r\n", "1\r\nx\r\r\n", "1\r\nx0\r\n", "10000000000000000\r\n", "ffffffffffffffff\r\n",
        "8000000000000000\r\n", "00000000000000001\r\nx\r\n", "INVALID!!!\r\n", "1,1\r\nx\r\n",
        "1\r\nx\r\n0\r\nbad\r\n\r\n",
        "0\r\nX : y\r\n\r\n", "0\r\n folded\r\n\r\n", "0\r\nX: a\u{00}\r\n\r\n", "0\r\n\n", "0\r\n\rX\r\n",
        "0\nX: y\r\n\r\n",
    ]

    @Test("Malformed chunks are refused", arguments: chunksRefused)
    func chunkRefusal(sent: String) {
        #expect(verdicts(Self.post("Transfer-Encoding: chunked", sent)).map(\.status) == [400])
    }

    @Test("A parser that has failed refuses further input")
    func failedParser() {
        var wire = Wire()
        wire.receive(Self.post("Content-Length: x"))
        let failure = wire.failure
        #expect(failure?.status == .badRequest)
        var parser = wire.parser
        guard case .failure(let again) = parser.parse(octets("GET / HTTP/1.1\r\nHost: a\r\n\r\n").span) else {
            Issue.record("a failed parser continued")
            return
        }
        #expect(again == failure)
    }
}
