public import JSONText

/// A moment as seconds since 1970-01-01T00:00:00Z, the form in which forecasts carry their dates.
public struct UnixSeconds: FieldValue, Hashable, Comparable {
    /// Seconds since the epoch; negative before it.
    public var seconds: Double

    /// The moment `seconds` after the epoch.
    public init(_ seconds: Double) { self.seconds = seconds }

    /// Stored as one `Double`.
    public static var storage: FieldStorage { .double }
    /// A time in seconds.
    public static var expectation: String { "a time in unix seconds" }

    /// A number.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "number") }

    /// Reads a number of seconds, or one spelled in a string.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> UnixSeconds? {
        Double.read(node, rules, &reader).map(UnixSeconds.init)
    }

    /// Writes the number of seconds.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(seconds) }

    /// Earlier moments come first.
    public static func < (left: UnixSeconds, right: UnixSeconds) -> Bool { left.seconds < right.seconds }
}
