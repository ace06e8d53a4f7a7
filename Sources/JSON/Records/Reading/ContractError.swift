/// The error of a document that is JSON but lacks what its contract requires: the fields that are missing or wrong.
///
///     do {
///         let (alert, drift) = try Alert.read(node)
///     } catch {
///         print(error)  // title: missing, expected a string
///     }
public struct ContractError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A field and what is wrong with it.
    public struct Failure: Equatable, Sendable {
        /// The path, such as `alerts[0].time`; empty for the document itself.
        public let path: String
        /// What is wrong.
        public let reason: DriftReport.Reason
        /// What the field takes, such as `a number`.
        public let expected: String
        /// The path as coding keys.
        package let keys: [RawCodingKey]
    }

    /// The maximum number of failures that an error names.
    public static let maximumFailures = 32

    /// The failures in the order in which the tables list the fields.
    public let failures: [Failure]

    /// The failures in one line: `latitude: missing, expected a number; timezone: …`.
    public var description: String {
        failures.map { failure in
            let path = failure.path.isEmpty ? "the document" : failure.path
            return "\(path): \(failure.reason.rawValue), expected \(failure.expected)"
        }.joined(separator: "; ")
    }
}
