import Synchronization

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
