/// How dates are written.
///
///     style.dates = .iso8601
public enum DateForm: String, Sendable, CaseIterable {
    /// Seconds since 1970-01-01T00:00:00Z.
    case unix
    /// `2013-05-06T12:00:00Z`.
    case iso8601
}

/// In which form a record is written.
///
///     forecast.write(to: &writer, style: WritingStyle(conversion: toMetric))
public struct WritingStyle: Sendable {
    /// How numbers that have a dimension are converted; nil for as they are.
    ///
    ///     style.conversion = toMetric
    public var conversion: Conversion?
    /// How dates are written.
    ///
    ///     style.dates = .iso8601
    public var dates = DateForm.unix
    /// The fields that are written; nil for all.
    ///
    ///     style.selection = try FieldSelection(of: Forecast.self, paths: ["alerts.title"])
    public var selection: FieldSelection?

    /// As the record has it, unless told otherwise.
    ///
    ///     forecast.write(to: &writer, style: WritingStyle(conversion: toMetric))
    public init(conversion: Conversion? = nil) { self.conversion = conversion }

    /// The style of what stands in a field of that extent; nil where it is not written at all.
    func within(_ extent: FieldExtent) -> WritingStyle? {
        var style = self
        switch extent {
        case .none: return nil
        case .whole: style.selection = nil
        case .part(let part): style.selection = FieldSelection(part)
        }
        return style
    }
}
