public import HTTPCore

// The field traceparent (W3C Trace Context, level 1, section 3.2).
extension TraceContext {
    /// Returns the place of a request in the trace of its `traceparent`, or in a new trace if that is absent or malformed.
    ///
    /// The caller decides whether its trace is recorded, and `ratio` whether a new one is.
    public static func begin(
        _ headers: HeaderFields, _ identifiers: inout IdentifierSource, ratio: TraceRatio = TraceRatio(0)
    ) -> TraceContext {
        if let parent = parse(headers), headers.values("traceparent").count == 1 {
            return TraceContext(
                traceID: parent.traceID, parentID: parent.spanID, spanID: identifiers.next(),
                isSampled: parent.isSampled)
        }
        let traceID = identifiers.next128()
        return TraceContext(traceID: traceID, spanID: identifiers.next(), isSampled: ratio.samples(traceID))
    }

    /// Returns the position of a span below this one; different numbers have different spans.
    package func child(_ number: Int) -> TraceContext {
        var identifiers = IdentifierSource(seed: spanID &+ UInt64(truncatingIfNeeded: number))
        return TraceContext(traceID: traceID, parentID: spanID, spanID: identifiers.next(), isSampled: isSampled)
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

    static func text(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

/// The part of the new traces that is recorded.
///
/// The last 56 bits of a trace's id decide (OpenTelemetry, "Probability sampling"), so that all services with the same ratio
/// record the same traces.
public struct TraceRatio: Sendable {
    private let threshold: UInt64

    /// A ratio from 0, no trace, to 1, all traces.
    public init(_ ratio: Double) { threshold = UInt64((1 - min(max(ratio, 0), 1)) * 0x1p56) }

    func samples(_ traceID: UInt128) -> Bool { UInt64(truncatingIfNeeded: traceID) & (1 << 56 - 1) >= threshold }
}

/// The field `tracestate` (W3C Trace Context, level 1, section 3.3), which Weir passes on without a member of its own.
public enum TraceState {
    /// The most members of a list, and the most bytes that are passed on.
    private static let mostMembers = 32, mostBytes = 512
    /// Longer members leave first if the list is too long.
    private static let longMember = 128

    /// Returns the list of all lines of the field; nil if it is absent, malformed or too long to leave a member.
    public static func read(_ headers: HeaderFields) -> String? {
        guard headers.bytes("tracestate") != nil else { return nil }
        let list = Array(headers.values("tracestate").joined(separator: ",").utf8)
        var members: [ArraySlice<UInt8>] = [], keys: Set<ArraySlice<UInt8>> = []
        for element in list.split(separator: UInt8(ascii: ",")) {
            let start = element.drop(while: isBlank)
            guard let end = start.lastIndex(where: { !isBlank($0) }) else { continue }
            let member = start[...end]
            guard members.count < mostMembers, let sign = member.firstIndex(of: UInt8(ascii: "=")),
                isKey(member[..<sign]), isValue(member[(sign + 1)...]), keys.insert(member[..<sign]).inserted
            else { return nil }
            members.append(member)
        }
        func bytes() -> Int { members.reduce(-1) { $0 + $1.count + 1 } }
        if bytes() > mostBytes { members.removeAll { $0.count > longMember } }
        while bytes() > mostBytes { members.removeLast() }
        return members.isEmpty ? nil : String(decoding: Array(members.joined(separator: ",".utf8)), as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
        1...256 ~= key.count && key.first != UInt8(ascii: "@")
            && key.allSatisfy { byte in
                switch Unicode.Scalar(byte) {
                case "a"..."z", "0"..."9", "_", "-", "*", "/", "@": true
                default: false
                }
            }
    }

    private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
        1...256 ~= value.count && value.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "=") }
    }
}

/// Makes ids of traces and spans: SplitMix64 from a random start.
///
/// The ids are unique, not secret: the system's generator takes a system call for each.
public struct IdentifierSource: Sendable {
    private var state: UInt64

    /// A source with a random start.
    public init() { state = .random(in: .min ... .max) }

    /// A source with a given start, for tests.
    public init(seed: UInt64) { state = seed }

    /// Returns a number that is not 0.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        number ^= number >> 31
        return number == 0 ? 1 : number
    }

    /// Returns a number of 128 bits that is not 0.
    public mutating func next128() -> UInt128 { UInt128(next()) << 64 | UInt128(next()) }
}

/// The field `X-Request-Id`.
public enum RequestID {
    private static let longest = 64

    /// Returns the client's id: 8 to 64 letters, digits, `-`, `_`, `.`; nil if it is absent, repeated or has another form.
    public static func read(_ headers: HeaderFields) -> String? {
        guard let bytes = headers.bytes("X-Request-Id"), 8...longest ~= bytes.count, bytes.allSatisfy(isAllowed),
            headers.values("X-Request-Id").count == 1
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
