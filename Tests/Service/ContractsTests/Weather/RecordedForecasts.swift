import ContractsSupport
import Records
import TestSupport

/// The recorded answers of Dark Sky and Pirate Weather.
enum RecordedForecasts {
    /// A recorded file; `value` is nil if it is not JSON.
    struct Document: Sendable {
        let name: String
        let bytes: [UInt8]
        let value: JSONValue?

        /// Whether the document has all required members.
        var isComplete: Bool { ["latitude", "longitude", "timezone"].allSatisfy { value?[$0] != nil } }
    }

    /// All recorded files.
    static let all: [Document] = ["broken", "darksky", "docs-examples"].flatMap { folder in
        Checkout.sharedFiles("corpus/\(folder)").map { name, bytes in
            Document(name: "\(folder)/\(name)", bytes: bytes, value: JSONValue(parsing: bytes))
        }
    }

    /// The files with all required members.
    static var complete: [Document] { all.filter(\.isComplete) }

    /// The queue for tests with all recorded files.
    static let queue = WorkQueue("recorded forecasts")
}
