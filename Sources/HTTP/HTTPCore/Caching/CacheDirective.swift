/// A directive of Cache-Control, of a request or a response (RFC 9111 §5.2).
struct CacheDirective {
    /// The name in lower case.
    let name: String
    /// Whether the directive has an argument, valid or not.
    let hasArgument: Bool
    /// The argument as `delta-seconds` (§1.2.2), quoted or not; nil if it is absent or malformed.
    let seconds: Int?
    /// Whether the argument starts a quoted string and does not end it.
    let isUnterminated: Bool

    init(_ bytes: Span<UInt8>, _ element: Range<Int>) {
        let equals = bytes.firstIndex(of: ASCII.equals, in: element)
        name = bytes.text(bytes.trimmed(element.lowerBound..<(equals ?? element.upperBound))).lowercased()
        hasArgument = equals != nil
        let argument = equals.map { bytes.trimmed($0 + 1..<element.upperBound) } ?? 0..<0
        let opens = argument.first.map { bytes[$0] == ASCII.quote } ?? false
        let isQuoted = opens && argument.count >= 2 && bytes[argument.upperBound - 1] == ASCII.quote
        isUnterminated = opens && !isQuoted
        seconds = bytes.seconds(isQuoted ? argument.lowerBound + 1..<argument.upperBound - 1 : argument)
    }
}

extension HeaderFields {
    /// Calls `body` with each directive in the lines of Cache-Control.
    func forEachDirective(_ body: (CacheDirective) -> Void) {
        for line in lines("Cache-Control") {
            forEachElement(of: line.value) { body(CacheDirective(bytes.span, $0)) }
        }
    }
}

extension Span<UInt8> {
    /// The number that the digits in `range` mean, at most `CacheControl.longest`; nil if there is anything else.
    func seconds(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, end(of: ASCII.isDigit, in: range) == range.upperBound else { return nil }
        var seconds = 0
        for index in range { seconds = Swift.min(seconds * 10 + Int(self[index] - ASCII.zero), CacheControl.longest) }
        return seconds
    }
}
