import CPCRE2

/// A regular expression of PCRE2 that matches anywhere in a text, as `pattern` of JSON Schema does.
///
///     let pattern = try Pattern("^[A-Z]{3}$")
///     pattern.matches("KSF")  // true
///
/// Steps and memory of a match are limited; a text past a limit does not match.
package struct Pattern: Sendable {
    /// The longest text that is looked at, in bytes.
    package static let maximumBytes = 1 << 16
    private static let maximumKilobytes: UInt32 = 4096

    /// The regular expression as it was written.
    package let text: String
    private let code: Code

    /// Compiles a regular expression.
    package init(_ text: String) throws(InvalidPattern) {
        self.text = text
        var bytes = text
        var error: Int32 = 0, offset = 0
        let code = bytes.withUTF8 { weir_pattern_compile($0.baseAddress, $0.count, &error, &offset) }
        guard let code else { throw InvalidPattern(reason: Self.message(of: error), offset: offset) }
        self.code = Code(code)
    }

    /// Whether the pattern matches somewhere in `text`.
    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matches(validated: $0) }
    }

    /// Whether the pattern matches somewhere in `text`, which is known to be valid UTF-8.
    package func matches(validated text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count <= Self.maximumBytes else { return false }
        // PCRE2 counts anew at each place where a match may start.
        let steps = (100_000 + 256 * text.count) / (code.isAnchored ? 1 : text.count + 1)
        return weir_pattern_matches(
            code.pointer, text.baseAddress, text.count, UInt32(steps), Self.maximumKilobytes) == 1
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
