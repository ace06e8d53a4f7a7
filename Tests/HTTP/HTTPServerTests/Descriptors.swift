import EventLoop
import Foundation
import Glibc
import HTTPCore
import HTTPServer
import TestSupport
import Testing

/// Exhaustion of this process's file descriptors.
enum Descriptors {
    static var count: Int { get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count } }

    /// Counts the reports of exhaustion.
    private struct Handler: RequestHandler {
        let reports = Counter()

        func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply { Harness.echo(request) }
        func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
            Response(status: failure.status)
        }
        func finished(_ exchange: ExchangeRecord, on shard: Shard) {
            if exchange.outcome == .refused(.exhausted) { reports.add(1) }
        }
    }

    static func exhaust() async throws {
        let handler = Handler()
        try await Harness.run([Listener(.network(host: "127.0.0.1", port: 0), handler: handler)]) { harness in
            let early = try harness.connect()
            let late = try (0..<8).map { _ in try Peer(unconnectedTo: harness.address) }
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try await early.get("/early")
            #expect(try await early.answer().status == 200)
            var taken: [Int32] = []
            while true {
                let descriptor = dup(0)
                if descriptor < 0 { break }
                taken.append(descriptor)
            }
            for peer in late {
                try await peer.connect()
                try await peer.get("/late")
            }
            let start = ProcessorTime.ofProcess
            // Another part of the process may have released a descriptor, which the first of them would use.
            #expect(await !late[7].hasBytes(within: 500))
            #expect(ProcessorTime.ofProcess - start < .milliseconds(250))
            #expect(1...60 ~= handler.reports.value)
            try await early.get("/early")
            #expect(try await early.answer().status == 200)
            for descriptor in taken { close(descriptor) }
            for peer in late { #expect(try await peer.answer().status == 200) }
        }
    }
}
