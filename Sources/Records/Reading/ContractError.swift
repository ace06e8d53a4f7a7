/// A document that is JSON and still not what the contract needs: the required fields that are missing or wrong.
///
///     do {
///         let (alert, drift) = try Alert.read(node)
///     } catch {
///         print(error)  // title: missing, expected a string
///     }
public struct ContractError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One field, by its path in the document, and what is wrong with it.
    ///
    ///     for failure in contractError.failures { print(failure.path, failure.reason) }  // alerts[0].time missing
    public struct Failure: Equatable, Sendable {
        /// The path, such as `alerts[0].time`; empty for the document itself.
        ///
        ///     contractError.failures.first?.path  // "alerts[0].time"
        public let path: String
        /// What is wrong.
        ///
        ///     contractError.failures.first?.reason  // .missing
        public let reason: DriftReport.Reason
        /// What the field takes, such as `a number`.
        ///
        ///     contractError.failures.first?.expected  // "a number"
        public let expected: String
    }

    /// How many failures an error names.
    ///
    ///     contractError.failures.count <= ContractError.maximumFailures  // true
    public static let maximumFailures = 32

    /// The failures in the order of the document's tables.
    ///
    ///     contractError.failures.map(\.path)  // ["latitude", "timezone"]
    public let failures: [Failure]

    /// The failures in one line: `latitude: missing, expected a number; timezone: …`.
    public var description: String {
        failures.map { failure in
            let path = failure.path.isEmpty ? "the document" : failure.path
            return "\(path): \(failure.reason.rawValue), expected \(failure.expected)"
        }.joined(separator: "; ")
    }
}
