/// What the fields of a request say about its body and its connection (RFC 9112 §6 and §9.3).
struct MessageFraming: Sendable {
    enum Body: Sendable {
        /// `Content-Length`, or 0 without one.
        case sized(Int)
        case chunked
    }

    private(set) var body = Body.sized(0)
    let keepsAlive: Bool
    private(set) var expectsContinue = false

    init(_ headers: HeaderFields, _ version: Version, _ limits: RequestLimits) throws(RequestFailure) {
        var seen = FramingFields()
        try seen.collect(headers)
        keepsAlive = !seen.asksToClose && (version == .http11 || seen.asksToStay)
        guard seen.host != nil || version == .http10 else {
            throw .badRequest("An HTTP/1.1 request needs a Host field.")
        }
        if let host = seen.host, !Authority.isValid(headers.bytes.span, host) {
            throw .badRequest("The Host \"\(headers.bytes.span.excerpt(host))\" is not a host with an optional port.")
        }
        try readBody(seen, headers, version, limits)
        // A 1.0 client cannot wait for a 100, so its Expect is ignored (RFC 9110 §10.1.1).
        if seen.hasExpect, version == .http11 { expectsContinue = try Self.continueExpected(headers) }
    }

    private mutating func readBody(
        _ seen: FramingFields, _ headers: HeaderFields, _ version: Version, _ limits: RequestLimits
    ) throws(RequestFailure) {
        if let coding = seen.transferEncoding {
            guard version == .http11 else {
                throw .badRequest("An HTTP/1.0 request cannot have a Transfer-Encoding.")
            }
            guard seen.contentLength == nil else {
                throw .badRequest("The request has both a Content-Length and a Transfer-Encoding.")
            }
            try TransferCoding.check(headers.bytes.span, coding)
            body = .chunked
        } else if let range = seen.contentLength {
            let length = try Self.contentLength(headers.bytes.span, range)
            guard length <= limits.maximumBodyBytes else { throw .bodyTooLarge(limits) }
            body = .sized(length)
        }
    }

    /// Decimal digits only: no sign, no list, no space (RFC 9110 §8.6).
    private static func contentLength(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFailure) -> Int {
        var length = 0
        for index in range {
            let digit = Int(bytes[index]) - Int(ASCII.zero)
            let (product, overflows) = length.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(digit)
            guard ASCII.isDigit(bytes[index]), !overflows, !carries else {
                throw .badRequest("The Content-Length \"\(bytes.excerpt(range))\" is not a number of bytes.")
            }
            length = sum
        }
        guard !range.isEmpty else { throw .badRequest("The Content-Length is empty.") }
        return length
    }

    private static func continueExpected(_ headers: HeaderFields) throws(RequestFailure) -> Bool {
        var isExpected = false
        for field in headers.fields where headers.bytes.matches(field.name, "Expect") {
            var list = ListElements(field.value)
            while let element = list.next(in: headers.bytes.span) {
                guard headers.bytes.matches(element, "100-continue") else {
                    let excerpt = headers.bytes.span.excerpt(element)
                    throw RequestFailure(
                        status: .expectationFailed, detail: "The expectation \"\(excerpt)\" is not 100-continue.")
                }
                isExpected = true
            }
        }
        return isExpected
    }
}

extension RequestFailure {
    static func bodyTooLarge(_ limits: RequestLimits) -> RequestFailure {
        RequestFailure(
            status: .contentTooLarge, detail: "The body is larger than \(limits.maximumBodyBytes) bytes.")
    }
}

/// Where the fields lie that decide framing; one pass that compares only names of the right length.
private struct FramingFields {
    var host: Range<Int>?
    var contentLength: Range<Int>?
    var transferEncoding: HeaderFields.Field?
    var asksToClose = false
    var asksToStay = false
    var hasExpect = false

    mutating func collect(_ headers: HeaderFields) throws(RequestFailure) {
        for field in headers.fields {
            switch field.name.count {
            case 4 where headers.bytes.matches(field.name, "Host"):
                guard host == nil else { throw .repeated("Host") }
                host = field.value
            case 6 where headers.bytes.matches(field.name, "Expect"):
                hasExpect = true
            case 10 where headers.bytes.matches(field.name, "Connection"):
                readConnection(headers, field.value)
            case 14 where headers.bytes.matches(field.name, "Content-Length"):
                guard contentLength == nil else { throw .repeated("Content-Length") }
                contentLength = field.value
            case 17 where headers.bytes.matches(field.name, "Transfer-Encoding"):
                guard transferEncoding == nil else { throw .repeated("Transfer-Encoding") }
                transferEncoding = field
            default: break
            }
        }
    }

    private mutating func readConnection(_ headers: HeaderFields, _ value: Range<Int>) {
        var options = ListElements(value)
        while let option = options.next(in: headers.bytes.span) {
            if headers.bytes.matches(option, "close") { asksToClose = true }
            if headers.bytes.matches(option, "keep-alive") { asksToStay = true }
        }
    }
}

extension RequestFailure {
    fileprivate static func repeated(_ name: String) -> RequestFailure {
        .badRequest("The request has more than one \(name) field.")
    }
}
