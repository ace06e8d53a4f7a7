import Foundation
import HTTPCore
import TestSupport
import Testing

/// The request cases of nodejs/llhttp.
@Suite("llhttp's request cases")
struct LlhttpCorpusTests {
    /// Cases that llhttp accepts and this parser refuses, with the reason.
    static let stricterHere: [String: String] = [
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
        let cases = LlhttpCase.all()
        guard !cases.isEmpty else { return }
        for sample in cases {
            var wire = Wire()
            wire.receive(sample.input)
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
}

private struct LlhttpCase {
    let name: String
    /// Whether the case uses llhttp without an option that changes how it parses.
    let isStrict: Bool
    let input: [UInt8]
    let isRefused: Bool
    /// The number of requests that llhttp parses completely.
    let completed: Int

    static func all() -> [LlhttpCase] {
        // pausing.md tests llhttp's own interface.
        Checkout.sharedFiles("suites/llhttp/request", ending: ".md").filter { $0.name != "pausing.md" }.flatMap {
            file in
            cases(in: text(file.bytes), file: file.name)
        }
    }

    private static func cases(in markdown: String, file: String) -> [LlhttpCase] {
        var cases: [LlhttpCase] = []
        var heading = ""
        var type = ""
        var blocks: [String: String] = [:]
        var open: String?
        for line in markdown.components(separatedBy: "\n") {
            if let language = open {
                guard line == "```" else {
                    blocks[language, default: ""] += line + "\n"
                    continue
                }
                open = nil
                guard language == "log", let http = blocks["http"], let log = blocks["log"] else { continue }
                if let sample = LlhttpCase(name: "\(file): \(heading)", type: type, http: http, log: log) {
                    cases.append(sample)
                }
                blocks = [:]
            } else if line.hasPrefix("```") {
                open = String(line.dropFirst(3))
            } else if line.hasPrefix("#") {
                heading = line.drop { $0 == "#" || $0 == " " }.description
            } else if line.hasPrefix("<!-- meta=") {
                type = line.contains("skipBody") ? "" : line.components(separatedBy: "\"").dropFirst(3).first ?? ""
            }
        }
        return cases
    }

    /// Returns nil for a case with inline JavaScript.
    private init?(name: String, type: String, http: String, log: String) {
        guard !http.contains("${") else { return nil }
        self.name = name
        isStrict = type == "request"
        input = Self.withHost(Self.unescape(http))
        isRefused = log.contains("error code=")
        completed = log.components(separatedBy: "message complete").count - 1
    }

    /// Decodes a block in the order that suites/README.md gives: last line break, joined lines, CRLF, escapes.
    private static func unescape(_ block: String) -> [UInt8] {
        let text = block.dropLast().description.replacingOccurrences(of: "\\\n", with: "")
            .replacingOccurrences(of: "\n", with: "\r\n")
        var output: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                output.append(byte)
                continue
            }
            let simple: [UInt8: UInt8] = [0x72: 0x0D, 0x6E: 0x0A, 0x74: 0x09, 0x66: 0x0C]
            if let control = simple[next] {
                output.append(control)
                rest = rest.dropFirst()
            } else if next == UInt8(ascii: "x"),
                let value = UInt8(HTTPCoreTests.text(Array(rest.dropFirst().prefix(2))), radix: 16)
            {
                output.append(value)
                rest = rest.dropFirst(3)
            } else if case let digits = rest.prefix(3).prefix(while: { (0x30...0x37).contains($0) }), !digits.isEmpty {
                output.append(UInt8(truncatingIfNeeded: Int(HTTPCoreTests.text(Array(digits)), radix: 8) ?? 0))
                rest = rest.dropFirst(digits.count)
            } else {
                output.append(byte)
            }
        }
        return output
    }

    /// Adds a Host field to requests without one, because this parser would refuse them all for that.
    private static func withHost(_ input: [UInt8]) -> [UInt8] {
        let text = String(String.UnicodeScalarView(input.map { Unicode.Scalar($0) }))
        guard text.range(of: "\r\nhost:", options: .caseInsensitive) == nil else { return input }
        return octets(text.replacing(" HTTP/1.1\r\n", with: " HTTP/1.1\r\nHost: a\r\n"))
    }
}
