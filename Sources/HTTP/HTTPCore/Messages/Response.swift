/// A response: a status, header fields and a body.
public struct Response: Sendable {
    /// The status.
    public var status: Status
    /// The header fields in the order in which they are sent.
    ///
    /// `serialize` writes Date, Content-Length, Transfer-Encoding and Connection itself and drops those given here.
    public var headers: [(name: String, value: String)]
    /// The content.
    public var body: [UInt8]
    /// The handler's note for the record of the exchange; the note is not sent.
    public var note = ExchangeNote()
    /// The seconds in the field Age; nil for none.
    public var age: Int?
    /// The id of the request, which is sent as the field X-Request-Id in 32 hexadecimal digits; nil for none.
    public var identifier: UInt128?
    /// The status line and the fields that are serialized already; empty if none are.
    private var head: [UInt8] = []

    /// A response; without arguments an empty 200.
    public init(status: Status = .ok, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The same response with its status line and its fields serialized, for one that is sent many times.
    ///
    /// The new response has no `headers`; fields that a caller adds are for one exchange alone.
    public var serialized: Response {
        var response = self
        serializeStatusLine(into: &response.head)
        serializeFields(into: &response.head, hasLength: true)
        response.headers = []
        return response
    }

    /// Appends the response to `output`, as HTTP/1.1.
    ///
    /// `date` is the value of Date, as `HTTPDate.format` returns it; `version` is the client's. With `omittingBody`, as
    /// for HEAD, Content-Length still gives the size of the body (RFC 9110 §9.3.2). A 1xx, 204 or 304 has neither a
    /// body nor a Content-Length. `Connection` is `close` if the connection ends after the response, and `keep-alive`
    /// if an HTTP/1.0 connection stays open.
    ///
    /// CR, LF and NUL in a value are sent as spaces, so that no value can end its line; a field without a valid name is
    /// dropped.
    public func serialize(
        into output: inout [UInt8], date: [UInt8], version: Version, keepsAlive: Bool, omittingBody: Bool
    ) {
        serializeHead(into: &output, date: date, version: version, keepsAlive: keepsAlive)
        if !status.forbidsContent, !omittingBody { output += body }
    }

    /// Appends the head of a response whose body follows in pieces: in chunks for HTTP/1.1 (RFC 9112 §7.1), and up to the
    /// end of the connection for HTTP/1.0.
    public func serializeStreamHead(into output: inout [UInt8], date: [UInt8], version: Version) {
        serializeHead(into: &output, date: date, version: version, keepsAlive: false, isStream: true)
    }

    private func serializeHead(
        into output: inout [UInt8], date: [UInt8], version: Version, keepsAlive: Bool, isStream: Bool = false
    ) {
        if head.isEmpty { serializeStatusLine(into: &output) } else { output += head }
        output.append(text: "Date: ")
        output += date
        output.append(text: "\r\n")
        if let identifier {
            output.append(text: "X-Request-Id: ")
            output.append(hexadecimal: identifier)
            output.append(text: "\r\n")
        }
        serializeFields(into: &output, hasLength: head.isEmpty && !isStream)
        if let age {
            output.append(text: "Age: ")
            output.append(decimal: max(age, 0))
            output.append(text: "\r\n")
        }
        if isStream, version != .http10 { output.append(text: "Transfer-Encoding: chunked\r\n") }
        if !keepsAlive {
            output.append(text: "Connection: close\r\n")
        } else if version == .http10 {
            output.append(text: "Connection: keep-alive\r\n")
        }
        output.append(text: "\r\n")
    }

    private func serializeStatusLine(into output: inout [UInt8]) {
        output.append(text: "HTTP/1.1 ")
        output.append(decimal: status.code)
        output.append(ASCII.space)
        output.append(text: status.reasonPhrase)
        output.append(text: "\r\n")
    }

    private func serializeFields(into output: inout [UInt8], hasLength: Bool) {
        for field in headers where Self.isSendable(field.name) {
            output.append(text: field.name)
            output.append(text: ": ")
            output.append(fieldValue: field.value)
            output.append(text: "\r\n")
        }
        guard hasLength, !status.forbidsContent else { return }
        output.append(text: "Content-Length: ")
        output.append(decimal: body.count)
        output.append(text: "\r\n")
    }

    private static func isSendable(_ name: String) -> Bool {
        let bytes = name.utf8.span
        let all = bytes.indices
        return bytes.isToken(all) && !bytes.matches(all, "Date") && !bytes.matches(all, "Connection")
            && !bytes.matches(all, "Content-Length") && !bytes.matches(all, "Transfer-Encoding")
    }
}

extension Array<UInt8> {
    /// Appends the UTF-8 of `text`; `+=` takes three times as many instructions for a short one.
    mutating func append(text: String) { append(copying: text.utf8.span) }

    /// Appends `number`, which is not negative, in decimal digits.
    mutating func append(decimal number: Int) {
        let start = count
        var rest = number
        // From the last digit on: the compiler makes a multiplication of a division by a constant.
        repeat {
            append(ASCII.zero + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        var (first, last) = (start, count - 1)
        while first < last {
            swapAt(first, last)
            (first, last) = (first + 1, last - 1)
        }
    }

    /// Appends `value` with a space in place of each CR, LF and NUL (RFC 9110 §5.5).
    mutating func append(fieldValue value: String) {
        let start = count
        append(text: value)
        for index in start..<count {
            switch self[index] {
            case 0, ASCII.lineFeed, ASCII.carriageReturn: self[index] = ASCII.space
            default: break
            }
        }
    }
}
