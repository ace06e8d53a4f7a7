import EventLoop
import Foundation
import Glibc
import HTTPClient
import HTTPCore
import TestSupport
import Testing

/// Upstreams with TLS, served by the program `openssl`.
@Suite("TLS of upstreams", .serialized, .timeLimit(.minutes(10)))
struct TLSTests {
    /// A shell command in a process of its own.
    ///
    /// Foundation's Process crashes now and then in a process in which other threads open and close descriptors.
    private final class Command {
        private let process: pid_t
        private let output: Int32

        init(_ command: String, in folder: String) throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Failure("pipe: \(errorText())") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
            let words = ["/bin/sh", "-c", "cd '\(folder)' && \(command)"]
            var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            defer { for argument in arguments { free(argument) } }
            var process: pid_t = 0
            guard posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ) == 0 else {
                throw Failure("posix_spawn: \(errorText())")
            }
            Glibc.close(ends[1])
            (self.process, output) = (process, ends[0])
        }

        /// Reads lines until one starts with `start`, and returns the rest of it; reads everything if there is none.
        @discardableResult
        func rest(ofLine start: String) -> String {
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while Glibc.read(output, &byte, 1) == 1 {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    continue
                }
                let text = String(decoding: line, as: UTF8.self)
                if text.hasPrefix(start) { return String(text.dropFirst(start.count)) }
                line = []
            }
            return ""
        }

        func end() {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
            Glibc.close(output)
        }
    }

    /// Makes an authority and the certificate `name` for `host`, and returns the folder.
    private static func certificates(host: String, days: Int) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config c"
        let script = """
            printf '[req]\\ndistinguished_name=dn\\n[dn]\\n[ca]\\nbasicConstraints=critical,CA:TRUE\\n' > c
            printf 'subjectAltName=DNS:\(host)' > names
            openssl req -x509 \(key) -keyout ca.key -out ca.pem -subj /CN=authority -days 30 -extensions ca
            openssl req \(key) -keyout key.pem -out request.pem -subj /CN=\(host)
            openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -out cert.pem -days \(days) -extfile names
            """
        let command = try Command(script, in: folder.path)
        command.rest(ofLine: "there is no such line")
        command.end()
        return folder
    }

    @Test(
        "A TLS failure says what is wrong",
        arguments: [
            ("localhost", 30, "", nil), ("localhost", -1, "", .expired), ("other.example", 30, "", .wrongHost),
            ("localhost", 30, "-tls1_1 -cipher ALL:@SECLEVEL=0", .oldVersion),
            ("localhost", 30, "untrusted", .untrusted),
        ] as [(String, Int, String, TLSFailure?)])
    func failure(_ sample: (host: String, days: Int, options: String, failure: TLSFailure?)) async throws {
        let folder = try Self.certificates(host: sample.host, days: sample.days)
        defer { folder.remove() }
        let options = sample.options.hasPrefix("-") ? sample.options : ""
        let server = try Command(
            "exec openssl s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem -www \(options)", in: folder.path)
        defer { server.end() }
        let port = server.rest(ofLine: "ACCEPT 127.0.0.1:")
        try await withClient { client, _ in
            var request = OutgoingRequest("https://localhost:\(port)/")
            request.connectTimeout = .seconds(60)
            if sample.options != "untrusted" { request.certificateAuthorities = folder.path("ca.pem") }
            let outcome = await client.outcome(request)
            #expect(outcome.error == sample.failure.map { .tlsFailed($0) })
            #expect((outcome.text?.contains("s_server") ?? false) == (sample.failure == nil))
        }
    }

    @Test("An upstream without TLS fails as a handshake")
    func plain() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            connection.answer(text: "plain")
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            let request = OutgoingRequest(upstream.url.replacing("http:", with: "https:"))
            #expect(await client.outcome(request).error == .tlsFailed(.handshake))
        }
    }
}
