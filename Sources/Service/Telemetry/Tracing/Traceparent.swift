public import HTTPCore

// The field traceparent (W3C Trace Context, level 1, section 3.2).
extension TraceContext {
    /// Returns the place of a request in the trace of its `traceparent`, or in a new trace if that is absent or malformed.
    public static func begin(_ headers: HeaderFields, _ identifiers: inout IdentifierSource) -> TraceContext {
        if let parent = parse(headers), headers.values("traceparent").count == 1 {
            return TraceContext(
                traceID: parent.traceID, parentID: parent.spanID, spanID: identifiers.next(),
                isSampled: parent.isSampled)
        }
        return TraceContext(traceID: identifiers.next128(), spanID: identifiers.next())
    }

    /// The value of the field for a request that this exchange causes; other flags than `sampled` are 0.
    public var traceparent: String {
        "00-\(traceIDText)-\(spanIDText)-\(isSampled ? "01" : "00")"
    }

    /// The id of the trace as 32 hexadecimal digits.
    public var traceIDText: String {
        Self.text(UInt64(truncatingIfNeeded: traceID >> 64)) + Self.text(UInt64(truncatingIfNeeded: traceID))
    }

    /// The id of the span as 16 hexadecimal digits.
    public var spanIDText: String { Self.text(spanID) }

    /// Returns the caller's trace and span; nil if the field is absent or malformed.
    ///
    /// A version above 00 may have more fields behind the flags. Version ff, capital letters and ids of 0 are malformed.
    private static func parse(_ headers: HeaderFields) -> TraceContext? {
        guard let field = headers.bytes("traceparent") else { return nil }
        let text = field.span
        guard text.count >= 55, text[2] == dash, text[35] == dash, text[52] == dash,
            let version = number(text, 0..<2), version != 0xFF, text.count == 55 || version > 0 && text[55] == dash,
            let high = number(text, 3..<19), let low = number(text, 19..<35), let span = number(text, 36..<52),
            let flags = number(text, 53..<55), high | low != 0, span != 0
        else { return nil }
        return TraceContext(traceID: UInt128(high) << 64 | UInt128(low), spanID: span, isSampled: flags & 1 == 1)
    }

    private static var dash: UInt8 { UInt8(ascii: "-") }

    private static func number(_ text: Span<UInt8>, _ digits: Range<Int>) -> UInt64? {
        var number: UInt64 = 0
        for index in digits {
            switch text[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(text[index] - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                number = number << 4 | UInt64(text[index] - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    private static func text(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
