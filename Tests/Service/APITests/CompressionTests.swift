import HTTPCore
import TestSupport
import Testing

@testable import HTTPClient
@testable import API

struct CompressionTests {
    private static let text = Array(String(repeating: "{\"time\":1767290437,\"temperature\":10.9},", count: 3000).utf8)

    private static func compressed(_ body: [UInt8], _ accepted: String) async -> (coding: String?, body: [UInt8]) {
        let response = await Response(body: body).negotiated(for: HeaderFields([("Accept-Encoding", accepted)]))
        let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { $1 }
        #expect(fields["Vary"] == "Accept-Encoding")
        return (fields["Content-Encoding"], response.body)
    }

    @Test(arguments: [("gzip", "gzip"), ("br", "br"), ("gzip, br", "br"), ("br;q=0.5, gzip", "gzip"), ("*", "gzip")])
    func aBodyIsSentInThePreferredCoding(_ accepted: String, _ coding: String) async throws {
        for length in [1024, 30_000, Self.text.count] {
            let body = Array(Self.text[..<length])
            let found = await Self.compressed(body, accepted)
            #expect(found.coding == coding)
            #expect(found.body.count < body.count / 4)
            let decoder = try ContentDecoder(coding, maximumBytes: 1 << 20)
            var (position, decoded) = (0, [UInt8]())
            try decoder.decode(found.body, from: &position, into: &decoded, atMost: .max)
            #expect(decoded == body)
        }
    }

    @Test func aBodyThatIsShortOrDoesNotShrinkIsSentAsItIs() async {
        var random = SplitMix64(seed: 3)
        let noise = (0..<5000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for (body, accepted) in [(Array(Self.text[..<1023]), "br"), (noise, "gzip"), (noise, "br"), (Self.text, "")] {
            let found = await Self.compressed(body, accepted)
            #expect(found.coding == nil)
            #expect(found.body == body)
        }
    }
}
