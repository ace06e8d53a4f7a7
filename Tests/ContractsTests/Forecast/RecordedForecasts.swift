import LenientCoding

/// The recorded answers of Dark Sky and Pirate Weather.
enum RecordedForecasts {
    /// A recorded file; `value` is nil if it is not JSON.
    struct Document: Sendable {
        let name: String
        let bytes: [UInt8]
        let value: JSONValue?

        /// Whether the document has all required members.
        var isWhole: Bool { ["latitude", "longitude", "timezone"].allSatisfy { value?[$0] != nil } }
    }

    /// All recorded files.
    static let all: [Document] = ["broken", "darksky", "docs-examples"].flatMap { folder in
        TestFiles.recorded(in: folder).map { name, bytes in
            Document(name: "\(folder)/\(name)", bytes: bytes, value: JSONValue(parsing: bytes))
        }
    }

    /// The files with all required members.
    static var whole: [Document] { all.filter(\.isWhole) }
}
