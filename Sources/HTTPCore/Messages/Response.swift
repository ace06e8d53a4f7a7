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
    /// What the record of the exchange says about the answer; it is not sent.
    public var note = ExchangeNote()

    /// A response; without arguments an empty 200.
    public init(status: Status = .ok, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
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
        output += "HTTP/1.1 ".utf8
        output += String(status.code).utf8
        output += " ".utf8
        output += status.reasonPhrase.utf8
        output += "\r\nDate: ".utf8
        output += date
        output += "\r\n".utf8
        for field in headers where Self.isSendable(field.name) {
            output += field.name.utf8
            output += ": ".utf8
            output.append(fieldValue: field.value)
            output += "\r\n".utf8
        }
        if !status.forbidsContent {
            output += "Content-Length: ".utf8
            output += String(body.count).utf8
            output += "\r\n".utf8
        }
        if !keepsAlive {
            output += "Connection: close\r\n".utf8
        } else if version == .http10 {
            output += "Connection: keep-alive\r\n".utf8
        }
        output += "\r\n".utf8
        if !status.forbidsContent, !omittingBody { output += body }
    }

    private static func isSendable(_ name: String) -> Bool {
        let bytes = name.utf8.span
        let all = bytes.indices
        return bytes.isToken(all) && !bytes.matches(all, "Date") && !bytes.matches(all, "Connection")
            && !bytes.matches(all, "Content-Length") && !bytes.matches(all, "Transfer-Encoding")
    }
}

extension Array<UInt8> {
    /// Appends `value` with a space in place of each CR, LF and NUL (RFC 9110 §5.5).
    mutating func append(fieldValue value: String) {
        let start = count
        self += value.utf8
        for index in start..<count {
            switch self[index] {
            case 0, ASCII.lineFeed, ASCII.carriageReturn: self[index] = ASCII.space
            default: break
            }
        }
    }
}
