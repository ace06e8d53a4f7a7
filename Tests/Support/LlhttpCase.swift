import Foundation

/// A case of nodejs/llhttp's tests.
package struct LlhttpCase {
    package let name: String
    /// Whether the case uses llhttp without an option that changes how it parses.
    package let isStrict: Bool
    package let input: [UInt8]
    package let isRefused: Bool
    /// Whether the error is a pause, because another protocol follows the request.
    package let isPaused: Bool
    /// The number of messages that llhttp parses completely.
    package let completed: Int
    /// The body of the first message that is not an interim response.
    package let body: String
    /// Whether llhttp parses that message completely.
    package let isComplete: Bool

    /// Returns the cases in the folder `type`, `request` or `response`.
    package static func all(_ type: String) -> [LlhttpCase] {
        // pausing.md tests llhttp's own interface.
        Checkout.sharedFiles("suites/llhttp/\(type)", ending: ".md").filter { $0.name != "pausing.md" }.flatMap {
            file in
            cases(in: String(decoding: file.bytes, as: UTF8.self), file: file.name, type)
        }
    }

    private static func cases(in markdown: String, file: String, _ wanted: String) -> [LlhttpCase] {
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
                if let sample = LlhttpCase(
                    name: "\(file): \(heading)", isStrict: type == wanted, http: http, log: log)
                {
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
    private init?(name: String, isStrict: Bool, http: String, log: String) {
        guard !http.contains("${") else { return nil }
        self.name = name
        self.isStrict = isStrict
        input = Self.unescape(http)
        isRefused = log.contains("error code=")
        isPaused = log.contains("reason=\"Pause")
        let messages = log.components(separatedBy: "message complete")
        let index = messages.firstIndex { !$0.contains("status=10") } ?? 0
        let final = messages[index]
        isComplete = index < messages.count - 1
        body = final.components(separatedBy: "\n").map(Self.bodySpan).joined()
        completed = log.components(separatedBy: "message complete").count - 1
    }

    /// Returns the part of a body in a line such as `off=3 len=2 span[body]="ab"`.
    private static func bodySpan(_ line: String) -> String {
        guard let start = line.range(of: "span[body]=")?.upperBound else { return "" }
        let span = line[start...]
        if span == "lf" { return "\n" }
        return span == "cr" ? "\r" : String(span.dropFirst().dropLast())
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
                let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                output.append(value)
                rest = rest.dropFirst(3)
            } else if case let digits = rest.prefix(3).prefix(while: { (0x30...0x37).contains($0) }), !digits.isEmpty {
                output.append(UInt8(truncatingIfNeeded: Int(String(decoding: digits, as: UTF8.self), radix: 8) ?? 0))
                rest = rest.dropFirst(digits.count)
            } else {
                output.append(byte)
            }
        }
        return output
    }
}

// Where Weir differs.
extension LlhttpCase {
    /// Cases that llhttp accepts and this parser refuses, with the reason.
    package static let stricterHere: [String: String] = [
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
    package static let moreLenientHere: [String: String] = [
        "invalid.md: HTTP protocol and ANNOUNCE method": "an unknown method is the router's to answer with 405",
        "invalid.md: Invalid method": "an unknown method is the router's to answer with 405",
    ]

    /// The input, with a Host field if it has none, because Weir would refuse it for that alone.
    package var inputWithHost: [UInt8] {
        let text = String(String.UnicodeScalarView(input.map { Unicode.Scalar($0) }))
        guard text.range(of: "\r\nhost:", options: .caseInsensitive) == nil else { return input }
        return text.replacing(" HTTP/1.1\r\n", with: " HTTP/1.1\r\nHost: a\r\n").unicodeScalars.map {
            UInt8(truncatingIfNeeded: $0.value)
        }
    }
}
