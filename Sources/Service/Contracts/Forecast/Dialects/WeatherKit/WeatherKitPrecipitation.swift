import LenientCoding

extension WeatherKit {
    /// Apple's types of precipitation.
    enum Kind: String, CaseIterable, Sendable {
        /// None.
        case clear
        /// Precipitation of an unknown type.
        case precipitation
        /// Rain or freezing rain.
        case rain
        case snow
        /// Sleet or ice pellets.
        case sleet
        case hail
        /// Rain with snow.
        case mixed
    }

    /// Precipitation at a moment or in a span: its type, its water and its snow.
    struct Precipitation {
        /// The contract's type; nil if it is not known, or if nothing falls.
        private(set) var type: OpenEnum<PrecipitationType>?
        /// The depth of all water in millimetres, or millimetres per hour.
        let water: Double?
        /// The depth of snow in millimetres.
        let snow: Double?

        init(_ kind: OpenEnum<Kind>?, _ condition: OpenEnum<Condition>?, water: Double?, snow: Double?) {
            (self.water, self.snow) = (water, snow)
            if water == 0, snow ?? 0 == 0 { return }
            var named: PrecipitationType?
            if case .known(let condition)? = condition { named = condition.precipitation }
            switch kind {
            case .known(.clear)?: type = nil
            // Only the condition tells freezing rain from rain.
            case .known(.rain)?: type = .known(named == .sleet ? .sleet : .rain)
            case .known(.snow)?: type = .known(.snow)
            case .known(.sleet)?: type = .known(.sleet)
            case .known(.hail)?: type = .known(.hail)
            case .known(.mixed)?: type = .known(.mixed)
            case .unknown(let text)?: type = .unknown(text)
            case .known(.precipitation)?, nil: type = named.map { .known($0) }
            }
        }

        /// The water in rain, in snow and in ice; nil if the water is not known.
        ///
        /// Apple does not divide it. Snow that falls with something else counts as a tenth of its depth.
        var parts: (rain: Double, snow: Double, ice: Double)? {
            guard let water else { return nil }
            if type == .known(.snow) { return (0, water, 0) }
            let frozen = min(water, (snow ?? 0) / 10)
            return type == .known(.sleet) ? (0, frozen, water - frozen) : (water - frozen, frozen, 0)
        }

        /// Sets the rates of a point.
        func setRates(of point: inout DataPoint) {
            point.precipType = type
            point.precipIntensity = water
            guard let parts else { return }
            point.rainIntensity = rounded(parts.rain)
            point.snowIntensity = rounded(parts.snow)
            point.iceIntensity = rounded(parts.ice)
        }

        /// Sets the depths of a span.
        func setDepths(of point: inout DataPoint) {
            point.liquidAccumulation = parts.map { rounded($0.rain, scale: 0.1) }
            point.snowAccumulation = snow.map { rounded($0, scale: 0.1) }
            // Dark Sky's precipAccumulation counts snow only, and is absent without any.
            point.precipAccumulation = point.snowAccumulation.flatMap { $0 > 0 ? $0 : nil }
        }

        /// Returns the product with four decimals; most are 0.
        private func rounded(_ value: Double, scale: Double = 1) -> Double {
            value == 0 ? 0 : Conversion.Step(scale: scale, places: 4)(value)
        }
    }
}
