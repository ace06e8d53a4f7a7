/// Text that must not be seen: a key, or a URL that holds one.
///
/// It cannot be printed, interpolated, dumped or encoded; what needs it asks for it by name.
public struct Secret: Sendable {
    private let text: String

    /// Hides `text`.
    public init(_ text: String) { self.text = text }

    /// Hands the text to `body`, which must not let it out.
    public func withExposedText<Result>(_ body: (String) throws -> Result) rethrows -> Result { try body(text) }

    /// A secret that differs from this one, such as a URL with the key put into it.
    public func map(_ transform: (String) -> String) -> Secret { Secret(transform(text)) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Three stars.
    public var description: String { "***" }
    /// Three stars.
    public var debugDescription: String { "***" }
    /// A mirror without children, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
