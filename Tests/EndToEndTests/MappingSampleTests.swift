import Foundation
import TestSupport
import Testing

/// The samples of the mappings that come with Weir, without a network.
@Suite(.timeLimit(.minutes(10)))
struct MappingSampleTests {
    /// A sample of weather: a place in its documents' time zone, and whether its mapping has the past.
    struct Weather: Sendable, CustomTestStringConvertible {
        let name: String, latitude: Double, longitude: Double
        /// Settings of the upstream.
        var settings = ""
        var hasPast = false

        var testDescription: String { name }
        var target: String { "/weather?lat=\(latitude)&lon=\(longitude)" }

        func configuration() -> String {
            """
            {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000},
             "upstreams": [{"name": "up", "dialect": "\(name)", "sample": "\(MappingSampleTests.folder(name))"\(settings)}],
             "weather": {"upstreams": ["up"]}}
            """
        }
    }

    static let ofWeather = [
        // Dates of Bright Sky are those of the zone that the request names.
        Weather(
            name: "brightSky", latitude: 52.52, longitude: 13.4, settings: #", "timeZone": "Europe/Berlin""#,
            hasPast: true),
        Weather(name: "metNorway", latitude: 59.91, longitude: 10.75),
        Weather(name: "nws", latitude: 37.77, longitude: -122.42),
        Weather(name: "openWeatherMap", latitude: 64.14, longitude: -21.9, hasPast: true),
        Weather(name: "smhi", latitude: 59.33, longitude: 18.07),
        Weather(name: "tomorrowIO", latitude: 51.51, longitude: -0.13),
        Weather(name: "visualCrossing", latitude: 4.61, longitude: -74.08, hasPast: true),
        Weather(name: "weatherbit", latitude: 35.68, longitude: 139.76),
    ]

    private static func folder(_ name: String) -> String { "\(Checkout.root)/Config/samples/\(name)" }

    @Test("A sample gives the weather of now with nothing mended, in all units", arguments: ofWeather)
    func now(_ sample: Weather) throws {
        let weir = try WeirProcess.serve(sample.configuration())
        defer { weir.kill() }
        let answer = try weir.get("\(sample.target)&explain=1")
        #expect(answer.status == 200, "\(answer.text)")
        let explained = try answer.json(), forecast = explained["data"]
        // A zone by the longitude, and days of which not all hours are known.
        let mended = explained["drift"].elements.filter { $0["kind"].string != "approximated" }
        #expect(mended.map { $0["path"].string } == [], "\(answer.text.suffix(600))")
        let time = Date().timeIntervalSince1970
        #expect(forecast["latitude"].number == sample.latitude && forecast["longitude"].number == sample.longitude)
        #expect(try abs(#require(forecast["currently"]["time"].number) - time) < 120)
        #expect(forecast["currently"]["icon"].string?.isEmpty == false)
        let hours = forecast["hourly"]["data"].elements, days = forecast["daily"]["data"].elements
        #expect(hours.count >= 48 && hours.allSatisfy { $0["temperature"].number != nil })
        #expect(try -3600...60 ~= #require(hours.first?["time"].number) - time)
        #expect(days.count >= 2 && days.allSatisfy { $0["icon"].string != nil })
        #expect(try -90_000...0 ~= #require(days.first?["time"].number) - time)
        let alerts = forecast["alerts"].elements.compactMap { $0["expires"].number }
        #expect(alerts.allSatisfy { $0 > time })
        let celsius = try #require(forecast["currently"]["temperature"].number)
        let other = try weir.get("\(sample.target)&units=us").json()["currently"]["temperature"].number
        #expect(try abs(#require(other) - (celsius * 1.8 + 32)) < 0.1)
    }

    @Test("Strict clients of Dark Sky read the answers made of a sample", arguments: ofWeather)
    func clients(_ sample: Weather) throws {
        let weir = try WeirProcess.serve(sample.configuration())
        defer { weir.kill() }
        for query in ["", "?units=si", "?extend=hourly&lang=de"] {
            let answer = try weir.get("/forecast/any/\(sample.latitude),\(sample.longitude)\(query)")
            #expect(answer.status == 200, "\(answer.text)")
            let clients: [any Decodable.Type] = [
                DarkSkyClientModels.Strict<DarkSkyClientModels.Detrous>.self,
                DarkSkyClientModels.Strict<DarkSkyClientModels.DarkSkyCore>.self,
            ]
            for model in clients {
                #expect(throws: Never.self, "\(model) \(query)") {
                    try JSONDecoder().decode(model, from: Data(answer.body))
                }
            }
        }
    }

    /// A sample, and unix seconds in summer, in winter, and on a day on which the clock changes.
    @Test("A sample follows the time of a request, if its mapping has the past", arguments: ofWeather)
    func past(_ sample: Weather) throws {
        let weir = try WeirProcess.serve(sample.configuration())
        defer { weir.kill() }
        for moment in [1_751_400_000, 1_737_000_000, 1_761_440_400] {
            let answer = try weir.get("\(sample.target)&time=\(moment)&explain=1")
            if !sample.hasPast {
                try expectProblem(answer, 400)
                #expect(answer.text.contains("the upstreams have no weather of another time"))
                continue
            }
            #expect(answer.status == 200, "\(answer.text)")
            let explained = try answer.json(), forecast = explained["data"]
            #expect(explained["drift"].elements.allSatisfy { $0["kind"].string == "approximated" })
            #expect(forecast["currently"]["time"].integer == moment)
            #expect(forecast["currently"]["temperature"].number != nil && forecast["alerts"].count == 0)
            let day = try #require(forecast["daily"]["data"][0]["time"].integer)
            #expect(forecast["daily"]["data"].count == 1 && day...(day + 90_000) ~= moment)
        }
    }

    /// A sample of posts: the targets of a post, of a timeline and of a search, and what the answers contain.
    struct Posts: Sendable, CustomTestStringConvertible {
        let name: String, post: String, timeline: String
        /// Parts of the post's answer.
        let contents: [String]
        /// The ids of the first page and of the next one.
        let pages: [[String]]

        var testDescription: String { name }
    }

    private static let ferry = "at://did:plc:weirsampleferry0000000aa/app.bsky.feed"

    static let ofPosts = [
        Posts(
            name: "bluesky", post: "\(ferry).post/3mweirferry51", timeline: "/timelines/ferry.social.example",
            contents: [
                #""screenName":"ferry.social.example""#, ##""hashtags":[{"text":"river","indices":[57,63]}]"##,
                #""quotedStatus":{"id":"at://did:plc:weirsamplegauge0000000aa/app.bsky.feed.post/3mweirgauge41""#,
                #""altText":"The quay at dawn""#,
            ],
            pages: [
                ["\(ferry).repost/3mweirferry60", "\(ferry).post/3mweirferry50"], ["\(ferry).post/3mweirferry40"],
            ]),
        // A sample does not read the bodies of requests, so that each page is the same.
        Posts(
            name: "misskey", post: "awnote0000000051", timeline: "/timelines/ferry",
            contents: [
                #""screenName":"ferry""#, #""inReplyToScreenName":"gauge@other.example""#, #""visibility":"unlisted""#,
                #""poll":{"options":[{"position":1,"text":"At seven","votes":12}"#,
            ],
            pages: [["awnote0000000052", "awnote0000000050"], ["awnote0000000052", "awnote0000000050"]]),
    ]

    @Test("A sample gives posts, pages of a timeline and a search", arguments: ofPosts)
    func pages(_ sample: Posts) throws {
        let weir = try WeirProcess.serve(
            """
            {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000},
             "upstreams": [{"name": "up", "dialect": "\(sample.name)", "sample": "\(Self.folder(sample.name))"}],
             "tweets": {"upstreams": ["up"]}}
            """)
        defer { weir.kill() }
        func answered(_ target: String) throws -> RawAnswer {
            let answer = try weir.get(target)
            #expect(answer.status == 200, "\(target): \(answer.text)")
            #expect(answer.header("Weir-Drift") == nil, "\(target): \(answer.text)")
            return answer
        }
        let id = try #require(sample.post.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let post = try answered("/tweets/\(id)")
        #expect(try post.json()["id"].string == sample.post)
        for part in sample.contents { #expect(post.text.contains(part), "\(part): \(post.text)") }
        var target = sample.timeline
        for (number, ids) in sample.pages.enumerated() {
            let page = try answered(target)
            #expect(try page.json().elements.map { $0["id"].string } == ids)
            guard number + 1 < sample.pages.count else { break }
            target = try #require(page.header("Link")?.firstMatch(of: /<([^>]*)>; rel="next"/)).output.1.description
        }
        let search = try answered("/search?q=rain").json()["statuses"]
        #expect(search.count > 0 && search.elements.allSatisfy { $0["fullText"].string?.hasPrefix("Rain") == true })
    }
}
