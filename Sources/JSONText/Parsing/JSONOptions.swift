/// What a parser accepts beyond strict RFC 8259, and the bounds it keeps.
///
///     let options = JSONOptions(maximumBytes: 1 << 20, leniency: [.comments, .trailingCommas])
public struct JSONOptions: Sendable {
    /// The deepest nesting that any parser accepts, whatever its options say.
    ///
    /// Readers that recurse fit their stack to it.
    ///
    ///     JSONOptions(maximumDepth: 10_000).maximumDepth == JSONOptions.greatestDepth  // true
    public static let greatestDepth = 512

    /// The longest document in bytes.
    ///
    /// At most 268,435,455, which is what a tape word can address.
    ///
    ///     options.maximumBytes = 1 << 20
    public var maximumBytes: Int { didSet { maximumBytes = min(maximumBytes, Tape.maximumLength) } }
    /// The deepest nesting of arrays and objects, at most `greatestDepth`.
    ///
    /// A document of one scalar has depth 0.
    ///
    ///     options.maximumDepth = 32
    public var maximumDepth: Int { didSet { maximumDepth = min(maximumDepth, Self.greatestDepth) } }
    /// The longest number in bytes.
    ///
    /// Numbers stay text, so a long one costs nothing until somebody reads it.
    ///
    ///     options.maximumNumberBytes = 64
    public var maximumNumberBytes: Int
    /// What is accepted beyond strict RFC 8259.
    ///
    ///     options.leniency.insert(.trailingCommas)
    public var leniency: JSONLeniency

    /// Accepts `// line` and `/* block */` comments between tokens.
    ///
    ///     options.allowsComments = true
    public var allowsComments: Bool {
        get { leniency.contains(.comments) }
        set { if newValue { leniency.insert(.comments) } else { leniency.remove(.comments) } }
    }

    /// Strict RFC 8259: 64 MiB, 512 levels, numbers of up to 1 MiB, no leniency.
    ///
    ///     let options = JSONOptions(maximumBytes: 1 << 20, maximumDepth: 32, leniency: .comments)
    public init(
        maximumBytes: Int = 64 << 20, maximumDepth: Int = greatestDepth, maximumNumberBytes: Int = 1 << 20,
        allowsComments: Bool = false, leniency: JSONLeniency = []
    ) {
        self.maximumBytes = min(maximumBytes, Tape.maximumLength)
        self.maximumDepth = min(maximumDepth, Self.greatestDepth)
        self.maximumNumberBytes = maximumNumberBytes
        self.leniency = allowsComments ? leniency.union(.comments) : leniency
    }
}
