/// Text that must not be shown: a key, or a URL that contains one.
///
/// No code prints, interpolates, dumps or encodes the text by accident; code that needs the text calls `withExposedText`.
public struct Secret: Sendable, Equatable {
    @usableFromInline let text: String

    /// Hides `text`.
    public init(_ text: String) { self.text = text }

    /// Compares bytes.
    public static func == (left: Secret, right: Secret) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Passes the text to `body`, which must not disclose it.
    @inlinable
    public func withExposedText<Result>(_ body: (String) throws -> Result) rethrows -> Result { try body(text) }

    /// Returns a secret made from this one, such as a URL that contains the key.
    public func map(_ transform: (String) -> String) -> Secret { Secret(transform(text)) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Three asterisks.
    public var description: String { "***" }
    /// Three asterisks.
    public var debugDescription: String { description }
    /// A mirror without children, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
