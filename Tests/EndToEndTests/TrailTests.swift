import Foundation
import TestSupport
import Testing

/// What operators learn of an answer that has been sent, and of a reload that has ended.
@Suite(.timeLimit(.minutes(5)))
struct TrailTests {
    @Test("The trail of an answer has its upstream, the time of the fetch and a digest of the document, of hits too")
    func trail() throws {
        let service = try OperatedWeir(configuration([Checkout.sample], cache: #""maximumBytes": 1048576"#))
        defer { service.end() }
        for id in ["first-request", "second-request"] {
            #expect(try service.weir.get(weather, headers: ["X-Request-Id: \(id)"]).status == 200)
        }
        let source = try service.weir.get(weather + "&explain=1").json()["source"]
        let digest = try #require(source["digest"].string), fetched = try #require(source["fetchedAt"].string)
        #expect(digest.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        for (id, cache) in [("first-request", "miss"), ("second-request", "hit")] {
            // The record is there when the last byte has been sent, which the client may see a little before.
            var answer = try service.ask("/-/requests/\(id)")
            while answer.status == 404 { answer = try service.ask("/-/requests/\(id)") }
            let request = try answer.json()["requests"][0]
            #expect(request["weir.request_id"].string == id)
            #expect(request["weir.document"].string == digest)
            #expect(request["weir.fetched"].string == fetched)
            #expect(request["weir.upstream"].string?.isEmpty == false)
            #expect(request["weir.cache"].string == cache)
            #expect(request["url.path"].string == nil)
            let line = try service.weir.accessLine { $0["weir.request_id"].string == id }
            #expect(line["weir.document"].string == digest && line["weir.fetched"].string == fetched)
        }
        let command = try WeirProcess.run(["explain", "second-request", "--url", "http://\(service.operations)"])
        #expect(command.status == 0)
        #expect(command.output.contains(digest), "\(command.output)\(command.errors)")
        let none = try service.ask("/-/requests/third-request")
        try expectProblem(none, 404)
        #expect(none.text.contains("None of the last 1000 requests of each event loop has the id"))
        #expect(try WeirProcess.run(["explain"]).status == 64)
        // Another document has another digest.
        let other = try service.weir.get("/weather?lat=-33.9&lon=18.4&explain=1").json()["source"]["digest"].string
        #expect(other != digest)
    }

    @Test(
        "The addresses of clients are shown as the setting says, in the log and among the clients that ask most",
        arguments: [("full", "192.0.2.7", "192.0.2.7"), ("shortened", "192.0.2.0", "192.0.2.0/24"), ("none", nil, nil)])
    func addresses(setting: String, inLog: String?, inStatus: String?) throws {
        let text = configuration([Checkout.sample], server: [:])
            .replacing(#""server": {"#, with: #""server": {"trustedProxies": ["127.0.0.1"], "#)
        let service = try OperatedWeir(text, ["--set", "log.addresses=\(setting)"])
        defer { service.end() }
        for _ in 1...3 {
            #expect(try service.weir.get(weather, headers: ["X-Forwarded-For: 192.0.2.7"]).status == 200)
        }
        let line = try service.weir.accessLine { $0["http.route"].string == "/weather" }
        #expect(line["client.address"].string == inLog)
        func clients() throws -> Parsed { try service.ask("/-/status").json()["clients"] }
        if let inStatus {
            while try clients()[0]["requests"].integer != 3 {}
            #expect(try clients()[0]["client"].string == inStatus)
        } else {
            #expect(try clients().elements.isEmpty)
        }
    }

    @Test("A reload tells the values before and after, without keys, and the one before can be taken again")
    func previous() throws {
        let text = configuration([Checkout.sample], weather: #", "units": "us""#)
        let service = try OperatedWeir(text)
        defer { service.end() }
        #expect(try service.ask("/-/reload?previous", method: "POST").status == 422)
        let report = try service.reload(text.replacing(#""units": "us""#, with: #""units": "si""#))
        #expect(report["changes"][0]["setting"].string == "weather.units")
        #expect(report["changes"][0]["old"].string == "us" && report["changes"][0]["new"].string == "si")
        let shown = try service.ask("/-/config").json()["lastReload"]["changes"][0]
        #expect(shown["old"].string == "us")
        let units = { try service.weir.get(weather).json()["flags"]["units"].string }
        #expect(try units() == "si")
        let back = try service.ask("/-/reload?previous", method: "POST")
        #expect(try back.json()["changes"][0]["new"].string == "us")
        #expect(try units() == "us")
        // What the file says is there still, and once more it is the one before.
        #expect(try service.ask("/-/reload?previous", method: "POST").status == 200)
        #expect(try units() == "si")
        #expect(try service.ask("/-/reload?previous=no", method: "POST").status == 400)
    }
}
