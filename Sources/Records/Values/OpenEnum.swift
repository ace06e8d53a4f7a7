/// A value of an enumeration that upstreams extend without notice: what is not listed is kept as it came.
///
///     enum Severity: String, CaseIterable { case advisory, watch, warning }
///     struct Alert: Codable {
///         var severity: OpenEnum<Severity>  // "watch" is .known(.watch), "statement" .unknown("statement")
///     }
public enum OpenEnum<Known>: Hashable, Sendable
where Known: RawRepresentable & CaseIterable & Hashable & Sendable, Known.RawValue == String {
    /// A value that the enumeration lists.
    case known(Known)
    /// Any other text.
    case unknown(String)

    /// The value that `text` spells.
    ///
    ///     OpenEnum<Severity>("watch")  // .known(.watch)
    ///     OpenEnum<Severity>("statement")  // .unknown("statement")
    public init(_ text: String) { self = Known(rawValue: text).map(Self.known) ?? .unknown(text) }

    /// The text, listed or not.
    ///
    ///     OpenEnum<Severity>.known(.watch).rawValue  // "watch"
    public var rawValue: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let text): text
        }
    }
}

extension OpenEnum: ExpressibleByStringLiteral {
    /// The value that the literal spells.
    public init(stringLiteral text: String) { self.init(text) }
}

extension OpenEnum: Codable {
    /// Reads a string; any will do.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
        if case .unknown = self { decoder.driftRecorder?.note(.unrecognized, at: decoder.codingPath, .unknownValue) }
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
