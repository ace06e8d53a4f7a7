/// A configuration that cannot be used: everything that is wrong with it at once.
public struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    /// The file.
    public let file: String
    /// What is wrong, one sentence each, beginning with the path of the setting.
    public let faults: [String]

    /// A line for each fault.
    public var description: String { faults.map { "\(file): \($0)" }.joined(separator: "\n") }
}
