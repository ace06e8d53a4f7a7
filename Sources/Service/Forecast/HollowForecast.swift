import JSONText
import Records

// Answers that say nothing.
extension Forecast {
    /// The blocks of points, in the order of the contract.
    static let blocks: [(name: StaticString, block: any WritableKeyPath<Forecast, DataBlock?> & Sendable)] = [
        ("minutely", \.minutely), ("hourly", \.hourly), ("daily", \.daily), ("dayNight", \.dayNight),
    ]

    /// Removes the current weather and the blocks of the answer to `query` whose points have nothing but a time and what
    /// follows from the time.
    ///
    /// - Throws: `ContractError` if no point with a value is left.
    mutating func removeHollowParts(
        answering query: ForecastQuery, _ drift: inout DriftReport
    ) throws(ContractError) {
        if currently?.hasValues == false {
            currently = nil
            drift.note(.dropped, .missing, [0], "currently")
        }
        var hasValues = currently != nil
        for (name, block) in Self.blocks {
            guard let points = self[keyPath: block]?.data, !points.isEmpty else { continue }
            if points.contains(where: \.hasValues) {
                hasValues = true
            } else {
                self[keyPath: block] = nil
                drift.note(.dropped, .missing, [0], "\(name)")
            }
        }
        if !hasValues { throw Self.hollowError(query) }
    }

    /// The error of a document without any value.
    private static func hollowError(_ query: ForecastQuery) -> ContractError {
        var reader = RecordReader()
        let moment = query.time == nil ? "" : " of the requested time"
        reader.failDocument(
            .missing, expected: "a value\(moment) that the contract knows, beside the times of the points")
        return reader.failure(expected: "")
    }
}

extension DataPoint {
    fileprivate var hasValues: Bool {
        // Nearly every point has one of these.
        if temperature != nil || temperatureMax != nil || precipIntensity != nil || summary != nil { return true }
        var blank = DataPoint()
        // Weir computes the phase of the moon itself.
        (blank.time, blank.moonPhase) = (time, moonPhase)
        return JSONWriter.bytes(expecting: 64) { write(to: &$0) }
            != JSONWriter.bytes(expecting: 64) { blank.write(to: &$0) }
    }
}
