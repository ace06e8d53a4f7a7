public import JSONText

extension DriftReport {
    /// What had to be repaired in the document that `transform` wrote last.
    ///
    ///     let bytes = transform.bytes(of: root)
    ///     let drift = DriftReport(transform)
    ///     print(drift.summary)  // duplicateKey=1
    public init(_ transform: borrowing JSONTransform) {
        entries = transform.events.map { event in
            let isDuplicate = event.kind == .duplicate
            return Entry(
                kind: isDuplicate ? .duplicateKey : .collision, path: event.path,
                reason: isDuplicate ? .duplicate : .collision, count: event.count, example: event.path)
        }
        unlisted = transform.unlistedEvents
    }
}
