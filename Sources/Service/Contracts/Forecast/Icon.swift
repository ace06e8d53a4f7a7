/// The icons of Dark Sky and Pirate Weather.
public enum Icon: String, Sendable, CaseIterable {
    case clearDay = "clear-day"
    case clearNight = "clear-night"
    case rain, snow, sleet, wind, fog
    /// An overcast sky.
    case cloudy
    case partlyCloudyDay = "partly-cloudy-day"
    case partlyCloudyNight = "partly-cloudy-night"
    case hail, thunderstorm, tornado
    /// Precipitation of several types.
    case mixed
}

/// The types of precipitation of Dark Sky and Pirate Weather.
public enum PrecipitationType: String, Sendable, CaseIterable {
    case rain, snow
    /// Freezing rain, ice pellets or rain with snow, as Dark Sky defined it.
    case sleet
    case hail
    /// Freezing rain, as Pirate Weather calls it.
    case ice
    /// Several types at once.
    case mixed
}
