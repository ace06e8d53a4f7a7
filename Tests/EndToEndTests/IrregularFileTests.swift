import Foundation
import TestSupport
import Testing

/// Pipes, devices and folders where a file is expected: nothing waits for them.
@Suite("Files that are no regular files", .timeLimit(.minutes(10)))
struct IrregularFileTests {
    private static let key = "first-KEY-0123456789"

    /// Replaces a file by a named pipe that nobody writes to.
    private static func makePipe(_ path: String) throws {
        unlink(path)
        guard mkfifo(path, 0o600) == 0 else { throw Failure("mkfifo") }
    }

    /// A service whose key is in a file.
    private struct Keyed {
        let status = Watched(200)
        let folder: TemporaryFolder
        let upstream: ScriptedUpstream
        let weir: WeirProcess

        init() throws {
            folder = try TemporaryFolder()
            let file = try folder.write(key, to: "key")
            upstream = try ScriptedUpstream { [status] _ in
                status.current == 200 ? .answer(smallForecast) : .answer(status.current, #"{"error":"no"}"#)
            }
            let text = configuration([upstream.baseURL], key: #"{"file": "\#(file)"}"#)
            weir = try WeirProcess(["serve", "--config", try folder.write(text, to: "weir.json")])
            _ = try weir.address()
        }

        func end() {
            weir.kill()
            upstream.stop()
            folder.remove()
        }
    }

    @Test(
        "A setting that names one is refused",
        arguments: [
            (#""key": {"file": "PLACE"}"#, "upstreams[0].key names PLACE, which is no regular file"),
            (#""key": {"file": "PLACE", "optional": true}"#, "upstreams[0].key names PLACE, which is no regular file"),
            (
                #""key": {"environment": "K"}, "tls": {"caFile": "PLACE"}"#,
                "upstreams[0].tls.caFile names PLACE, which cannot be read"
            ),
        ])
    func settings(_ setting: String, _ complaint: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Self.makePipe(folder.path("pipe"))
        for place in [folder.path("pipe"), folder.path, "/dev/zero"] {
            let text = """
                {"upstreams": [{"name": "a", "dialect": "darkSky", "baseURL": "https://host.invalid",
                 \(setting.replacing("PLACE", with: place))}], "weather": {"upstreams": ["a"]}}
                """
            let file = try folder.write(text, to: "weir.json")
            let result = try WeirProcess.run(["check", "--config", file], environment: ["K": Self.key])
            #expect(result.status == 78)
            #expect(result.errors.contains(complaint.replacing("PLACE", with: place)), "\(result.errors)")
        }
    }

    @Test("A sample with one does not start, and the error names it", arguments: ["sample.json", "forecast.json"])
    func samples(_ name: String) throws {
        let folder = try sample()
        defer { folder.remove() }
        try Self.makePipe(folder.path(name))
        let file = try folder.write(configuration([folder.path]), to: "weir.json")
        for command in ["check", "serve"] {
            let result = try WeirProcess.run([command, "--config", file])
            #expect(result.status == 78)
            #expect(result.errors.contains("\(folder.path(name)): is no regular file"), "\(result.errors)")
        }
    }

    @Test("A reload that finds one is refused, and the service goes on and ends as ever")
    func reload() throws {
        let service = try Keyed()
        defer { service.end() }
        for name in ["key", "weir.json"] {
            let content = try Data(contentsOf: URL(fileURLWithPath: service.folder.path(name)))
            try Self.makePipe(service.folder.path(name))
            service.weir.send(signal: SIGHUP)
            _ = try service.weir.logLine("configuration refused") {
                $0["detail"].string?.contains("\(name == "key" ? "key names" : name)") == true
                    && $0["detail"].string?.contains("is no regular file") == true
            }
            unlink(service.folder.path(name))
            try service.folder.write(content, to: name)
        }
        #expect(try service.weir.get(weather).status == 200)
        service.weir.send(signal: SIGHUP)
        _ = try service.weir.logLine("configuration unchanged")
        #expect(try service.weir.terminate() == 0)
    }

    @Test("After a 401, a key file that is a pipe holds no request up and changes nothing")
    func refusedKey() throws {
        let service = try Keyed()
        defer { service.end() }
        try Self.makePipe(service.folder.path("key"))
        service.status.update { $0 = 401 }
        // More requests than threads that read files.
        for _ in 0..<20 { try expectProblem(service.weir.get(weather), 502) }
        service.status.update { $0 = 200 }
        #expect(try service.weir.get(weather).status == 200)
        #expect(try service.weir.terminate() == 0)
    }

    @Test("A document, and a configuration at the start, can come from a pipe")
    func pipes() throws {
        let document = try WeirProcess.run(
            ["normalize", "--as", "darkSky", "/dev/stdin"], input: Array(smallForecast.utf8))
        #expect(document.output == smallForecast, "\(document.errors)")
        let check = try WeirProcess.run(
            ["check", "--config", "/dev/stdin"], environment: ["WEIR_TEST_KEY": Self.key],
            input: Array(configuration(["http://host.invalid"]).utf8))
        #expect(check.output.hasSuffix("/dev/stdin: ok\n"), "\(check.errors)")
    }
}
