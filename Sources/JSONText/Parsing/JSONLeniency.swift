/// What a parser accepts beyond strict RFC 8259.
///
/// Each leniency costs nothing until a document makes use of it.
///
///     let options = JSONOptions(leniency: [.comments, .trailingCommas])
public struct JSONLeniency: OptionSet, Sendable {
    /// A bit for each leniency.
    public let rawValue: UInt8

    /// The leniencies whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A byte order mark (U+FEFF) before the document.
    ///
    ///     let options = JSONOptions(leniency: .byteOrderMark)
    public static let byteOrderMark = JSONLeniency(rawValue: 1)
    /// A comma after the last element or member: `[1,]`, but not `[,]` or `[1,,]`.
    ///
    ///     let options = JSONOptions(leniency: .trailingCommas)  // [1,]
    public static let trailingCommas = JSONLeniency(rawValue: 2)
    /// `// line` and `/* block */` comments between tokens.
    ///
    ///     let options = JSONOptions(leniency: .comments)  // [1 /* one */]
    public static let comments = JSONLeniency(rawValue: 4)
    /// The numbers `NaN`, `Infinity` and `-Infinity`, which are written as `null`.
    ///
    ///     let options = JSONOptions(leniency: .notANumber)  // [NaN]
    public static let notANumber = JSONLeniency(rawValue: 8)
    /// Bytes in strings that are not UTF-8.
    ///
    /// Each maximal part of a sequence becomes one U+FFFD, as Unicode 16.0 section 3.9 advises.
    ///
    ///     let options = JSONOptions(leniency: .invalidUTF8)
    public static let invalidUTF8 = JSONLeniency(rawValue: 16)
    /// Control characters in strings, which are read as if they were escaped.
    ///
    ///     let options = JSONOptions(leniency: .controlCharacters)
    public static let controlCharacters = JSONLeniency(rawValue: 32)
    /// Several values one after another, with white space between them or not, for `JSONParser.withDocuments`.
    ///
    ///     let options = JSONOptions(leniency: .concatenated)  // {} {}
    public static let concatenated = JSONLeniency(rawValue: 64)

    /// Every leniency.
    ///
    ///     let options = JSONOptions(leniency: .all)
    public static let all: JSONLeniency = named.reduce(into: []) { $0.insert($1.leniency) }

    /// The leniencies by their names on the command line and in configurations, without `all`.
    ///
    ///     JSONLeniency.named.map { $0.name }  // ["bom", "trailing-commas", …]
    public static let named: [(name: String, leniency: JSONLeniency)] = [
        ("bom", .byteOrderMark), ("trailing-commas", .trailingCommas), ("comments", .comments), ("nan", .notANumber),
        ("utf8", .invalidUTF8), ("control-characters", .controlCharacters), ("concatenated", .concatenated),
    ]

    /// The leniency called `name`, or `all`; nil when there is none of that name.
    ///
    ///     JSONLeniency(name: "trailing-commas")  // .trailingCommas
    ///     JSONLeniency(name: "quotes")  // nil
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
