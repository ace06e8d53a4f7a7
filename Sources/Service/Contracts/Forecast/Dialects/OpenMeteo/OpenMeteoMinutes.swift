import LenientCoding

extension OpenMeteo.PointMaker {
    /// The number of minutes in Dark Sky's block, both ends of the hour included.
    private static let count = 61

    /// Returns the minutes of the hour from `start` on, whose rates are those of their quarters of an hour; nil without any.
    ///
    /// The probability is that of the hour.
    func minutes(from start: Double, _ quarters: OpenMeteo.Series, _ hours: OpenMeteo.Series?) -> DataBlock? {
        let quarterLine = Timeline(quarters.times)
        let hourLine = Timeline(hours?.times ?? [])
        var points: [DataPoint] = []
        points.reserveCapacity(Self.count)
        var used: [Int] = []
        for minute in 0..<Self.count {
            let time = start + Double(minute) * 60
            guard let quarter = quarterLine.row(at: time), time < quarter.start + 900,
                let rate = quarters.number(.precipIntensity, quarter.index)
            else { continue }
            var point = DataPoint()
            point.time = UnixSeconds(time)
            point.precipIntensity = rate
            point.precipType =
                quarters.number(.kind, quarter.index).map { .known(OpenMeteo.Series.kinds[Int($0)]) }
            if let hours, let hour = hourLine.row(at: time), time < hour.start + 3600 {
                point.precipProbability = hours.number(.precipProbability, hour.index)
            }
            points.append(point)
            if used.last != quarter.index { used.append(quarter.index) }
        }
        return points.isEmpty ? nil : block(points, of: quarters, used, byNight: true)
    }
}
