/// Whether a request has a body, and whether its connection persists (RFC 9112 §6 and §9.3).
///
/// The fields are checked although no body is read: a proxy in front may have interpreted ambiguous fields differently.
struct MessageFraming: Sendable {
    let hasBody: Bool
    let keepsAlive: Bool

    init(_ headers: HeaderFields, _ version: Version) throws(RequestFailure) {
        let fields = try FramingFields(headers)
        keepsAlive = !fields.asksToClose && (version == .http11 || fields.asksToStay)
        guard fields.host != nil || version == .http10 else {
            throw .badRequest("An HTTP/1.1 request needs a Host field.")
        }
        if let host = fields.host, !Authority.isValid(headers.bytes.span, host.value) {
            let excerpt = headers.bytes.span.excerpt(host.value)
            throw .badRequest("The Host \"\(excerpt)\" is not a host with an optional port.")
        }
        hasBody = try Self.hasBody(fields, headers.bytes.span, version)
        // The answer stands in for `100 Continue`. Expect of an HTTP/1.0 client is ignored (RFC 9110 §10.1.1).
        if let expectation = fields.otherExpectation, version == .http11 {
            let excerpt = headers.bytes.span.excerpt(expectation)
            throw RequestFailure(
                status: .expectationFailed, detail: "The expectation \"\(excerpt)\" is not 100-continue.")
        }
    }

    private static func hasBody(
        _ fields: FramingFields, _ bytes: Span<UInt8>, _ version: Version
    ) throws(RequestFailure) -> Bool {
        if let coding = fields.transferEncoding {
            guard version == .http11 else {
                throw .badRequest("An HTTP/1.0 request cannot have a Transfer-Encoding.")
            }
            guard fields.contentLength == nil else {
                throw .badRequest("The request has both a Content-Length and a Transfer-Encoding.")
            }
            try checkTransferEncoding(bytes, coding)
            return true
        }
        guard let field = fields.contentLength else { return false }
        guard !field.value.isEmpty else { throw .badRequest("The Content-Length is empty.") }
        // Decimal digits without a sign, a list or a space (RFC 9110 §8.6). A leading zero is refused, although the grammar
        // allows it: some readers take `010` for 8.
        guard let length = bytes.decimal(field.value) else {
            throw .badRequest("The Content-Length \"\(bytes.excerpt(field.value))\" is not a number of bytes.")
        }
        return length > 0
    }

    /// Checks that the field is `chunked` alone, in any letter case (RFC 9112 §6.1 and §7).
    ///
    /// - Throws: 501 if other codings precede a final `chunked`; 400 if the end of the body is not known (`chunked` is
    ///   not the last coding, or occurs twice) or if the value is not a plain list of names.
    private static func checkTransferEncoding(
        _ bytes: Span<UInt8>, _ field: HeaderFields.Field
    ) throws(RequestFailure) {
        let value = field.value
        // A tab is legal around the value, but some proxies do not recognize the field then: request smuggling used it.
        let lineEnd = bytes.firstIndex(of: ASCII.carriageReturn, in: value.upperBound..<bytes.count) ?? bytes.count
        var isChunked = false
        var isWellFormed = bytes.firstIndex(of: ASCII.tab, in: field.name.upperBound..<lineEnd) == nil
        var start = value.lowerBound
        while isWellFormed, start <= value.upperBound {
            let comma = bytes.firstIndex(of: ASCII.comma, in: start..<value.upperBound) ?? value.upperBound
            let name = bytes.trimmed(start..<comma)
            isWellFormed = !isChunked && bytes.isToken(name)
            isChunked = bytes.matches(name, "chunked")
            start = comma + 1
        }
        guard isWellFormed, isChunked else {
            throw .badRequest("The Transfer-Encoding \"\(bytes.excerpt(value))\" does not end in one \"chunked\".")
        }
        guard bytes.matches(value, "chunked") else {
            throw RequestFailure(
                status: .notImplemented,
                detail: "Of the transfer codings in \"\(bytes.excerpt(value))\" only \"chunked\" is supported.")
        }
    }
}

/// The fields that decide framing, found in one pass.
private struct FramingFields {
    private(set) var host: HeaderFields.Field?
    private(set) var contentLength: HeaderFields.Field?
    private(set) var transferEncoding: HeaderFields.Field?
    private(set) var asksToClose = false
    private(set) var asksToStay = false
    private(set) var otherExpectation: Range<Int>?

    init(_ headers: HeaderFields) throws(RequestFailure) {
        let bytes = headers.bytes.span
        let lines = headers.fields.span
        for index in lines.indices {
            let field = lines[index]
            if bytes.matches(field.name, "Host") {
                try Self.set(&host, field, "Host")
            } else if bytes.matches(field.name, "Content-Length") {
                try Self.set(&contentLength, field, "Content-Length")
            } else if bytes.matches(field.name, "Transfer-Encoding") {
                try Self.set(&transferEncoding, field, "Transfer-Encoding")
            } else if bytes.matches(field.name, "Connection") {
                headers.forEachElement(of: field.value) { option in
                    if bytes.matches(option, "close") { asksToClose = true }
                    if bytes.matches(option, "keep-alive") { asksToStay = true }
                }
            } else if bytes.matches(field.name, "Expect") {
                headers.forEachElement(of: field.value) { expectation in
                    if !bytes.matches(expectation, "100-continue") { otherExpectation = expectation }
                }
            }
        }
    }

    private static func set(
        _ target: inout HeaderFields.Field?, _ field: HeaderFields.Field, _ name: String
    ) throws(RequestFailure) {
        guard target == nil else { throw .badRequest("The request has more than one \(name) field.") }
        target = field
    }
}
