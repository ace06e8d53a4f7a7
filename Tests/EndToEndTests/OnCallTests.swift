import Glibc
import TestSupport
import Testing

/// What an operator on call sees of clocks, files, logs and signals.
@Suite("A service with an incident of its machine", .timeLimit(.minutes(10)))
struct OnCallTests {
    private static func check(_ name: String, _ weir: WeirProcess) throws -> Parsed {
        try weir.get("/healthz").json()["checks"][name][0]
    }

    private static func sample(_ name: String, _ weir: WeirProcess) throws -> Int? {
        let line = try weir.get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }.map { Int($0) }
    }

    /// Asks `condition` again until it holds.
    private static func wait(until condition: () throws -> Bool) throws -> Bool {
        for _ in 0..<600 {
            if try condition() { return true }
            usleep(50_000)
        }
        return false
    }

    @Test("A clock that is an hour wrong makes no answer stale, and has a check, a metric and one line")
    func clock() throws {
        var date = [CChar](repeating: 0, count: 64)
        var (then, parts) = (time(nil) - 3600, tm())
        gmtime_r(&then, &parts)
        strftime(&date, date.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        let field = "Date: " + String(decoding: date.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let upstream = try ScriptedUpstream { _ in
            .answer(smallForecast, headers: [field, "Cache-Control: max-age=600"])
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], cache: ""))
        defer { weir.kill() }
        for _ in 0..<3 { #expect(try weir.get(weather).status == 200) }
        #expect(upstream.requests.count == 1)
        #expect(try weir.get("/weather?lat=1&lon=1").status == 200)
        let check = try Self.check("upstream-0:clock", weir)
        #expect(check["status"].string == "warn" && check["observedUnit"].string == "seconds")
        #expect(-3700 ... -3600 ~= check["observedValue"].integer ?? 0)
        #expect(check["output"].string?.contains("s behind the service's") == true)
        let offset = try Self.sample(#"weir_upstream_clock_offset_seconds{upstream="upstream-0"}"#, weir)
        #expect(-3700 ... -3600 ~= offset ?? 0)
        #expect(try weir.logLine("upstream clock")["state"].string == "wrong")
        #expect(try weir.terminate() == 0)
        #expect(weir.errors.split(separator: "\n").count { $0.contains("upstream clock") } == 1)
    }

    @Test("A file that cannot be written is a warning, and its failures are counted, until it is written again")
    func files() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/quotas.json"
        // Not even root writes a folder.
        #expect(mkdir(path + ".new", 0o700) == 0)
        let text = configuration([Checkout.sample]).replacing(
            #""fetching": {"#, with: #""fetching": {"quotaFile": "\#(path)", "#
        ).replacing(#""retryPercent": 0"#, with: #""retryPercent": 0, "quota": {"perDay": 1000}"#)
        let weir = try WeirProcess.serve(text)
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        _ = try weir.logLine("quota file not written")
        let check = try Self.check("quotas:written", weir)
        #expect(check["status"].string == "warn" && check["output"].string == "It cannot be written: Is a directory.")
        #expect(try Self.sample(#"weir_file_failures_total{file="quotas"}"#, weir) ?? 0 >= 1)
        let written = #"weir_file_last_success_timestamp_seconds{file="quotas"}"#
        #expect(try Self.sample(written, weir) == nil)
        #expect(rmdir(path + ".new") == 0)
        #expect(
            try Self.wait {
                _ = try weir.get(weather)
                return try Self.check("quotas:written", weir)["status"].string == "pass"
            })
        #expect(try Self.sample(written, weir) ?? 0 > 1_700_000_000)
    }

    @Test("Lines that the disk does not take are a warning")
    func fullDisk() throws {
        let weir = try WeirProcess.serve(
            configuration([Checkout.sample]), launcher: ["/bin/sh", "-c", #"exec "$0" "$@" > /dev/full"#])
        defer { weir.kill() }
        #expect(try Self.check("log:droppedLines", weir)["status"].string == "pass")
        #expect(try weir.get(weather).status == 200)
        #expect(
            try Self.wait {
                try weir.get("/healthz").json()["checks"]["log:droppedLines"].elements
                    .contains { $0["componentId"].string == "access" && $0["status"].string == "warn" }
            })
    }

    @Test("After a full disk, the log begins a new line")
    func halfLine() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.path + "/access.log"
        // A file of at most four blocks stands for the disk.
        let shell = #"trap '' XFSZ; ulimit -f 4; exec "$0" "$@" >> '\#(file)'"#
        let weir = try WeirProcess.serve(configuration([Checkout.sample]), launcher: ["/bin/sh", "-c", shell])
        defer { weir.kill() }
        let dropped = #"weir_log_dropped_lines_total{log="access"}"#
        #expect(
            try Self.wait {
                _ = try weir.get(weather)
                return try Self.sample(dropped, weir) ?? 0 > 0
            })
        let before = String(decoding: try Checkout.read(file), as: UTF8.self)
        #expect(truncate(file, 0) == 0)
        #expect(try weir.get(weather).status == 200)
        #expect(try weir.terminate() == 0)
        let lines = (before + String(decoding: try Checkout.read(file), as: UTF8.self)).split(separator: "\n")
        let broken = lines.filter { (try? Parsed(String($0))) == nil }
        #expect(broken.count == (before.hasSuffix("\n") ? 0 : 1), "\(broken)")
        #expect(!before.hasSuffix("\n"), "the disk was full between two lines")
    }

    @Test(
        "A signal that tools for logs and terminals send does not end the process",
        arguments: [SIGUSR1, SIGUSR2, SIGWINCH])
    func signals(number: Int32) throws {
        let weir = try WeirProcess.darkSkySample()
        defer { weir.kill() }
        weir.send(signal: number)
        #expect(try weir.get(weather).status == 200)
        #expect(try weir.terminate() == 0)
    }

    @Test("The failure of a probe ends when a request succeeds")
    func probe() throws {
        let upstream = try ScriptedUpstream { head in
            head.hasPrefix("GET /status") ? .answer(401, "{}") : .answer(smallForecast)
        }
        defer { upstream.stop() }
        let probe = #""retryPercent": 0, "probe": {"path": "/status", "everySeconds": 1}"#
        let weir = try WeirProcess.serve(
            configuration([upstream.baseURL]).replacing(#""retryPercent": 0"#, with: probe))
        defer { weir.kill() }
        _ = try weir.logLine("upstream probe failed")
        #expect(try Self.check("upstream-0:lastFailure", weir)["status"].string == "warn")
        #expect(
            try Self.wait {
                _ = try weir.get(weather)
                return try weir.get("/healthz").json()["status"].string == "pass"
            })
    }
}
