/// A value of an enumeration that upstreams extend without notice: what is not listed is kept as it came.
///
///     enum Severity: String, CaseIterable { case advisory, watch, warning }
///     OpenEnum<Severity>("watch")      // .known(.watch)
///     OpenEnum<Severity>("statement")  // .unknown("statement")
public enum OpenEnum<Known>: Hashable, Sendable
where Known: RawRepresentable & CaseIterable & Hashable & Sendable, Known.RawValue == String {
    /// A value that the enumeration lists.
    case known(Known)
    /// Any other text.
    case unknown(String)

    /// The value that `text` spells.
    public init(_ text: String) { self = Known(rawValue: text).map(Self.known) ?? .unknown(text) }

    /// The text, listed or not.
    public var rawValue: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let text): text
        }
    }
}
