/// What a parser accepts beyond strict RFC 8259, and the bounds it keeps.
public struct JSONOptions: Sendable {
    /// The longest document in bytes.
    ///
    /// At most 268,435,455, which is what a tape word can address.
    public var maximumBytes: Int
    /// The deepest nesting of arrays and objects.
    ///
    /// A document of one scalar has depth 0.
    public var maximumDepth: Int
    /// The longest number in bytes.
    ///
    /// Numbers stay text, so a long one costs nothing until somebody reads it.
    public var maximumNumberBytes: Int
    /// Accepts `// line` and `/* block */` comments between tokens.
    public var allowsComments: Bool

    /// Strict RFC 8259: 64 MiB, 512 levels, numbers of up to 1 MiB, no leniency.
    public init(
        maximumBytes: Int = 64 << 20, maximumDepth: Int = 512, maximumNumberBytes: Int = 1 << 20,
        allowsComments: Bool = false
    ) {
        self.maximumBytes = min(maximumBytes, Tape.maximumLength)
        self.maximumDepth = maximumDepth
        self.maximumNumberBytes = maximumNumberBytes
        self.allowsComments = allowsComments
    }
}
