/// An HTTP response as received.
package struct RawAnswer: Sendable {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package var body: [UInt8] = []

    /// Parses the status line and the header fields, without the empty line.
    package init(head: String) throws {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Failure("not a status line: \(lines.first ?? "")")
        }
        self.status = status
        headers = try lines.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":") else { throw Failure("not a header field: \(line)") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
    }

    /// Returns the value of the first header field named `name`, ignoring case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The header fields and the body as text, for searching.
    package var everything: String { headers.map { "\($0.name): \($0.value)\n" }.joined() + text }

    /// Whether the server closes the connection after this response.
    package var isLast: Bool { header("Connection")?.lowercased() == "close" }

    package func json() throws -> Parsed { try Parsed(body) }
}
