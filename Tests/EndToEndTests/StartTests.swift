import Foundation
import TestSupport
import Testing

/// What a process meets at its start.
@Suite("Start", .timeLimit(.minutes(10)))
struct StartTests {
    /// A command that sends itself `signal`, blocked, and becomes the process: the signal waits before the first instruction.
    private static func pending(_ signal: String) -> [String] {
        ["/usr/bin/env", "--block-signal=\(signal)", "/bin/sh", "-c", "kill -\(signal) $$; exec \"$0\" \"$@\""]
    }

    @Test(
        "A signal that arrives before the service has started stops it once it has started", arguments: ["TERM", "INT"])
    func stop(signal: String) throws {
        let weir = try WeirProcess(
            ["serve", "--config", "\(Checkout.root)/Config/demo.json", "--listen", "127.0.0.1:0"],
            launcher: Self.pending(signal))
        defer { weir.kill() }
        #expect(try weir.waitForExit() == 0)
    }

    @Test(
        "A SIGHUP that arrives before the service has started makes the service read its configuration again once it has started"
    )
    func reload() throws {
        let weir = try WeirProcess(
            ["serve", "--config", "\(Checkout.root)/Config/demo.json", "--listen", "127.0.0.1:0"],
            launcher: Self.pending("HUP"))
        defer { weir.kill() }
        _ = try weir.logLine("configuration unchanged")
        #expect(try weir.get("/readyz").status == 200)
        #expect(try weir.terminate() == 0)
    }

    @Test("SIGTERM ends a process that waits for its configuration", arguments: [[], pending("TERM")])
    func waiting(launcher: [String]) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        guard mkfifo(folder.path("weir.json"), 0o600) == 0 else { throw Failure("mkfifo") }
        let weir = try WeirProcess(["serve", "--config", folder.path("weir.json")], launcher: launcher)
        defer { weir.kill() }
        if launcher.isEmpty {
            // Opens when the process reads, and holds the pipe open.
            let pipe = open(folder.path("weir.json"), O_WRONLY)
            defer { close(pipe) }
            #expect(try weir.terminate() == 0)
        } else {
            #expect(try weir.waitForExit() == 0)
        }
    }

    @Test("No socket and no file gets the descriptor of a standard stream that was closed")
    func closedStreams() throws {
        let weir = try WeirProcess(
            ["serve", "--config", "\(Checkout.root)/Config/demo.json", "--listen", "127.0.0.1:0"],
            launcher: ["/bin/sh", "-c", "exec \"$0\" \"$@\" <&- >&-"])
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        for number in 0...1 { #expect(try weir.file(of: number) == "/dev/null") }
        #expect(try weir.terminate() == 0)
    }

    private static func caching(_ upstream: ScriptedUpstream, _ folder: TemporaryFolder) -> String {
        configuration([upstream.baseURL], cache: #""snapshotFile": "\#(folder.path("documents"))""#)
    }

    @Test("A second process with the same snapshot says so")
    func sharedSnapshot() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let first = try WeirProcess.serve(Self.caching(upstream, folder))
        defer { first.kill() }
        let second = try WeirProcess.serve(Self.caching(upstream, folder))
        defer { second.kill() }
        #expect(try second.logLine("snapshot shared")["file"].string == folder.path("documents"))
        for weir in [first, second] { #expect(try weir.terminate() == 0) }
        #expect(!first.errors.contains("snapshot shared"))
    }

    @Test("A snapshot that other users may write is not used, and is replaced at the end")
    func foreignSnapshot() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (mode, requests) in [(nil, 1), (0o666, 2), (nil, 2)] as [(mode_t?, Int)] {
            if let mode { chmod(folder.path("documents"), mode) }
            let weir = try WeirProcess.serve(Self.caching(upstream, folder))
            defer { weir.kill() }
            if mode != nil {
                let line = try weir.logLine("documents not restored")
                #expect(line["detail"].string == "it is not trusted: other users may write it")
            }
            #expect(try weir.get(weather).status == 200)
            #expect(upstream.requests.count == requests)
            #expect(try weir.terminate() == 0)
        }
    }
}
