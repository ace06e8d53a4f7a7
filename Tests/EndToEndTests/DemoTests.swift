import Foundation
import TestSupport
import Testing

/// The demo that `make run` starts.
@Suite(.timeLimit(.minutes(10)))
struct DemoTests {
    @Test func weatherAnswersACompleteCurrentForecast() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let answer = try weir.get(weather)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        let forecast = try answer.json()
        #expect(forecast["latitude"].number == 37.827)
        #expect(forecast["longitude"].number == -122.423)
        #expect(forecast["currently"]["temperature"].number == 11.9)
        #expect(forecast["currently"]["icon"].string == "cloudy")
        #expect(forecast["daily"]["data"].count == 8)
        #expect(forecast["flags"]["sources"].strings == ["open-meteo"])
        let now = Date().timeIntervalSince1970
        let time = try #require(forecast["currently"]["time"].number)
        #expect(0..<930 ~= now - time)
        try Self.expectHours(of: forecast, around: now)
    }

    @Test func theDarkSkySampleAnswersACompleteCurrentForecast() throws {
        let weir = try WeirProcess.darkSkySample()
        defer { weir.kill() }
        let answer = try weir.get("\(weather)&units=us")
        #expect(answer.status == 200)
        let forecast = try answer.json()
        #expect(forecast["latitude"].number == 37.827)
        #expect(forecast["longitude"].number == -122.423)
        #expect(forecast["currently"]["temperature"].number == 51.61)
        // A string in the sample.
        #expect(forecast["currently"]["pressure"].number == 1016.3)
        #expect(forecast["minutely"]["data"].count == 61)
        #expect(forecast["daily"]["data"].count == 8)
        #expect(forecast["alerts"].count == 2)
        #expect(forecast["flags"]["nearestStation"].number == 1.839)
        let now = Date().timeIntervalSince1970
        let time = try #require(forecast["currently"]["time"].number)
        #expect(abs(time - now) < 30)
        try Self.expectHours(of: forecast, around: now)
    }

    /// Checks that a forecast has 49 consecutive hours.
    private static func expectHours(of forecast: Parsed, around now: Double) throws {
        let hours = forecast["hourly"]["data"].elements.compactMap { $0["time"].number }
        #expect(hours.count == 49)
        #expect(hours.allSatisfy { $0.truncatingRemainder(dividingBy: 3600) == 0 })
        #expect(zip(hours, hours.dropFirst()).allSatisfy { $1 - $0 == 3600 })
        #expect(try abs(#require(hours.first) - now) < 2 * 3600)
    }

    /// Each sample as the only upstream of `/weather`.
    @Test(arguments: ["openMeteo", "pirateWeather", "weatherKit", "darkSky"])
    func everythingIsRepairedAndTheHeaderCountsTheRepairs(_ upstream: String) throws {
        let text = String(decoding: try Checkout.read("\(Checkout.root)/Config/demo.json"), as: UTF8.self)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let changed = text.replacing("samples/", with: "\(Checkout.root)/Config/samples/")
            .replacing(#"["openMeteo", "pirateWeather", "weatherKit", "darkSky"]"#, with: "[\"\(upstream)\"]")
        let file = try folder.write(changed, to: "demo.json")
        let weir = try WeirProcess(["serve", "--config", file, "--listen", "127.0.0.1:0"])
        defer { weir.kill() }
        let answer = try weir.get("\(weather)&units=us&exclude=flags")
        let leaves = try answer.json().leaves()
        #expect(leaves.count > 800)
        #expect(leaves.filter(\.value.isNull).map(\.path) == [])
        #expect(leaves.filter { $0.value.number == -999 }.map(\.path) == [])
        #expect(leaves.filter { $0.path.contains("-") || $0.path.contains("_") }.map(\.path) == [])
        #expect(leaves.filter { ["", "none"].contains($0.value.string) }.map(\.path) == [])
        let drift = try #require(answer.header("Weir-Drift"))
        for kind in ["dropped", "defaulted", "unrecognized"] { #expect(drift.contains("\(kind)="), "\(drift)") }
    }

    @Test(arguments: [
        ("lat=0&lon=0", 0.0, 0.0), ("lat=-90&lon=180", -90, 180), ("lon=-0.5&lat=1e1", 10, -0.5),
        ("lat=%2B48.85&lon=2.35", 48.85, 2.35), ("lat=89.9996&lon=-179.9996", 90, -180),
        ("lat=-0.0004&lon=12.3456", 0, 12.346),
    ])
    func thePlaceIsRoundedToThreeDecimals(_ query: String, _ latitude: Double, _ longitude: Double) throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let answer = try weir.get("/weather?\(query)")
        #expect(answer.status == 200)
        let forecast = try answer.json()
        #expect(forecast["latitude"].number == latitude)
        #expect(forecast["longitude"].number == longitude)
    }

    @Test func theRouteAndNormalizeAnswerTheSameBytes() throws {
        let weir = try WeirProcess.darkSkySample()
        defer { weir.kill() }
        let sample = try RawClient(weir.sampleURL().replacing("http://", with: ""))
        // The sample's clock moves: two equal answers around a request show that it did not move in between.
        for _ in 1...50 {
            let before = try sample.get("/forecast/any/37.827,-122.423")
            let answer = try weir.get("\(weather)&units=us")
            guard try sample.get("/forecast/any/37.827,-122.423").body == before.body else { continue }
            let normalized = try WeirProcess.run(["normalize", "--as", "darkSky"], input: before.body)
            #expect(normalized.status == 0)
            #expect(normalized.output == answer.text)
            #expect(try normalized.errors == "weir: repaired: \(#require(answer.header("Weir-Drift")))\n")
            return
        }
        Issue.record("the sample's clock never stood still for three requests")
    }

    @Test(arguments: [weather, "/livez", "/readyz", "/weather", "/nothing", "/forecast/k", "/forecast/k/1"])
    func headAnswersTheHeadersOfGetWithoutTheBody(_ target: String) throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let client = try weir.client()
        let (get, head) = (try client.get(target), try client.get(target, method: "HEAD"))
        #expect(head.status == get.status)
        #expect(head.body.isEmpty)
        // Each answer has its own.
        let own =
            ["Date", "X-Request-Id", "Server-Timing", "X-Response-Time", "X-Forecast-API-Calls"]
            + ["Age", "Cache-Status"]
        let fields = [get, head].map { answer in
            answer.headers.filter { !own.contains($0.name) }.map { "\($0.name): \($0.value)" }
        }
        #expect(fields[0] == fields[1])
        // No byte of a body was sent in between.
        #expect(try client.get("/livez").status == 200)
    }

    @Test(arguments: ["/livez", "/readyz", "/livez?verbose=1"])
    func healthIsHealthJSON(_ target: String) throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let answer = try weir.get(target)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/health+json")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(try answer.json()["status"].string == "pass")
    }

    @Test func aUnixSocketIsServedAndRemovedAtTheEnd() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path("weir.sock")
        let weir = try WeirProcess.demo(["--listen", "unix:\(path)", "--shards", "3"])
        defer { weir.kill() }
        #expect(try weir.address() == "unix:\(path)")
        #expect(try weir.logLine("listening")["shards"].integer == 3)
        for _ in 1...6 { #expect(try weir.get(weather).status == 200) }
        #expect(try WeirProcess.run(["healthcheck", "--url", "unix:\(path)"]).status == 0)
        #expect(try weir.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try WeirProcess.run(["healthcheck", "--url", "unix:\(path)"]).status == 69)
    }

    @Test func aSocketFileOfAKilledProcessIsReplaced() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let address = "unix:\(folder.path("weir.sock"))"
        let killed = try WeirProcess.demo(["--listen", address])
        #expect(try killed.address() == address)
        killed.kill()
        let weir = try WeirProcess.demo(["--listen", address])
        defer { weir.kill() }
        #expect(try weir.get("/livez").status == 200)
        let second = try WeirProcess.demo(["--listen", address])
        defer { second.kill() }
        #expect(try second.waitForExit() == 69)
        #expect(second.errors.contains(address))
        #expect(try weir.get("/livez").status == 200)
    }

    @Test func healthcheckReportsTheStatusOverHTTP() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let address = try weir.address()
        let healthy = try WeirProcess.run(["healthcheck", "--url", "http://\(address)/readyz"])
        #expect(healthy.status == 0)
        #expect(healthy.output == "healthy\n")
        let wrong = try WeirProcess.run(["healthcheck", "--url", "http://\(address)/nothing"])
        #expect(wrong.status == 69)
        #expect(wrong.errors.contains("404"))
    }

    @Test func healthcheckOfAClosedPortIsUnavailable() throws {
        let port = try RefusingPort()
        defer { port.release() }
        let result = try WeirProcess.run(["healthcheck", "--url", "\(port.baseURL)/readyz"])
        #expect(result.status == 69)
        #expect(result.errors.contains("\(port.number)"))
        #expect(result.output.isEmpty)
    }

    @Test func aPortInUseIsReportedByAddress() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let address = try weir.address()
        let second = try WeirProcess.run(
            ["serve", "--config", "\(Checkout.root)/Config/demo.json", "--listen", address])
        #expect(second.status == 69)
        #expect(second.errors.contains(address))
        #expect(try weir.get("/livez").status == 200)
    }

    @Test("A value that is not in the enumeration of a configured parameter is an error")
    func enumeration() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let path = "/repositories/tidewater/gauge/issues?state="
        #expect(try weir.get(path + "closed").status == 200)
        for state in ["neither", "Open", "o\u{301}pen"] {
            let answer = try weir.get(path + (state.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""))
            #expect(answer.status == 400)
            #expect(try answer.json()["detail"].string?.contains("state must be one of open, closed, all") == true)
        }
    }
}
