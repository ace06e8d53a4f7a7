import Synchronization

/// How dates are written.
public enum DateForm: String, Sendable, CaseIterable {
    /// Seconds since 1970-01-01T00:00:00Z.
    case unix
    /// `2013-05-06T12:00:00Z`.
    case iso8601
}

/// The form in which a record is written.
///
///     forecast.write(to: &writer, style: WritingStyle(conversion: toMetric))
public struct WritingStyle: Sendable {
    /// The conversion of numbers that have a dimension; nil to write them as they are.
    public var conversion: Conversion?
    /// How dates are written.
    public var dates = DateForm.unix
    /// The fields to write; nil for all.
    public var selection: FieldSelection?
    /// The strategies of the encoder; nil for the usual ones.
    package var strategies: EncoderStrategies?

    /// A style that writes all fields, and dates as unix seconds.
    public init(conversion: Conversion? = nil) { self.conversion = conversion }

    /// Returns the style of the values in a field of the given extent; nil if the field is not written.
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

/// The strategies of an encoder for the fields of a record, and the error of a field that they could not write.
///
/// A record writes its fields without errors, so the first one waits here until the record is written.
package final class EncoderStrategies: Sendable {
    /// The encoder.
    package let encoder: any Sendable
    private let firstError = Mutex<(any Error)?>(nil)

    package init(_ encoder: any Sendable) { self.encoder = encoder }

    /// The first error.
    package var error: (any Error)? { firstError.withLock { $0 } }

    /// Keeps an error unless there is one.
    package func fail(_ error: any Error) { firstError.withLock { $0 = $0 ?? error } }
}
