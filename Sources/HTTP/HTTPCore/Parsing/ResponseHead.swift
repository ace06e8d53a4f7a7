/// The head of a response, checked line by line as it arrives (RFC 9112 §4 to §6).
///
/// Heads that another reader could frame differently are refused. The limits apply to all heads of one response
/// together: heads of interim responses, the final head, and the trailer section.
package struct ResponseHead: Sendable {
    /// The largest head that is accepted.
    package struct Limits: Sendable {
        package var bytes: Int
        package var fields: Int

        package init(bytes: Int, fields: Int) {
            self.bytes = bytes
            self.fields = fields
        }
    }

    /// Why a response is malformed, as a clause about the upstream such as `its head is too large`.
    package struct Malformed: Error, Sendable {
        package let reason: String

        package init(_ reason: String) { self.reason = reason }

        static var headTooLarge: Malformed { Malformed("its head is too large") }
    }

    private enum Stage {
        case statusLine
        case fields
        case complete
    }

    private let limits: Limits
    private var stage = Stage.statusLine
    private var bytes = 0
    private var lines = 0
    /// The header section of the latest response, with its status line.
    private var section: [UInt8] = []
    private var fields: [HeaderFields.Field] = []
    package private(set) var status = 0
    /// The value of Content-Length.
    package private(set) var length: Int?
    package private(set) var isChunked = false
    /// The values of Content-Encoding that change no byte: servers write the charset or the absence of a coding there.
    private static let noCodings = [
        "identity", "none", "null", "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "windows-1252", "binary",
        "8bit", "7bit", "plain", "text", "json", "application/json",
    ]

    /// The content codings in the order in which they were applied, in lower case; without names that change no byte.
    package private(set) var codings: [String] = []
    /// Whether the upstream closes the connection after the response.
    package private(set) var closes = false
    private var isHTTP10 = false

    /// An empty head.
    package init(limits: Limits) { self.limits = limits }

    /// The header fields of the latest response.
    package var headers: HeaderFields { HeaderFields(bytes: section, fields: fields) }

    /// Whether a byte of a response has arrived.
    package var hasStarted: Bool { bytes > 0 }

    /// Whether the final response's status line has arrived.
    package var hasFinalStatus: Bool { status >= 200 }

    /// Whether the final response's head is complete.
    package var isComplete: Bool {
        if case .complete = stage { return true }
        return false
    }

    /// Whether the response has no body, whatever its fields say (RFC 9112 §6.3).
    package var isBodyless: Bool { status == 204 || status == 304 }

    /// Takes a line with its CRLF; after the head, a line of the trailer section, which is counted and dropped.
    /// - Returns: Whether the line completes the final response's head.
    @discardableResult
    package mutating func take(_ line: Span<UInt8>) throws(Malformed) -> Bool {
        try count(line.count)
        if section.isEmpty { section.reserveCapacity(512) }
        let end = line.count - 2
        guard end >= 0, line[end] == ASCII.carriageReturn, line[end + 1] == ASCII.lineFeed else {
            throw Malformed("a line of its head does not end in CR LF")
        }
        guard line.firstControl(in: 0..<end) == end else {
            throw Malformed("its head has a control character")
        }
        switch stage {
        case .statusLine: try readStatusLine(line, end)
        case .fields:
            if end == 0 {
                finish()
                return isComplete
            }
            try readField(line, end)
        case .complete:
            try checkTrailer(line, end)
            return false
        }
        section.append(copying: line)
        return false
    }

    private func checkTrailer(_ line: Span<UInt8>, _ end: Int) throws(Malformed) {
        guard !line.isBlank(0) else { throw Malformed("its trailer section has a folded line") }
        guard (try? HeaderFields.Field(line, 0..<end)) != nil else {
            throw Malformed("its trailer section has a line without a valid field name and a colon")
        }
    }

    /// Counts `size` bytes and one line against the limits.
    private mutating func count(_ size: Int) throws(Malformed) {
        bytes += size
        lines += 1
        // The status line and the empty line of the final head are not fields.
        guard bytes <= limits.bytes, lines <= limits.fields + 2 else { throw .headTooLarge }
    }

    var remainingBytes: Int { limits.bytes - bytes }

    private mutating func finish() {
        if status / 100 == 1 {
            self = ResponseHead(after: self)
        } else {
            stage = .complete
        }
    }

    /// The head after an interim response; only the counts are kept.
    private init(after interim: ResponseHead) {
        limits = interim.limits
        bytes = interim.bytes
        lines = interim.lines
    }

    /// Reads `HTTP/1.x SP 3DIGIT [ SP reason ]`.
    private mutating func readStatusLine(_ line: Span<UInt8>, _ end: Int) throws(Malformed) {
        guard let space = line.firstIndex(of: ASCII.space, in: 0..<end) else {
            throw Malformed("its status line is malformed")
        }
        isHTTP10 = line.equals(0..<space, "HTTP/1.0")
        let code = space + 1..<min(space + 4, end)
        guard isHTTP10 || line.equals(0..<space, "HTTP/1.1"), code.count == 3,
            let status = line.decimal(code), 100...599 ~= status,
            code.upperBound == end || line[code.upperBound] == ASCII.space
        else { throw Malformed("its status line is malformed") }
        guard status != 101 else { throw Malformed("it switched to another protocol") }
        self.status = status
        closes = isHTTP10
        stage = .fields
    }

    private mutating func readField(_ line: Span<UInt8>, _ end: Int) throws(Malformed) {
        guard !line.isBlank(0) else { throw Malformed("its head has a folded line") }
        guard let field = try? HeaderFields.Field(line, 0..<end) else {
            throw Malformed("its head has a line without a valid field name and a colon")
        }
        if line.matches(field.name, "Content-Length") {
            try readLength(line, field.value)
        } else if line.matches(field.name, "Transfer-Encoding") {
            try readTransferCoding(line, field.value)
        } else if line.matches(field.name, "Content-Encoding") {
            line.forEachElement(of: field.value) { coding in
                // Two are too many already.
                guard codings.count < 2, !Self.noCodings.contains(where: { line.matches(coding, $0) }) else { return }
                codings.append(line.text(coding).lowercased())
            }
        } else if line.matches(field.name, "Connection") {
            line.forEachElement(of: field.value) { option in
                if line.matches(option, "close") { closes = true }
                if isHTTP10, line.matches(option, "keep-alive") { closes = false }
            }
        }
        if fields.isEmpty { fields.reserveCapacity(16) }
        let start = section.count
        fields.append(
            HeaderFields.Field(
                name: start + field.name.lowerBound..<start + field.name.upperBound,
                value: start + field.value.lowerBound..<start + field.value.upperBound))
    }

    private mutating func readLength(_ line: Span<UInt8>, _ value: Range<Int>) throws(Malformed) {
        guard length == nil else { throw Malformed("it has two Content-Length fields") }
        guard !isChunked else { throw Malformed("it has both Content-Length and Transfer-Encoding") }
        // 18 digits fit into every implementation's integer.
        guard value.count <= 18, let number = line.decimal(value, allowsLeadingZeros: true) else {
            throw Malformed("its Content-Length is not a number")
        }
        length = number
    }

    private mutating func readTransferCoding(_ line: Span<UInt8>, _ value: Range<Int>) throws(Malformed) {
        guard length == nil else { throw Malformed("it has both Content-Length and Transfer-Encoding") }
        guard !isHTTP10, !isChunked, line.matches(value, "chunked") else {
            throw Malformed("its Transfer-Encoding is not chunked alone")
        }
        isChunked = true
    }
}
