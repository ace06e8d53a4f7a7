/// A compiled regular expression of `match` and `replace_pattern`; the library of patterns is the caller's.
public protocol JMESPattern: Sendable {
    /// Returns the places of the first match at `start` or behind, in bytes: of the whole, and of each group or nil.
    ///
    /// Returns none if nothing matches. `text` is valid UTF-8. Counts steps in `context`, and throws past a limit.
    func places(
        in text: [UInt8], from start: Int, _ context: inout JMESContext
    ) throws(JMESFailure) -> [Range<Int>?]
}

extension JMESPath {
    /// Compiles a regular expression, or throws an error whose text says why the text is none.
    public typealias PatternCompiler = (_ text: String) throws -> any JMESPattern
}

extension Function {
    /// `match`, an array of texts, and `replace_pattern`.
    func matched(
        _ arguments: [JMESValue], _ pattern: Expression?, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        guard case .pattern(let pattern)? = pattern else { return .null }
        let text = Array((arguments[0].string ?? "").utf8)
        try context.make(bytes: text.count)
        if self == .replacePattern {
            return try Self.replaced(text, pattern, Array((arguments[1].string ?? "").utf8), &context)
        }
        let places = try pattern.places(in: text, from: 0, &context)
        if places.isEmpty { return .null }
        try context.make(bytes: places.reduce(0) { $0 + 40 + ($1?.count ?? 0) })
        return .array(places.map { $0.map { .string(String(decoding: text[$0], as: UTF8.self)) } ?? .null })
    }

    private static func replaced(
        _ text: [UInt8], _ pattern: any JMESPattern, _ replacement: [UInt8], _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        var result: [UInt8] = []
        // The end of the last match, and where the next one is searched for.
        var (end, start) = (0, 0)
        while start <= text.count {
            let places = try pattern.places(in: text, from: start, &context)
            guard let match = places.first ?? nil, match.lowerBound >= end else { break }
            result += text[end..<match.lowerBound]
            let count = result.count
            append(replacement, text, places, to: &result)
            try context.make(bytes: 16 + result.count - count)
            (end, start) = (match.upperBound, match.upperBound)
            if match.isEmpty {
                start += 1
                while start < text.count, text[start] & 0xC0 == 0x80 { start += 1 }
            }
        }
        result += text[end...]
        return .string(String(decoding: result, as: UTF8.self))
    }

    /// Appends a replacement, in which `$0` is the match, `$1` its first group, and `$$` a dollar.
    private static func append(
        _ replacement: [UInt8], _ text: [UInt8], _ places: [Range<Int>?], to result: inout [UInt8]
    ) {
        let dollar = UInt8(ascii: "$")
        var rest = replacement[...]
        while let byte = rest.popFirst() {
            let next = byte == dollar ? rest.first : nil
            if next == dollar {
                rest.removeFirst()
            } else if let next, case let group = Int(next) - 48, places.indices ~= group, group <= 9 {
                rest.removeFirst()
                if let place = places[group] { result += text[place] }
                continue
            }
            result.append(byte)
        }
    }
}
