/// The limits of a parser, and what it accepts beyond strict RFC 8259.
///
///     let options = JSONOptions(maximumBytes: 1 << 20, leniency: [.comments, .trailingCommas])
public struct JSONOptions: Sendable {
    /// The deepest nesting that a parser accepts, whatever its options say.
    ///
    /// Readers that recurse need stack for this many levels.
    public static let greatestDepth = 512

    /// The maximum length of a document in bytes, up to 268,435,455: the offsets on the tape have 28 bits.
    public var maximumBytes: Int { didSet { maximumBytes = min(maximumBytes, Tape.maximumLength) } }
    /// The maximum nesting of arrays and objects, up to `greatestDepth`.
    ///
    /// A document of one scalar has depth 0.
    public var maximumDepth: Int { didSet { maximumDepth = min(maximumDepth, Self.greatestDepth) } }
    /// The maximum length of a number in bytes.
    public var maximumNumberBytes: Int
    /// What is accepted beyond strict RFC 8259.
    public var leniency: JSONLeniency

    /// Whether to stop reading: a deadline has passed, or nobody waits for the document.
    ///
    /// It is called every 16,384 values while a document is parsed, and every 1024 objects and unknown members while
    /// records are read from it; once it has returned true, it must go on doing so. Nil, the default, never stops.
    ///
    ///     let end = ContinuousClock.now + .seconds(5)
    ///     options.isExpired = { ContinuousClock.now >= end }
    public var isExpired: (@Sendable () -> Bool)?

    /// Whether `// line` and `/* block */` comments are accepted between tokens.
    public var allowsComments: Bool {
        get { leniency.contains(.comments) }
        set { if newValue { leniency.insert(.comments) } else { leniency.remove(.comments) } }
    }

    /// Options for strict RFC 8259 with up to 64 MiB, 512 levels and numbers of 1 MiB, unless arguments say otherwise.
    public init(
        maximumBytes: Int = 64 << 20, maximumDepth: Int = greatestDepth, maximumNumberBytes: Int = 1 << 20,
        allowsComments: Bool = false, leniency: JSONLeniency = [], isExpired: (@Sendable () -> Bool)? = nil
    ) {
        self.isExpired = isExpired
        self.maximumBytes = min(maximumBytes, Tape.maximumLength)
        self.maximumDepth = min(maximumDepth, Self.greatestDepth)
        self.maximumNumberBytes = maximumNumberBytes
        self.leniency = allowsComments ? leniency.union(.comments) : leniency
    }

    /// The options with what is accepted in the documents of upstreams.
    package var forUpstream: JSONOptions {
        var options = self
        options.leniency.formUnion(.upstream)
        return options
    }

    /// Throws if reading `bytes` must stop; for readers to call when they have finished.
    package func checkTime(for bytes: [UInt8]) throws(JSONSyntaxError) {
        guard isExpired?() == true else { return }
        throw bytes.withUnsafeBufferPointer { JSONSyntaxError(.expired, offset: 0, in: $0) }
    }
}

/// What a parser accepts beyond strict RFC 8259.
///
/// A leniency costs nothing until a document makes use of it.
///
///     let options = JSONOptions(leniency: [.comments, .trailingCommas])
public struct JSONLeniency: OptionSet, Sendable {
    /// A bit for each leniency.
    public let rawValue: UInt8

    /// The leniencies whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Byte order marks (U+FEFF) before the document, or before each of several.
    public static let byteOrderMark = JSONLeniency(rawValue: 1)
    /// A comma after the last element or member: `[1,]`, but not `[,]` or `[1,,]`.
    public static let trailingCommas = JSONLeniency(rawValue: 2)
    /// `// line` and `/* block */` comments between tokens.
    public static let comments = JSONLeniency(rawValue: 4)
    /// The numbers `nan`, `inf` and `infinity` in any case and with any sign, which are written as `null`.
    public static let notANumber = JSONLeniency(rawValue: 8)
    /// Bytes in strings that are not UTF-8.
    ///
    /// Two surrogates in three bytes each (CESU-8) are read as their character. U+FFFD replaces each maximal subpart of
    /// any other ill-formed sequence (Unicode 16.0, section 3.9).
    public static let invalidUTF8 = JSONLeniency(rawValue: 16)
    /// Control characters in strings, which are read as if they were escaped.
    public static let controlCharacters = JSONLeniency(rawValue: 32)
    /// UTF-16 and UTF-32, with or without a byte order mark, as the first four bytes tell.
    ///
    /// A document in one of them is converted to UTF-8 first.
    public static let otherEncodings = JSONLeniency(rawValue: 128)
    /// Several values one after another, with or without white space between them, for `JSONParser.withDocuments`.
    public static let concatenated = JSONLeniency(rawValue: 64)

    /// What Foundation's `JSONDecoder` accepts.
    public static let foundation: JSONLeniency = [.byteOrderMark, .trailingCommas, .otherEncodings]

    /// The leniencies for documents of upstreams: faults of their bytes, and the numbers that C prints, none of their structure.
    package static let upstream: JSONLeniency = [.byteOrderMark, .invalidUTF8, .controlCharacters, .notANumber]

    /// Every leniency.
    public static let all: JSONLeniency = named.reduce(into: []) { $0.insert($1.leniency) }

    /// The leniencies by their names on the command line and in configurations, without `all`.
    public static let named: [(name: String, leniency: JSONLeniency)] = [
        ("bom", .byteOrderMark), ("trailing-commas", .trailingCommas), ("comments", .comments), ("nan", .notANumber),
        ("utf8", .invalidUTF8), ("control-characters", .controlCharacters), ("concatenated", .concatenated),
        ("encodings", .otherEncodings),
    ]

    /// The leniency called `name`, or every leniency for `all`; nil if there is no such name.
    ///
    ///     JSONLeniency(name: "trailing-commas")  // .trailingCommas
    public init?(name: String) {
        if name == "all" {
            self = .all
        } else if let found = Self.named.first(where: { $0.name == name }) {
            self = found.leniency
        } else {
            return nil
        }
    }
}
