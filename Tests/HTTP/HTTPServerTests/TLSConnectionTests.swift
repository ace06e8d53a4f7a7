import EventLoop
import HTTPCore
import HTTPServer
import TestSupport
import Testing

@Suite("Connections with TLS", .timeLimit(.minutes(10)))
struct TLSConnectionTests {
    @Test("Requests are answered one by one and pipelined, whole and in order, and recorded with the bytes of HTTP")
    func exchanges() async throws {
        try await Harness.runSecure { recorder, harness in
            let peer = try harness.connectSecurely()
            let paths = ["/now", "/later", "/stored", "/big", "/later", "/big", "/now"]
            let requests = paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
            func check(_ path: String) async throws {
                let answer = try await peer.answer()
                #expect(answer.status == 200)
                switch path {
                case "/big": #expect(answer.body == [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
                case "/stored": #expect(answer.body.count == 5000)
                default: #expect(answer.text == path)
                }
                let record = try #require(await recorder.records.next(1).first)
                #expect(record.outcome == .completed)
                #expect(record.bytesReceived == "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8.count)
                #expect(answer.body.count..<answer.body.count + 200 ~= record.bytesSent)
            }
            for (path, request) in zip(paths, requests) {
                try await peer.send(request)
                try await check(path)
            }
            try await peer.send(requests.joined())
            for path in paths { try await check(path) }
        }
    }

    @Test("A request arrives whole, however its records are cut", arguments: [1, 100, 60_000])
    func records(size: Int) async throws {
        try await Harness.runSecure { _, harness in
            let peer = try harness.connectSecurely()
            let text = String(repeating: "0123456789", count: size == 1 ? 50 : 800)
            let request = Array("GET /\(text) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            for start in stride(from: 0, to: request.count, by: size) {
                try await peer.send(Array(request[start..<min(start + size, request.count)]))
            }
            #expect(try await peer.answer().text == "/\(text)")
        }
    }

    @Test("A client that reads slowly gets every byte", arguments: [0x0303, 0x0304] as [Int32])
    func slowReader(version: Int32) async throws {
        try await Harness.runSecure { _, harness in
            let peer = try harness.connectSecurely({ $0.versions = version...version }, receiveBuffer: 4096)
            // Records of other sizes lie between those of the large body, and responses wait behind it.
            try await peer.send(
                ["/now", "/big", "/stored", "/big", "/now"].map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            await harness.wait(milliseconds: 50)
            for count in [4, 1 << 20, 5000, 1 << 20, 4] { #expect(try await peer.answer().body.count == count) }
        }
    }

    @Test("A client that takes nothing is cut after its time")
    func stall() async throws {
        try await Harness.runSecure(.patient.with { $0.writeTimeout = .milliseconds(200) }) { recorder, harness in
            let peer = try harness.connectSecurely(receiveBuffer: 4096)
            try await peer.send(String(repeating: "GET /big HTTP/1.1\r\nHost: a\r\n\r\n", count: 8))
            #expect(await recorder.records.next(1).first?.outcome != nil)
            while recorder.open.value > 0 { await harness.wait(milliseconds: 10) }
            withExtendedLifetime(peer) {}
        }
    }

    @Test("The server ends a connection with close_notify")
    func closing() async throws {
        let options = ServerOptions.patient.with { $0.idleTimeout = .milliseconds(100) }
        try await Harness.runSecure(options) { _, harness in
            let last = try harness.connectSecurely()
            try await last.send("GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let malformed = try harness.connectSecurely()
            try await malformed.send("nonsense\r\n\r\nand more")
            let idle = try harness.connectSecurely()
            try await idle.get("/now")
            for (peer, status) in [(last, 200), (malformed, 400), (idle, 200)] {
                #expect(try await peer.answer().status == status)
                #expect(try await peer.rest().isEmpty)
                #expect(peer.tls?.failure == nil)
            }
        }
    }

    @Test("A request that arrives too slowly gets 408")
    func slowRequest() async throws {
        try await Harness.runSecure(.patient.with { $0.requestTimeout = .milliseconds(500) }) { _, harness in
            let peer = try harness.connectSecurely()
            try await peer.send("GET /now HT")
            #expect(try await peer.answer().status == 408)
            #expect(try await peer.rest().isEmpty)
        }
    }

    /// How a client leaves.
    enum Leaving: CaseIterable {
        case closeNotify, endOfStream, both, reset
    }

    private func leave(_ peer: Peer, _ leaving: Leaving) {
        if leaving == .closeNotify || leaving == .both { peer.tls?.finish() }
        if leaving == .endOfStream || leaving == .both { peer.finishSending() }
        if leaving == .reset { peer.reset() }
    }

    @Test("A client that leaves cancels its request, with or without close_notify", arguments: Leaving.allCases)
    func leaving(_ leaving: Leaving) async throws {
        try await Harness.runSecure { recorder, harness in
            let peer = try harness.connectSecurely()
            try await peer.get("/never")
            await recorder.begun.wait()
            leave(peer, leaving)
            #expect(await recorder.records.next(1).first?.outcome == .clientLeft)
            while recorder.open.value > 0 { await harness.wait(milliseconds: 10) }
        }
    }

    @Test(
        "With half-close allowed, a client gets the answers to what it has sent",
        arguments: [.closeNotify, .endOfStream, .both] as [Leaving])
    func halfClose(_ leaving: Leaving) async throws {
        try await Harness.runSecure(.patient.with { $0.allowsHalfClose = true }) { recorder, harness in
            let peer = try harness.connectSecurely()
            try await peer.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET /big HTTP/1.1\r\nHost: a\r\n\r\n")
            leave(peer, leaving)
            #expect(try await peer.answer().text == "/later")
            #expect(try await peer.answer().body.count == 1 << 20)
            while recorder.open.value > 0 { await harness.wait(milliseconds: 10) }
        }
    }

    @Test("An idle client that leaves is forgotten", arguments: Leaving.allCases)
    func idleLeaving(_ leaving: Leaving) async throws {
        try await Harness.runSecure { recorder, harness in
            for sent in ["", "GET /now HTTP/1.1\r\nHost: a\r\n\r\n", "GET /now HT"] {
                let peer = try harness.connectSecurely()
                #expect(await peer.handshake())
                if !sent.isEmpty { try await peer.send(sent) }
                if sent.hasSuffix("\n") { #expect(try await peer.answer().status == 200) }
                leave(peer, leaving)
                while recorder.open.value > 0 { await harness.wait(milliseconds: 5) }
            }
        }
    }

    @Test("A changed record ends its connection", arguments: [0x0303, 0x0304] as [Int32])
    func changedRecord(version: Int32) async throws {
        try await Harness.runSecure { recorder, harness in
            for position in [0, 1, 3, 4, 5, 20] {
                let peer = try harness.connectSecurely { $0.versions = version...version }
                try await peer.get("/now")
                #expect(try await peer.answer().status == 200)
                peer.tls?.onTheWire = { bytes in
                    var changed = bytes
                    changed[position] ^= 0x55
                    return [changed]
                }
                try await peer.get("/now")
                // A record that has become longer is not complete before the end.
                peer.finishSending()
                _ = try? await peer.rest()
                #expect(await recorder.records.next(1).count == 1)
                while recorder.open.value > 0 { await harness.wait(milliseconds: 5) }
            }
        }
    }

    @Test("New keys are taken whenever the client wants them, and another handshake is refused")
    func renewal() async throws {
        try await Harness.runSecure { _, harness in
            let new = try harness.connectSecurely()
            let old = try harness.connectSecurely { $0.versions = 0x0303...0x0303 }
            for peer in [new, old] {
                try await peer.get("/now")
                #expect(try await peer.answer().status == 200)
            }
            for _ in 0..<50 { #expect(new.tls?.updateKeys() == true) }
            try await new.get("/later")
            #expect(try await new.answer().text == "/later")
            #expect(old.tls?.renegotiate() == false)
            let other = try harness.connectSecurely()
            try await other.get("/now")
            #expect(try await other.answer().status == 200)
        }
    }

    @Test(
        "The client is the one of a PROXY header before the handshake, in whatever pieces it arrives",
        arguments: [1, 3, 1000])
    func proxyHeader(size: Int) async throws {
        try await Harness.runSecure {
            $0.readsProxyHeader = true
        } _: { recorder, harness in
            let peer = try harness.connectSecurely()
            var header = Array("PROXY TCP4 192.0.2.7 10.0.0.1 4660 80\r\n".utf8)
            peer.tls?.onTheWire = { bytes in
                // The header and the ClientHello come together.
                defer { header = [] }
                let all = header + bytes
                return stride(from: 0, to: all.count, by: size).map { Array(all[$0..<min($0 + size, all.count)]) }
            }
            try await peer.get("/now")
            #expect(try await peer.answer().text == "/now")
            #expect(await recorder.records.next(1).first?.client == .v4(0xC000_0207, port: 0x1234))
            let without = try harness.connectSecurely()
            #expect(await !without.handshake())
            #expect(await recorder.records.next(1).first?.outcome == .refused(.malformed))
        }
    }

    @Test("Beyond the maximum of connections the answer is 503, and one that makes room before its handshake gets none")
    func limits() async throws {
        let options = ServerOptions.patient.with { ($0.maximumConnections, $0.reservedConnections) = (1, 1) }
        try await Harness.runSecure(options) { recorder, harness in
            let first = try harness.connectSecurely()
            try await first.get("/now")
            #expect(try await first.answer().status == 200)
            let second = try harness.connectSecurely()
            let third = try harness.connectSecurely()
            #expect(await third.handshake())
            #expect(await !second.handshake())
            try await third.get("/now")
            #expect(try await third.answer().status == 503)
            let records = await recorder.records.next(3)
            #expect(records.dropFirst().allSatisfy { $0.outcome == .refused(.connectionLimit) })
            #expect(Set(records.dropFirst().map(\.status)) == [nil, .serviceUnavailable])
        }
    }

    @Test("Draining answers requests in flight, and ends idle connections and handshakes")
    func drain() async throws {
        let options = ServerOptions.patient.with { $0.drainGrace = .milliseconds(100) }
        try await Harness.runSecure(options) { recorder, harness in
            let (idle, busy, silent) = try (harness.connectSecurely(), harness.connectSecurely(), harness.connect())
            for peer in [idle, busy] {
                try await peer.get("/now")
                #expect(try await peer.answer().status == 200)
            }
            try await busy.get("/big")
            while recorder.open.value < 3 { await harness.wait(milliseconds: 5) }
            #expect(await harness.server.drain() == 0)
            #expect(try await busy.answer().body.count == 1 << 20)
            for peer in [idle, busy, silent] { #expect(try await peer.rest().isEmpty) }
            #expect(idle.tls?.failure == nil)
        }
    }
}
