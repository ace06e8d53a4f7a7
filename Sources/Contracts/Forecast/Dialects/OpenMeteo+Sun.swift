import LenientCoding

extension OpenMeteo {
    /// When the sun is up, by the days of a document.
    struct Sun {
        private let calendar: Calendar
        private let days: [Row]

        init(_ days: [Row]) {
            calendar = Calendar(days)
            self.days = days
        }

        /// Whether it is night for a row: by what the row says of it, else by sunrise and sunset.
        ///
        /// False where neither is known. A day on which the sun does not rise, or does not set, has both at one time.
        func isDown(in row: Row) -> Bool {
            if let isDay = row.sky.isDay { return isDay == 0 }
            let moment = row.point.time
            guard let (place, _) = calendar.day(at: moment.seconds), let sunrise = days[place].point.sunriseTime,
                let sunset = days[place].point.sunsetTime, sunrise < sunset
            else { return false }
            return moment < sunrise || moment >= sunset
        }
    }
}
