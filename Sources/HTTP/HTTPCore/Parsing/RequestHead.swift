/// A request without its body, and how the body is framed.
struct RequestHead: Sendable {
    let request: Request
    let framing: MessageFraming
    /// The number of bytes up to and including the empty line.
    let length: Int
}

/// Reads a request's head line by line, as the bytes arrive.
struct HeadParser: Sendable {
    private var lines = LineReader()
    private var requestLine: RequestLine?
    // These two belong to the last request too: if nothing else holds that any more, the next one uses their memory.
    private var fields: [HeaderFields.Field] = []
    private var copy: [UInt8] = []

    /// Returns the head once `bytes`, which start with it, contain all of it, and starts again; nil before.
    mutating func parse(_ bytes: Span<UInt8>, _ limits: RequestLimits) throws(RequestFailure) -> RequestHead? {
        if requestLine == nil { requestLine = try parseRequestLine(bytes, limits) }
        if requestLine == nil { return nil }
        while true {
            switch try lines.next(in: bytes, before: limits.maximumHeadBytes) {
            case .incomplete: return nil
            case .tooLong: throw .headTooLarge("The head is larger than \(limits.maximumHeadBytes) bytes.")
            case .complete(let line):
                if line.isEmpty { return try finish(bytes, limits) }
                let field = try HeaderFields.Field(bytes, line)
                guard fields.count < limits.maximumFields else {
                    throw .headTooLarge("The head has more than \(limits.maximumFields) field lines.")
                }
                fields.append(field)
            }
        }
    }

    private mutating func parseRequestLine(
        _ bytes: Span<UInt8>, _ limits: RequestLimits
    ) throws(RequestFailure) -> RequestLine? {
        let longest = RequestLine.maximumBytes(limits) + "\r\n".utf8.count
        switch try lines.next(in: bytes, before: longest) {
        case .incomplete: return nil
        case .tooLong(let range): throw RequestLine.failure(forTooLong: bytes, range, limits: limits)
        case .complete(let range):
            fields.removeAll(keepingCapacity: true)
            return try RequestLine(bytes, range, limits: limits)
        }
    }

    private mutating func finish(
        _ bytes: Span<UInt8>, _ limits: RequestLimits
    ) throws(RequestFailure) -> RequestHead? {
        guard let line = requestLine.take() else { return nil }
        let length = lines.start
        copy.removeAll(keepingCapacity: true)
        copy.append(copying: bytes.extracting(0..<length))
        lines = LineReader()
        let headers = HeaderFields(bytes: copy, fields: fields)
        let target = try RequestTarget(
            copy, line.target, path: line.path, maximumParameters: limits.maximumQueryParameters)
        let framing = try MessageFraming(headers, line.version, limits)
        let request = Request(
            method: line.method, target: target, version: line.version, headers: headers,
            keepsAlive: framing.keepsAlive)
        return RequestHead(request: request, framing: framing, length: length)
    }
}
