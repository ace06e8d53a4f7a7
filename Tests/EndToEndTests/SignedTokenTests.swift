import Foundation
import TestSupport
import Testing

/// Requests that are authorized by JSON Web Tokens.
@Suite("Signed tokens", .timeLimit(.minutes(10)))
struct SignedTokenTests {
    /// A folder with two keys, `first.pem` and `second.pem`, and their public parts, `first.pub` and `second.pub`.
    private static func keys() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["first", "second"] {
            let script = """
                openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out \(name).pem &&
                openssl pkey -in \(name).pem -pubout -out \(name).pub
                """
            let result = try Tool.run(["sh", "-c", script], in: folder.path)
            guard result.status == 0 else { throw Failure(result.errors) }
        }
        return folder
    }

    private static func configuration(_ upstream: String, key: String) -> String {
        """
        {"listen": "127.0.0.1:0", "shards": 2, "cache": {"maximumBytes": 0}, "weather": {"upstreams": ["sky"]},
         "server": {"drainTimeoutMilliseconds": 3000}, "upstreams": [
            {"name": "sky", "dialect": "darkSky", "baseURL": "\(upstream)", "retryPercent": 0,
             "breaker": {"minimumRequests": 1000000}, "authorization": "jwt", "jwt": {
                "privateKey": \(key), "keyID": "ABC123DEFG", "issuer": "TEAM123456",
                "subject": "com.example.weather"}}]}
        """
    }

    /// Returns the token of a request.
    private static func token(_ head: String) -> String {
        head.firstMatch(of: /\r\nAuthorization: Bearer ([A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]+)\r\n/)
            .map { String($0.1) } ?? ""
    }

    private static func bytes(base64URL text: some StringProtocol) -> Data {
        let base64 = String(text).replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)) ?? Data()
    }

    /// Whether openssl verifies a token with the public key `name`.
    private static func verifies(_ token: String, _ name: String, in folder: TemporaryFolder) throws -> Bool {
        let parts = token.split(separator: ".").map(String.init)
        guard parts.count == 3 else { return false }
        let signature = bytes(base64URL: parts[2])
        func integer(_ bytes: Data) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            if digits.first ?? 0x80 >= 0x80 { digits.insert(0, at: 0) }
            return [2, UInt8(digits.count)] + digits
        }
        let both = integer(signature.prefix(32)) + integer(signature.dropFirst(32))
        let id = UUID().uuidString
        let files = [
            try folder.write([0x30, UInt8(both.count)] + both, to: "\(id).signature"),
            try folder.write("\(parts[0]).\(parts[1])", to: "\(id).message"),
        ]
        let words = ["openssl", "dgst", "-sha256", "-verify", "\(name).pub", "-signature"]
        return try Tool.run(words + files, in: folder.path).status == 0
    }

    @Test(
        "Requests carry a token with the configured claims, which openssl verifies, and the same one for its lifetime")
    func token() throws {
        let folder = try Self.keys()
        defer { folder.remove() }
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let pem = String(decoding: try Checkout.read(folder.path("first.pem")), as: UTF8.self)
        let start = Int(Date().timeIntervalSince1970)
        // In the environment, the ends of the lines may be escaped.
        for key in [pem, pem.replacing("\n", with: "\\n")] {
            let configuration = Self.configuration(upstream.baseURL, key: #"{"environment": "WEIR_TEST_PEM"}"#)
            let weir = try WeirProcess.serve(configuration, environment: ["WEIR_TEST_PEM": key])
            defer { weir.kill() }
            for _ in 0..<2 { #expect(try weir.get(weather).status == 200) }
        }
        let tokens = upstream.requests.map(Self.token)
        #expect(tokens.count == 4)
        #expect(tokens[0] == tokens[1] && tokens[2] == tokens[3])
        for token in Set(tokens) {
            #expect(try Self.verifies(token, "first", in: folder))
            #expect(try !Self.verifies(token, "second", in: folder))
            let parts = token.split(separator: ".")
            let (header, claims) = (
                try Parsed(Array(Self.bytes(base64URL: parts[0]))), try Parsed(Array(Self.bytes(base64URL: parts[1])))
            )
            #expect(header["alg"].string == "ES256" && header["kid"].string == "ABC123DEFG")
            #expect(header["id"].string == "TEAM123456.com.example.weather")
            #expect(claims["iss"].string == "TEAM123456" && claims["sub"].string == "com.example.weather")
            let time = try #require(claims["iat"].integer)
            #expect((start...Int(Date().timeIntervalSince1970)).contains(time))
            #expect(claims["exp"].integer == time + 3600)
        }
    }

    @Test("No request fails while the file of the key changes under load")
    func rotation() throws {
        let folder = try Self.keys()
        defer { folder.remove() }
        let file = try folder.write(try Checkout.read(folder.path("first.pem")), to: "key.pem")
        // The upstream accepts the first key's tokens until the key has changed, then those that it has not seen.
        let (old, isRotated, echoes) = (Watched(Set<String>()), Watched(false), Watched(false))
        let upstream = try ScriptedUpstream { head in
            let token = Self.token(head)
            if echoes.current { return .answer(403, #"{"error":"\#(old.current.first ?? "") \#(token)"}"#) }
            if isRotated.current {
                return old.current.contains(token) ? .answer(401, #"{"error":"\#(token)"}"#) : .answer(smallForecast)
            }
            old.update { _ = $0.insert(token) }
            return .answer(smallForecast)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.configuration(upstream.baseURL, key: #"{"file": "\#(file)"}"#))
        defer { weir.kill() }
        let (clients, statuses, answered) = (8, Watched<[[Int]]>([]), Watched(0))
        for _ in 0..<clients {
            Thread.detachNewThread {
                var (list, left): ([Int], Int) = ([], 10)
                let client = try? weir.client()
                while left > 0 {
                    if isRotated.current { left -= 1 }
                    list.append((try? client?.get(weather).status) ?? 0)
                    answered.update { $0 += 1 }
                }
                statuses.update { $0.append(list) }
            }
        }
        _ = answered.wait { $0 >= 40 ? true : nil }
        guard rename(folder.path("second.pem"), file) == 0 else { throw Failure("rename") }
        isRotated.update { $0 = true }
        let all = try #require(statuses.wait(seconds: 60) { $0.count == clients ? $0.flatMap(\.self) : nil })
        #expect(all.allSatisfy { $0 == 200 }, "\(all)")
        _ = try weir.logLine("upstream key replaced")
        let last = try #require(upstream.requests.last.map(Self.token))
        #expect(try Self.verifies(last, "second", in: folder))
        #expect(old.current.count == 1)
        #expect(try Self.verifies(try #require(old.current.first), "first", in: folder))
        // Both tokens are valid still, and neither leaves an answer.
        echoes.update { $0 = true }
        let text = try weir.get(weather).text
        #expect(text.contains(#""*** ***""#), "\(text)")
        #expect(try weir.terminate() == 0)
        #expect(!weir.errors.contains(last))
    }

    @Test("A token that the upstream repeats does not reach clients")
    func scrubbing() throws {
        let folder = try Self.keys()
        defer { folder.remove() }
        let upstream = try ScriptedUpstream { .answer(403, #"{"error":"bad \#(Self.token($0))"}"#) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration(upstream.baseURL, key: #"{"file": "\#(folder.path("first.pem"))"}"#))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        try expectProblem(answer, 502)
        #expect(answer.text.contains("bad ***\""))
    }

    @Test("A key that cannot be used is an error that names the setting and quotes nothing")
    func malformedKeys() throws {
        let folder = try Self.keys()
        defer { folder.remove() }
        let pem = String(decoding: try Checkout.read(folder.path("first.pem")), as: UTF8.self)
        let secp = try Tool.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]).text
        let rows = [
            ("no key", "it is not a private key in PEM (PKCS #8)"),
            (String(pem.dropLast(60)), "it is not a private key"),
            (secp, "it is not an EC key on the curve P-256"), ("", "it is not a private key in PEM"),
            (String(repeating: pem, count: 100), "is larger than the limit of 16384 bytes"),
        ]
        for (text, reason) in rows {
            let key = try folder.write(text, to: "key.pem")
            let file = try folder.write(
                Self.configuration("http://host.invalid", key: #"{"file": "\#(key)"}"#), to: "weir.json")
            let check = try WeirProcess.run(["check", "--config", file])
            #expect(check.status == 78)
            #expect(check.errors.contains("upstreams[0].jwt.privateKey"), "\(check.errors)")
            #expect(check.errors.contains(reason), "\(check.errors)")
            let body = pem.split(separator: "\n")[1]
            #expect(!check.errors.contains(body))
        }
        let absent = try folder.write(
            Self.configuration("http://host.invalid", key: #"{"environment": "WEIR_TEST_ABSENT"}"#), to: "weir.json")
        let check = try WeirProcess.run(["check", "--config", absent])
        #expect(check.status == 78)
        #expect(
            check.errors.contains("privateKey does not exist: the environment variable WEIR_TEST_ABSENT is not set"))
        let good = try folder.write(
            Self.configuration("http://host.invalid", key: #"{"file": "\#(folder.path("first.pem"))"}"#),
            to: "weir.json")
        let print = try WeirProcess.run(["check", "--config", good, "--print"])
        #expect(print.status == 0, "\(print.errors)")
        #expect(print.output.contains(#""keyID":"ABC123DEFG""#))
    }
}
