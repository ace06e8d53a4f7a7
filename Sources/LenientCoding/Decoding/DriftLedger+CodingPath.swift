extension DriftLedger {
    /// The longest key of the document that a path shows, in characters.
    private static let maximumNameLength = 64

    /// Counts a repair at the end of `steps`.
    mutating func note(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, _ steps: UnsafeBufferPointer<CodingPath.Step>
    ) {
        note(kind, reason, hash: Self.hash(steps)) { Self.path(steps, indexed: $0) }
    }

    /// Counts a repair at the end of `steps`, whose elements stand at `indices`.
    mutating func note(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, _ steps: [CodingPath.Step], _ indices: () -> [Int]
    ) {
        steps.withUnsafeBufferPointer { steps in
            note(kind, reason, hash: Self.hash(steps)) { indexed in
                guard indexed else { return Self.path(steps, indexed: false) }
                var indices = indices().makeIterator()
                let indexedSteps = steps.map { step -> CodingPath.Step in
                    guard case .element(let index) = step else { return step }
                    return .element(indices.next() ?? index)
                }
                return indexedSteps.withUnsafeBufferPointer { Self.path($0, indexed: true) }
            }
        }
    }

    /// Tells places apart, elements of one array counted as equal.
    static func hash(_ steps: UnsafeBufferPointer<CodingPath.Step>) -> UInt64 {
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
