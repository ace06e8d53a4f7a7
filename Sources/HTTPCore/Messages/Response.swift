/// An answer to a request: a status, fields and a body.
public struct Response: Sendable {
    /// The status.
    public var status: Status
    /// The fields in the order they are sent.
    ///
    /// Date, Content-Length, Transfer-Encoding and Connection are the serializer's: those given here are not sent.
    public var headers: [(name: String, value: String)]
    /// The content.
    public var body: [UInt8]

    /// A response; without arguments an empty 200.
    public init(status: Status = .ok, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Appends the response, as HTTP/1.1, to `output`.
    ///
    /// `date` is the value of Date, as `HTTPDate.format` makes it; `version` is the client's. With `omittingBody`, as
    /// for HEAD, Content-Length still tells the body's size (RFC 9110 §9.3.2). A 1xx, 204 or 304 has neither a body
    /// nor a Content-Length. A response that ends the connection says `Connection: close`, one that keeps an HTTP/1.0
    /// connection says `Connection: keep-alive`.
    ///
    /// CR, LF and NUL in a value are sent as spaces, so that no value can end its line; a field without a valid name
    /// is not sent.
    public func serialize(
        into output: inout [UInt8], date: [UInt8], version: Version, keepsAlive: Bool, omittingBody: Bool
    ) {
        output += status.line.utf8
        output += "Date: ".utf8
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
            output.append(decimal: body.count)
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
        guard bytes.isToken(bytes.indices) else { return false }
        switch bytes.count {
        case 4: return !bytes.matches("Date")
        case 10: return !bytes.matches("Connection")
        case 14: return !bytes.matches("Content-Length")
        case 17: return !bytes.matches("Transfer-Encoding")
        default: return true
        }
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
