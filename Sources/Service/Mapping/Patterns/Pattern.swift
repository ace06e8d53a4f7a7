import CPCRE2
package import JMESPath
package import JSONText

/// A regular expression of PCRE2 that matches anywhere in a text, as `pattern` of JSON Schema does.
///
///     let pattern = try Pattern("^[A-Z]{3}$")
///     pattern.matches("KSF")  // true
///
/// Steps and memory of matches are limited; a text past a limit does not match.
package struct Pattern: Sendable {
    /// The longest text that is looked at, in bytes.
    package static let maximumBytes = 1 << 16
    private static let maximumKilobytes: UInt32 = 4096
    /// The longest text whose matches are first tried without a count of their steps.
    private static let shortText = 64

    /// The regular expression as it was written.
    package let text: String
    private let code: Code
    /// The same with a count of its steps: a few times slower.
    private let countedCode: Code

    /// Compiles a regular expression.
    package init(_ text: String) throws(InvalidPattern) {
        self.text = text
        (code, countedCode) = (try Self.compiled(text), try Self.compiled(text, isCounted: true))
    }

    private static func compiled(_ text: String, isCounted: Bool = false) throws(InvalidPattern) -> Code {
        var bytes = text
        var error: Int32 = 0, offset = 0
        let code = bytes.withUTF8 {
            weir_pattern_compile($0.baseAddress, $0.count, isCounted ? 1 : 0, &error, &offset)
        }
        guard let code else { throw InvalidPattern(reason: message(of: error), offset: offset) }
        return Code(code)
    }

    /// Whether the pattern matches somewhere in `text`; counts the steps of the match, each up to 50 ns.
    package func matches(_ text: String, _ work: inout Work) -> Bool {
        var text = text
        return text.withUTF8 { matches(validated: $0, &work) }
    }

    /// Whether the pattern matches somewhere in `text`, which is known to be valid UTF-8.
    package func matches(validated text: UnsafeBufferPointer<UInt8>, _ work: inout Work) -> Bool {
        guard text.count <= Self.maximumBytes, work.steps > 0 else { return false }
        return search(text, from: 0, &work) == 1
    }

    /// Returns 1 if the pattern matches at `start` or behind, 0 if not, and -1 past a limit.
    ///
    /// `places` gets the bounds of the match and of as many groups as there is room for.
    private func search(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ work: inout Work,
        into places: UnsafeMutableBufferPointer<Int>? = nil
    ) -> Int32 {
        let pairs = UInt32(max(places?.count ?? 0, 2) / 2), places = places?.baseAddress
        if text.count <= Self.shortText {
            // PCRE2 counts anew at each place where a match may start.
            let limit: UInt32 = code.isAnchored ? 64 : 8
            let result = weir_pattern_matches(
                code.pointer, text.baseAddress, text.count, start, limit, Self.maximumKilobytes, nil, places, pairs)
            work.steps -= 4 + text.count / 2
            if result >= 0 { return result }
        }
        let steps = Int64(min(work.steps, 100_000 + 256 * text.count))
        let document = work.document
        let (result, left) = withUnsafePointer(to: document) { document in
            var count = weir_pattern_work(
                steps: steps, next_check: steps - 1024, position: start,
                is_expired: { $0?.assumingMemoryBound(to: JSONNode?.self).pointee?.isExpired == true ? 1 : 0 },
                owner: UnsafeMutableRawPointer(mutating: document))
            let result = weir_pattern_matches(
                countedCode.pointer, text.baseAddress, text.count, start, .max, Self.maximumKilobytes, &count, places,
                pairs)
            return (result, count.steps)
        }
        work.steps -= Int(steps - left)
        return result
    }

    /// The work that matches may do: for one request, or for one document.
    package struct Work {
        /// The steps that are left.
        package var steps: Int
        /// The document whose reading may have to stop, which is asked every 1024 steps; nil for none.
        fileprivate let document: JSONNode?

        /// The work of so many steps.
        package init(steps: Int, document: JSONNode? = nil) { (self.steps, self.document) = (steps, document) }
    }

    private static func message(of error: Int32) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { room in
            let count = Int(pcre2_get_error_message_8(error, room.baseAddress, room.count))
            return count < 0 ? "it is malformed" : String(decoding: room.prefix(count), as: UTF8.self)
        }
    }

    /// Why a text is no regular expression.
    package struct InvalidPattern: Error, Equatable, CustomStringConvertible {
        /// PCRE2's words.
        package let reason: String
        /// The place in the text, in bytes.
        package let offset: Int

        /// The reason and the place, counted from 0.
        package var description: String { "\(reason) at offset \(offset)" }
    }

    /// A compiled expression.
    ///
    /// Unchecked Sendable: PCRE2 changes no compiled expression while it matches.
    private final class Code: @unchecked Sendable {
        let pointer: OpaquePointer
        let isAnchored: Bool

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
            isAnchored = weir_pattern_is_anchored(pointer) == 1
        }

        deinit { pcre2_code_free_8(pointer) }
    }
}

extension Pattern: JMESPattern {
    /// The most groups of a pattern in an expression.
    private static let maximumGroups = 32

    /// Compiles the pattern of an expression.
    package static func inExpression(_ text: String) throws(InvalidPattern) -> Pattern {
        let pattern = try Pattern(text)
        guard weir_pattern_groups(pattern.code.pointer) <= maximumGroups else {
            throw InvalidPattern(reason: "there are more than \(maximumGroups) groups", offset: 0)
        }
        return pattern
    }

    package func places(
        in text: [UInt8], from start: Int, _ context: inout JMESContext
    ) throws(JMESFailure) -> [Range<Int>?] {
        guard text.count <= Self.maximumBytes else {
            throw .invalidValue("a pattern looks at texts of at most \(Self.maximumBytes) bytes")
        }
        var work = Work(steps: context.remainingSteps, document: context.document)
        let room = 2 * (1 + Int(weir_pattern_groups(code.pointer)))
        let (result, places) = withUnsafeTemporaryAllocation(of: Int.self, capacity: room) { room in
            room.initialize(repeating: -1)
            let result = text.withUnsafeBufferPointer { search($0, from: start, &work, into: room) }
            return (result, Array(room))
        }
        let found = result == 1 ? places[1] - start : text.count - start
        try context.work(context.remainingSteps - work.steps + 8 + max(found, 0) / 16)
        if result < 0 { throw .invalidValue("the pattern takes too many steps for a text") }
        if result == 0 { return [] }
        return stride(from: 0, to: places.count, by: 2).map { index in
            let (start, end) = (places[index], places[index + 1])
            return 0 <= start && start <= end && end <= text.count ? start..<end : nil
        }
    }
}

extension JMESPath {
    /// Compiles an expression of a configuration, which may use patterns.
    package init(configured text: String, variables: Set<String> = []) throws(JMESPathError) {
        try self.init(text, variables: variables) { try Pattern.inExpression($0) }
    }
}
