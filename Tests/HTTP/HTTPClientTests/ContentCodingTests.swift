import CBrotli
import CZlib
import EventLoop
import Foundation
import HTTPCore
import TestSupport
import Testing

@testable import HTTPClient

// Serialized, because each case takes several threads.
@Suite("Content codings of upstreams", .serialized, .timeLimit(.minutes(10)))
struct ContentCodingTests {
    private static let document = #"{"temperature":21.5}"#
    private static let gzip = packed("H4sIAAAAAAACA6tWKknNLUgtSiwpLUpVsjIy1DOtBQDaOI56FAAAAA==")
    private static let zlib = packed("eJyrVipJzS1ILUosKS1KVbIyMtQzrQUAToAG6w==")
    private static let rawDeflate = Array(zlib.dropFirst(2).dropLast(4))
    private static let brotli = packed("jwmAeyJ0ZW1wZXJhdHVyZSI6MjEuNX0D")

    private static func packed(_ base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }

    /// Zeros, a number of MiB of them, in brotli.
    private static let brotliZeros = [
        1: "W///D0ACIB4LJPf+AQ==",
        15: "y///PwAkAOKxQHLv//L//w2ABEAcFoDu/Rs=",
        16: "y///PwAkAOKxQHLv//j//weABEAcFoDu/d8=",
        60:
            "y///PwAkAOKxQHLv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8ACYA4LADd+7/8//8BIAEQhwWge/8D",
    ]

    /// Returns zeros, a number of MiB of them, in `coding`.
    private static func zeros(mebibytes: Int, _ coding: String) throws -> [UInt8] {
        if coding == "br" { return packed(try #require(brotliZeros[mebibytes])) }
        let zeros = [UInt8](repeating: 0, count: mebibytes << 20)
        var output = [UInt8](repeating: 0, count: weir_gzip_bound(zeros.count))
        output.removeLast(output.count - weir_gzip(zeros, zeros.count, &output, output.count, 1))
        return output
    }

    private static func outcome(
        _ coding: String, _ body: [UInt8], isChunked: Bool, limit: Int = 16 << 20
    ) async throws -> Result<IncomingResponse, TransferError> {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            if isChunked {
                connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nTransfer-Encoding: chunked\r\n\r\n")
                // Chunks of seven bytes, each of which can end anywhere in the coding.
                for start in stride(from: 0, to: body.count, by: 7) {
                    let chunk = body[start..<min(start + 7, body.count)]
                    connection.write(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8))
                }
                connection.write("0\r\n\r\n")
            } else {
                connection.answer("Content-Encoding: \(coding)\r\n", body: body)
            }
            connection.waitForEnd()
        }
        return try await withUpstream(serve) { client, upstream in
            await client.outcome(OutgoingRequest(upstream.url, maximumBodyBytes: limit))
        }
    }

    @Test(
        "One coding is decoded",
        arguments: [
            ("gzip", gzip), ("GZip", gzip), ("x-gzip", gzip), ("deflate", zlib), ("br", brotli),
            ("identity, gzip", gzip), ("deflate", rawDeflate), ("UTF-8", Array(document.utf8)),
            ("none", Array(document.utf8)),
            ("identity", Array(document.utf8)), ("", Array(document.utf8)),
        ], [true, false])
    func decoded(_ sample: (coding: String, body: [UInt8]), isChunked: Bool) async throws {
        #expect(try await Self.outcome(sample.coding, sample.body, isChunked: isChunked).text == Self.document)
    }

    @Test("An empty body with a coding is empty", arguments: ["gzip", "br"])
    func empty(coding: String) async throws {
        for isChunked in [true, false] { #expect(try await Self.outcome(coding, [], isChunked: isChunked).text == "") }
    }

    @Test(
        "A malformed coding, a truncated one and bytes after its end are refused",
        arguments: [
            ("gzip", Array(gzip.dropLast()), "the end of its gzip coding is missing"),
            ("gzip", Array(gzip.dropLast(8)), "the end of its gzip coding is missing"),
            ("gzip", [gzip[0]], "the end of its gzip coding is missing"),
            ("gzip", Array(gzip[..<20]) + [0xFF] + Array(gzip[21...]), "its gzip coding is malformed"),
            ("gzip", gzip + [0], "bytes follow the end of its gzip coding"),
            ("gzip", gzip + gzip, "bytes follow the end of its gzip coding"),
            ("gzip", zlib, "its gzip coding is malformed"),
            ("gzip", Array(document.utf8), "its gzip coding is malformed"),
            ("deflate", Array(zlib.dropLast(4)), "the end of its deflate coding is missing"),
            ("br", Array(brotli.dropLast()), "the end of its br coding is missing"),
            ("br", brotli + [0], "bytes follow the end of its br coding"), ("br", gzip, "its br coding is malformed"),
            ("gzip, gzip", gzip, "it has more than one content coding"),
            ("gzip, gzip, gzip", gzip, "it has more than one content coding"),
            ("br, gzip", gzip, "it has more than one content coding"),
            ("zstd", gzip, "its Content-Encoding is not supported"),
            ("compress", gzip, "its Content-Encoding is not supported"),
            ("gzip;q=1", gzip, "its Content-Encoding is not supported"),
        ] as [(String, [UInt8], String)], [true, false])
    func malformed(_ sample: (coding: String, body: [UInt8], reason: String), isChunked: Bool) async throws {
        let outcome = try await Self.outcome(sample.coding, sample.body, isChunked: isChunked)
        #expect(outcome.error == .malformed(reason: sample.reason))
    }

    @Test("A large body is decoded completely", arguments: ["gzip", "br"], [1, 15, 16])
    func large(coding: String, mebibytes: Int) async throws {
        let body = try Self.zeros(mebibytes: mebibytes, coding)
        let outcome = try await Self.outcome(coding, body, isChunked: false)
        #expect(try outcome.get().body == [UInt8](repeating: 0, count: mebibytes << 20))
    }

    @Test(
        "A compression bomb is refused in little memory, and other transfers go on meanwhile",
        arguments: ["gzip", "br"])
    func bomb(coding: String) async throws {
        // In a process of its own, because other tests need memory at the same time.
        await #expect(processExitsWith: .success) { [coding] in
            let body = try Self.zeros(mebibytes: 60, coding)
            let asked = Event()
            let serve: @Sendable (Upstream.Connection) -> Void = { connection in
                while let head = connection.request() {
                    if head.hasPrefix("GET /bomb") {
                        connection.answer("Content-Encoding: \(coding)\r\n", body: body)
                        asked.occur()
                    } else {
                        connection.answer(text: "good")
                    }
                }
            }
            try await withUpstream(serve) { client, upstream in
                _ = await client.outcome(OutgoingRequest(upstream.url))
                let before = try ProcessMemory.resident
                let bombs = (0..<4).map { _ in Task { await client.outcome(OutgoingRequest(upstream.url + "/bomb")) } }
                await asked.wait()
                var longest = Duration.zero
                for _ in 0..<20 {
                    let start = MonotonicTime.now
                    #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "good")
                    longest = max(longest, MonotonicTime.now - start)
                }
                for bomb in bombs {
                    let error = await bomb.value.error
                    #expect(error == .tooLarge(limit: 16 << 20))
                }
                // Four bodies of 16 MiB and their growth.
                try #require(try ProcessMemory.resident - before < 256 << 20)
                try #require(longest < .seconds(1))
            }
        }
    }

    /// As many equal letters in brotli with the largest window that HTTP has, of 16 MiB.
    private static func wide(mebibytes: Int) throws -> [UInt8] {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: mebibytes << 20)
        var output = [UInt8](repeating: 0, count: 4096)
        var count = output.count
        try #require(
            BrotliEncoderCompress(5, 24, BROTLI_MODE_GENERIC, text.count, text, &count, &output) == BROTLI_TRUE)
        return Array(output[..<count])
    }

    @Test("The window of brotli counts as memory of the body")
    func window() async throws {
        let body = try Self.wide(mebibytes: 5)
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil { connection.answer("Content-Encoding: br\r\n", body: body) }
        }
        try await withUpstream(serve) { client, upstream in
            let most = Watched(0)
            var request = OutgoingRequest(upstream.url, maximumBodyBytes: 5 << 20)
            request.reserveBody = { bytes in
                most.update { $0 = max($0, bytes) }
                return true
            }
            #expect((try? await client.outcome(request).get())?.body.count == 5 << 20)
            #expect(13 << 20...14 << 20 ~= most.current)
            request.reserveBody = { $0 <= 12 << 20 }
            #expect(await client.outcome(request).error == .tooLarge(limit: 5 << 20))
            // Nothing is decoded if there is no memory for the window.
            most.update { $0 = 0 }
            request.reserveBody = { bytes in
                most.update { $0 = max($0, bytes) }
                return bytes < 8 << 20
            }
            #expect(await client.outcome(request).error == .tooLarge(limit: 5 << 20))
            #expect(8 << 20...8_450_000 ~= most.current)
        }
    }

    @Test(
        "A brotli stream that is too large is refused before it gets the memory of its window",
        .disabled(if: Sanitizer.isPresent))
    func announcedWindow() async throws {
        await #expect(processExitsWith: .success) {
            // 30 MiB of letters, as `wide` makes them, which takes memory.
            let body = Self.packed("z///fwAkwuKxQHLv//P//xuABEAcFoDu/Tc=")
            let serve: @Sendable (Upstream.Connection) -> Void = { connection in
                while connection.request() != nil { connection.answer("Content-Encoding: br\r\n", body: body) }
            }
            try await withUpstream(serve) { client, upstream in
                let request = OutgoingRequest(upstream.url, maximumBodyBytes: 4 << 20)
                let before = try ProcessMemory.peak
                for _ in 0..<4 { #expect(await client.outcome(request).error == .tooLarge(limit: 4 << 20)) }
                try #require(try ProcessMemory.peak - before < 8 << 20)
            }
        }
    }

    @Test(
        "A transfer for whose body there is no memory gives back at once what it has",
        .disabled(if: Sanitizer.isPresent))
    func refusedWindows() async throws {
        await #expect(processExitsWith: .success) {
            // 5 MiB, as `wide` makes them: a window of 8 MiB.
            let body = Self.packed("n///TwAkwuKxQHLvnwA=")
            let (count, gate, loop) = (32, Gate(), Gate())
            let (asked, answered) = (Event(), Event())
            let upstream = try Upstream { connection in
                guard connection.request() != nil else { return }
                asked.occur()
                gate.pass()
                connection.answer("Content-Encoding: br\r\n", body: body)
                answered.occur()
                connection.waitForEnd()
            }
            defer { upstream.stop() }
            try await withClient { client, shard in
                var request = OutgoingRequest(upstream.url)
                // The window and the tables, but no output.
                request.reserveBody = { $0 <= 8_450_000 }
                let before = try ProcessMemory.peak
                await withTaskGroup { group in
                    for _ in 0..<count { group.addTask { [request] in await client.outcome(request).error } }
                    await asked.wait(count)
                    // All answers arrive in one turn of the loop.
                    shard.post { loop.pass() }
                    gate.open()
                    await answered.wait(count)
                    loop.open()
                    for await error in group { #expect(error == .tooLarge(limit: 16 << 20)) }
                }
                try #require(try ProcessMemory.peak - before < 32 << 20)
            }
        }
    }

    @Test("Transfers with much to decode share the time of a turn of the loop: others do not wait for all of them")
    func sharedTurns() async throws {
        let body = try Self.zeros(mebibytes: 1, "gzip")
        let (count, gate, loop) = (16, Gate(), Gate())
        let (asked, answered) = (Event(), Event())
        let upstream = try Upstream { connection in
            guard connection.request() != nil else { return }
            asked.occur()
            gate.pass()
            connection.answer("Content-Encoding: gzip\r\n", body: body)
            answered.occur()
            connection.waitForEnd()
        }
        defer { upstream.stop() }
        // How much of each body is decoded, the least of it when the first body is complete, the number of this turn, and the
        // numbers of the turns in which a transfer that had begun went on, once for each.
        let (decoded, least) = (Watched([Int](repeating: 0, count: count)), Watched<Int?>(nil))
        let (turn, turns) = (Watched(0), Watched([Int]()))
        try await withClient { client, shard in
            @Sendable func countTurns() {
                turn.update { $0 += 1 }
                if decoded.current.contains(where: { $0 < 1 << 20 }) { shard.post(countTurns) }
            }
            shard.post(countTurns)
            await withTaskGroup { group in
                for index in 0..<count {
                    var request = OutgoingRequest(upstream.url)
                    request.reserveBody = { bytes in
                        // As if decoding took long.
                        usleep(2000)
                        if bytes > 256 << 10 { turns.update { $0.append(turn.current) } }
                        decoded.update { $0[index] = bytes }
                        if bytes >= 1 << 20 { least.update { $0 = $0 ?? decoded.current.min() } }
                        return true
                    }
                    group.addTask { [request] in await client.outcome(request).error }
                }
                await asked.wait(count)
                // All answers arrive in one turn of the loop.
                shard.post { loop.pass() }
                gate.open()
                await answered.wait(count)
                loop.open()
                for await error in group { #expect(error == nil) }
            }
        }
        #expect(turns.current.count >= count * 6)
        #expect(Dictionary(grouping: turns.current, by: \.self).values.allSatisfy { $0.count <= 2 })
        #expect(least.current ?? 0 >= 512 << 10)
    }

    @Test("A deadline that passes while a body is decoded ends the transfer")
    func deadline() async throws {
        let body = try Self.zeros(mebibytes: 256, "gzip")
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            // A body that has arrived whole leaves the connection open, so the upstream does not wait for its end.
            connection.answer("Content-Encoding: gzip\r\n", body: body)
        }
        try await withUpstream(serve) { client, upstream in
            let request = OutgoingRequest(upstream.url, deadline: .milliseconds(50), maximumBodyBytes: 1 << 30)
            #expect(await client.outcome(request).error?.isSlowAnswer == true)
        }
    }
}
