/// In which form a record is written.
///
///     forecast.write(to: &writer, style: WritingStyle(conversion: toImperial))
public struct WritingStyle: Sendable {
    /// How numbers that have a dimension are converted; nil for as they are.
    public var conversion: Conversion?

    /// As the record has it, unless told otherwise.
    public init(conversion: Conversion? = nil) { self.conversion = conversion }
}
