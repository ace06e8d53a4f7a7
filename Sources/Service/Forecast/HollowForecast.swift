import JSONText
import Records

// Answers that say nothing.
extension Forecast {
    /// Whether there are points, and none of them has anything but its time and what follows from the time.
    var isHollow: Bool {
        let blocks = [minutely, hourly, daily, dayNight].lazy.compactMap { $0?.data }
        guard currently != nil || blocks.contains(where: { !$0.isEmpty }) else { return false }
        return currently?.hasValues != true && !blocks.contains { $0.contains(where: \.hasValues) }
    }

    /// The error of a document without any value.
    static var hollowError: ContractError {
        var reader = RecordReader()
        reader.failDocument(.missing, expected: "a value that the contract knows, beside the times of the points")
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
