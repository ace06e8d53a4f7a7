import TestSupport
import Testing

/// The explorer, the reference and their files, as browsers get them.
@Suite(.timeLimit(.minutes(10)))
struct PageTests {
    private static let document = #"{"items":[{"item_id":1}],"key":"s3ntinel-KEY","total": 9007199254740993123}"#

    /// Starts a service with one route, `/list`, and these settings of pages; its upstream answers `document`.
    private static func serve(
        pages: String, routes: [String] = [], document: [UInt8] = Array(document.utf8)
    ) throws -> (weir: WeirProcess, upstream: ScriptedUpstream) {
        let upstream = try ScriptedUpstream { _ in .answer(200, document) }
        let list =
            #"{"path": "/list", "fetch": {"upstream": "up", "path": "/items"}, "answer": {"properties": {"total": "total"}}}"#
        let weir = try WeirProcess.serve(
            """
            {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000, "pages": {\(pages)}},
             "upstreams": [{"name": "up", "baseURL": "\(upstream.baseURL)", "authorization": "header", "keyName": "X-Key",
                            "key": {"environment": "WEIR_TEST_KEY"}, "retryPercent": 0}],
             "routes": [\(([list] + routes).joined(separator: ", "))]}
            """, environment: ["WEIR_TEST_KEY": "s3ntinel-KEY"])
        return (weir, upstream)
    }

    /// The files to which a page refers, as absolute paths.
    private static func files(of page: RawAnswer) -> [String] {
        page.text.matches(of: /(?:href|src)="(-pages\/[^"]+)"/).map { "/\($0.1)" }
    }

    @Test(arguments: ["/", "/docs"])
    func aPageRunsAndLoadsItsOwnFilesAlone(_ path: String) throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let client = try weir.client()
        let page = try client.get(path)
        #expect(page.status == 200)
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
        #expect(
            page.header("Content-Security-Policy") == """
                default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                frame-ancestors 'none'; base-uri 'none'; form-action 'none'
                """)
        #expect(page.header("X-Content-Type-Options") == "nosniff")
        #expect(page.header("Referrer-Policy") == "no-referrer")
        #expect(page.header("Cache-Control") == "no-cache")
        let files = Self.files(of: page)
        #expect(files.count >= 4)
        // The policy would block a script or a style in the page.
        #expect(page.text.matches(of: /<style|<script(?! defer src="-pages\/)| style=| on[a-z]+=|https?:/).isEmpty)
        for file in files {
            let answer = try client.get(file)
            #expect(answer.status == 200, "\(file)")
            #expect(answer.header("Cache-Control") == "public, max-age=31536000, immutable")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            let type = ["css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]
            let ending = String(file.split(separator: ".").last ?? "")
            #expect(answer.header("Content-Type") == type[ending].map { "\($0); charset=utf-8" })
            #expect(file.contains(/\.[0-9a-f]{8,16}\./))
        }
        try expectProblem(client.get("/-pages/page.js"), 404)
    }

    @Test func allFilesTogetherAreSmall() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let client = try weir.client()
        let pages = try [client.get("/"), client.get("/docs")]
        let files = try Set(pages.flatMap(Self.files)).map { try client.get($0) }
        #expect((pages + files).reduce(0) { $0 + $1.body.count } <= 60 << 10)
    }

    @Test func aPageHasAnEntityTagAndCodings() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let client = try weir.client()
        let page = try client.get("/")
        let tag = try #require(page.header("ETag"))
        let known = try client.get("/", headers: ["If-None-Match: \(tag)"])
        #expect(known.status == 304)
        #expect(known.body.isEmpty)
        let script = try #require(Self.files(of: page).last)
        for target in ["/", script] {
            let plain = try client.get(target)
            let coded = try client.get(target, headers: ["Accept-Encoding: gzip"])
            #expect(coded.header("Content-Encoding") == "gzip")
            #expect(coded.header("Vary") == "Accept-Encoding")
            #expect(coded.header("ETag") == plain.header("ETag"))
            #expect(try Gzip.inflate(coded.body) == plain.body)
            let brotli = try client.get(target, headers: ["Accept-Encoding: br"])
            #expect(brotli.header("Content-Encoding") == "br")
            #expect(brotli.body.count < plain.body.count)
            #expect(try client.get(target, method: "HEAD").header("Content-Length") == "\(plain.body.count)")
        }
    }

    @Test func pagesAreNoPartOfTheAPI() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let text = try weir.get("/openapi.json").text
        for (path, isListed) in [("/weather", true), ("/", false), ("/docs", false)] {
            #expect(text.contains("\"\(path)\":{\"get\"") == isListed, "\(path)")
        }
    }

    @Test func aSettingTurnsThePagesOff() throws {
        let (weir, upstream) = try Self.serve(pages: #""enabled": false"#)
        defer {
            weir.kill()
            upstream.stop()
        }
        for path in ["/", "/docs", "/-pages/page.js"] { try expectProblem(weir.get(path), 404) }
        #expect(try weir.get("/openapi.json").status == 200)
    }

    @Test func aConfiguredRouteTakesThePlaceOfTheReference() throws {
        let route = #"{"path": "/docs", "name": "own", "fetch": {"upstream": "up", "path": "/docs"}}"#
        let (weir, upstream) = try Self.serve(pages: "", routes: [route])
        defer {
            weir.kill()
            upstream.stop()
        }
        #expect(try weir.get("/docs").header("Content-Type") == "application/json")
        #expect(try weir.get("/").header("Content-Type") == "text/html; charset=utf-8")
    }

    @Test func thePathsOfFilesAreReserved() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(
            """
            {"upstreams": [{"name": "up", "baseURL": "http://127.0.0.1:1"}],
             "routes": [{"path": "/-pages/x", "fetch": {"upstream": "up", "path": "/"}}]}
            """, to: "weir.json")
        let run = try WeirProcess.run(["check", "--config", file])
        #expect(run.errors.contains("routes[0].path must not start with /-pages/, which is reserved"), "\(run.errors)")
    }

    @Test func rawAddsTheDocumentOfTheUpstreamWithoutKeys() throws {
        let (weir, upstream) = try Self.serve(pages: #""showsUpstream": true"#)
        defer {
            weir.kill()
            upstream.stop()
        }
        // The second answer comes from the cache.
        for _ in 0..<2 {
            let answer = try weir.get("/list?explain=raw")
            let text = answer.text.replacing(#/,"fetchedAt":"[0-9T:Z-]{20}","digest":"[0-9a-f]{16}"/#, with: "")
            #expect(
                text == """
                    {"data":{"total":9007199254740993123},"drift":[],"source":{"upstream":"up","dialect":"json"},\
                    "upstream":{"items":[{"item_id":1}],"key":"***","total": 9007199254740993123}}
                    """)
        }
        #expect(try !weir.get("/list?explain=1").text.contains("item_id"))
        let words = try weir.get("/openapi.json").json()["paths"]["/list"]["get"]["parameters"].elements
            .first { $0["name"].string == "explain" }?["schema"]["enum"].strings
        #expect(words == ["1", "0", "true", "false", "raw"])
    }

    @Test func aDocumentThatIsNotJSONAsReceivedIsWrittenAnew() throws {
        let document = [0xEF, 0xBB, 0xBF] + Array(#"{"total": 1.50, "text": "a"#.utf8) + [0xFF] + Array(#"b"}"#.utf8)
        let (weir, upstream) = try Self.serve(pages: #""showsUpstream": true"#, document: document)
        defer {
            weir.kill()
            upstream.stop()
        }
        let answer = try weir.get("/list?explain=raw")
        #expect(answer.text.hasSuffix(#","upstream":{"total":1.50,"text":"a\#u{FFFD}b"}}"#), "\(answer.text)")
    }

    @Test(arguments: ["/list?explain=raw", "/weather?lat=1&lon=2&explain=raw", "/tweets/1?explain=raw"])
    func rawIsAnUnknownWordWithoutTheSetting(_ target: String) throws {
        let weir: WeirProcess
        var upstream: ScriptedUpstream?
        if target.hasPrefix("/list") {
            (weir, upstream) = try Self.serve(pages: "")
        } else {
            let text = String(decoding: try Checkout.read("\(Checkout.root)/Config/demo.json"), as: UTF8.self)
            weir = try WeirProcess.serve(
                text.replacing("\"showsUpstream\": true, ", with: "").replacing("127.0.0.1:8080", with: "127.0.0.1:0")
                    .replacing("samples/", with: "\(Checkout.root)/Config/samples/"))
        }
        defer {
            weir.kill()
            upstream?.stop()
        }
        let problem = try expectProblem(weir.get(target), 400)
        #expect(
            problem["errors"].elements.first?["detail"].string
                == "must be one of 1, 0, true, false, not \"raw\"", "\(problem)")
    }

    @Test(arguments: ["/weather?lat=37.8267&lon=-122.4233", "/tweets/45", "/stations/KSFO/observation"])
    func theDemoShowsTheDocumentsOfItsUpstreams(_ target: String) throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let (plain, raw) = (
            try weir.get(target), try weir.get("\(target)\(target.contains("?") ? "&" : "?")explain=raw")
        )
        let answer = try raw.json()
        #expect(raw.text.hasPrefix(#"{"data":\#(plain.text),"drift":[{"kind":"#))
        #expect(answer["source"]["upstream"].string != nil)
        #expect(raw.text.contains(#"},"upstream":{"#))
    }
}
