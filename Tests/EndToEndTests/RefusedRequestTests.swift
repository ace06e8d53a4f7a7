import TestSupport
import Testing

/// What is known of a request that the server refuses before its route is asked.
@Suite("Refused requests", .timeLimit(.minutes(10)))
struct RefusedRequestTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let fields = """
        Host: a\r\nX-Request-Id: client-id-77\r\ntraceparent: 00-\(trace)-b7ad6b7169203331-01\r\n\
        Origin: https://app.example\r\n
        """

    /// A request line, further fields, and what is expected; a method that is not registered is `_OTHER`.
    private static let cases: [(line: String, fields: String, status: Int, method: String, route: String?)] = [
        ("GET /\(String(repeating: "x", count: 9000)) HTTP/1.1", "", 414, "GET", nil),
        ("GET \(weather) HTTP/1.1", "Expect: wonders\r\n", 417, "GET", "/weather"),
        ("GET \(weather) HTTP/1.1", String(repeating: "X: y\r\n", count: 101), 431, "GET", "/weather"),
        ("HEAD /livez HTTP/1.1", "X: \(String(repeating: "y", count: 33_000))\r\n", 431, "HEAD", "/livez"),
        ("GET /weather?lat=%zz HTTP/1.1", "", 400, "GET", "/weather"),
        ("GET \(weather) HTTP/1.1", "Host: b\r\n", 400, "GET", "/weather"),
        ("GET /nothing HTTP/1.1", "no colon\r\n", 400, "GET", nil),
        (
            "GET \(darkSkyWeather) HTTP/1.1", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400, "GET",
            "/forecast/{anything}/{latitude},{longitude}"
        ),
        ("GET \(weather) HTTP/2.0", "", 505, "GET", "/weather"), ("CONNECT a:443 HTTP/1.1", "", 501, "CONNECT", nil),
        ("BREW /pot HTTP/1.1", "X : y\r\n", 400, "_OTHER", nil),
    ]

    /// A service with one shard, so that the lines of its log are in the order of the requests.
    private static func service() throws -> WeirProcess {
        try WeirProcess.serve(
            configuration([Checkout.sample]).replacing("\"shards\": 2", with: "\"shards\": 1").replacing(
                #""server": {"#, with: #""server": {"cors": {"origins": ["https://app.example"]}, "#))
    }

    @Test("The line of a refused request has its method, route, size and ids, and its bytes are counted")
    func record() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        var sizes: [Int] = []
        for (line, fields, status, _, _) in Self.cases {
            let client = try weir.client()
            let request = "\(line)\r\n\(Self.fields)\(fields)\r\n"
            client.send(request)
            sizes.append(request.utf8.count)
            let head = try client.read(hasBody: !line.hasPrefix("HEAD"))
            #expect(head.status == status, "\(line.prefix(40))")
            #expect(head.header("X-Request-Id") == "client-id-77", "\(line.prefix(40))")
            client.close()
        }
        let metrics = try weir.get("/metrics").text.split(separator: "\n")
        let received = metrics.first { $0.hasPrefix("http_server_received_bytes_total ") }
        #expect(Int(received?.split(separator: " ").last ?? "") ?? 0 >= sizes.reduce(0, +))
        #expect(try weir.terminate() == 0)
        let lines = try weir.output.split(separator: "\n").map { try Parsed(String($0)) }
        #expect(lines.count == Self.cases.count)
        for (line, (expected, size)) in zip(lines, zip(Self.cases, sizes)) {
            let name = "\(expected.line.prefix(40)), \(expected.status)"
            #expect(line["http.response.status_code"].integer == expected.status, "\(name)")
            #expect(line["http.request.method"].string == expected.method, "\(name)")
            #expect(line["http.route"].string == expected.route, "\(name)")
            #expect(line["http.request.size"].integer == size, "\(name)")
            #expect(line["weir.request_id"].string == "client-id-77", "\(name)")
            #expect(line["trace_id"].string == Self.trace, "\(name)")
        }
    }

    @Test("A script of a listed origin may read the answer to a refused request, and those of probes")
    func origin() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        var answers: [(String, RawAnswer)] = []
        for (line, fields, _, _, _) in Self.cases {
            let client = try weir.client()
            client.send("\(line)\r\n\(Self.fields)\(fields)\r\n")
            answers.append((line, try client.read(hasBody: !line.hasPrefix("HEAD"))))
            client.close()
        }
        let client = try weir.client()
        let origin = "Origin: https://app.example"
        for path in ["/livez", "/readyz", "/metrics"] {
            answers.append((path, try client.get(path, headers: [origin])))
            answers.append((path, try client.get(path, method: "DELETE", headers: [origin, "Content-Length: 0"])))
            let preflight = [origin, "Access-Control-Request-Method: GET"]
            answers.append((path, try client.get(path, method: "OPTIONS", headers: preflight)))
        }
        for (name, answer) in answers {
            #expect(
                answer.header("Access-Control-Allow-Origin") == "https://app.example",
                "\(name.prefix(40)), \(answer.status)")
            #expect(answer.header("Vary")?.contains("Origin") == true, "\(name.prefix(40)), \(answer.status)")
        }
        #expect(try client.get("/livez").header("Access-Control-Allow-Origin") == nil)
    }

    @Test("A large answer that is ready at once is compressed for a client that accepts it")
    func compressed() throws {
        let weir = try Self.service()
        defer { weir.kill() }
        let client = try weir.client()
        let target = "/weather?" + (0..<60).map { "unknown\($0)=1" }.joined(separator: "&")
        let plain = try client.get(target)
        #expect(plain.status == 400)
        #expect(plain.body.count > 1024)
        #expect(plain.header("Content-Encoding") == nil)
        #expect(plain.header("Vary")?.contains("Accept-Encoding") == true)
        let packed = try client.get(target, headers: ["Accept-Encoding: gzip"])
        #expect(packed.status == 400)
        #expect(packed.header("Content-Encoding") == "gzip")
        #expect(packed.header("Vary")?.contains("Accept-Encoding") == true)
        #expect(try Gzip.inflate(packed.body) == plain.body)
        let small = try client.get("/nothing", headers: ["Accept-Encoding: gzip"])
        #expect(small.status == 404)
        #expect(small.header("Content-Encoding") == nil)
    }
}
