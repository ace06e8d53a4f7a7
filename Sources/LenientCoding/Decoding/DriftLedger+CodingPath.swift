extension DriftLedger {
    /// The longest key of the document that a path shows, in characters.
    private static let maximumNameLength = 64

    /// Counts a repair at the end of `steps`.
    mutating func note(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, _ steps: UnsafeBufferPointer<CodingPath.Step>
    ) {
        note(kind, reason, hash: Self.hash(steps)) { Self.path(steps, indexed: $0) }
    }

    private static func hash(_ steps: UnsafeBufferPointer<CodingPath.Step>) -> UInt64 {
        var hasher = Hasher()
        for step in steps { hasher.combine(step.name) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private static func path(_ steps: UnsafeBufferPointer<CodingPath.Step>, indexed: Bool) -> String {
        var path = ""
        for step in steps {
            switch step {
            case .element(let index): path += indexed ? "[\(index)]" : "[]"
            default: path += (path.isEmpty ? "" : ".") + step.codingKey.stringValue.prefix(maximumNameLength)
            }
        }
        return path
    }
}
