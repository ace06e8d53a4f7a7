import Foundation
import HTTPCore
import TestSupport
import Testing

/// The request cases of nodejs/llhttp.
@Suite("llhttp's request cases")
struct LlhttpCorpusTests {
    /// Cases that llhttp accepts and this parser refuses, with the reason.
    static let stricterHere: [String: String] = [
        "content-length.md: `Content-Length` with zeroes": "a leading zero, which some readers take for octal",
        "content-length.md: `Content-Length` with follow-up headers": "a leading zero",
        "method.md: M-SEARCH request": "* is for OPTIONS only (RFC 9112 §3.2.4)",
        "method.md: SOURCE request with ICE": "another protocol",
        "method.md: OPTIONS request with RTSP": "another protocol",
        "method.md: ANNOUNCE request with RTSP": "another protocol",
        "sample.md: No HTTP version": "HTTP/0.9",
        "transfer-encoding.md: POST with `chunked` as last transfer-encoding": "# in the target; 501 without it",
        "transfer-encoding.md: POST with `chunked` as last transfer-encoding (multiple headers)": "# in the target",
        "uri.md: Fragment in URI": "# in the target (RFC 9112 §3.2)",
        "uri.md: `host:port` and basic auth": "user information in an http URI (RFC 9110 §4.2.4)",
    ]

    /// Cases that llhttp refuses and this parser accepts, with the reason.
    static let moreLenientHere: [String: String] = [
        "invalid.md: HTTP protocol and ANNOUNCE method": "an unknown method is the router's to answer with 405",
        "invalid.md: Invalid method": "an unknown method is the router's to answer with 405",
    ]

    @Test("Requests are accepted or refused as by llhttp, except for the listed differences")
    func corpus() {
        let cases = LlhttpCase.all("request")
        guard !cases.isEmpty else { return }
        for sample in cases {
            var wire = Wire()
            wire.receive(Self.withHost(sample.input))
            guard sample.isStrict else { continue }
            // Requests after one that closes the connection are ignored.
            let read = wire.requests.firstIndex { !$0.keepsAlive }.map { $0 + 1 } ?? wire.requests.count
            if Self.moreLenientHere[sample.name] != nil {
                #expect(read > sample.completed, "\(sample.name) is refused: remove it from the list")
            } else if sample.isRefused {
                #expect(read <= sample.completed, "\(sample.name)")
            } else if Self.stricterHere[sample.name] == nil {
                #expect(read == sample.completed, "\(sample.name): \(wire.verdicts)")
            } else {
                #expect(wire.failure != nil, "\(sample.name) is accepted: remove it from the list")
            }
        }
        let refused = cases.count { $0.isStrict && $0.isRefused }
        print("llhttp's request cases: \(cases.count) tried, \(refused) of them refused by llhttp")
    }

    /// Adds a Host field to requests without one, because this parser would refuse them all for that.
    private static func withHost(_ input: [UInt8]) -> [UInt8] {
        let text = String(String.UnicodeScalarView(input.map { Unicode.Scalar($0) }))
        guard text.range(of: "\r\nhost:", options: .caseInsensitive) == nil else { return input }
        return octets(text.replacing(" HTTP/1.1\r\n", with: " HTTP/1.1\r\nHost: a\r\n"))
    }
}
