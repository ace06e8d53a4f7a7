/// The pictures that Dark Sky and Pirate Weather name.
public enum Icon: String, Sendable, CaseIterable {
    /// A cloudless day.
    case clearDay = "clear-day"
    /// A cloudless night.
    case clearNight = "clear-night"
    /// Rain.
    case rain
    /// Snow.
    case snow
    /// Sleet.
    case sleet
    /// Strong wind.
    case wind
    /// Fog.
    case fog
    /// An overcast sky.
    case cloudy
    /// Some clouds by day.
    case partlyCloudyDay = "partly-cloudy-day"
    /// Some clouds by night.
    case partlyCloudyNight = "partly-cloudy-night"
    /// Hail.
    case hail
    /// A thunderstorm.
    case thunderstorm
    /// A tornado.
    case tornado
    /// Precipitation of several kinds.
    case mixed
}

/// What falls from the sky.
public enum PrecipitationType: String, Sendable, CaseIterable {
    /// Rain.
    case rain
    /// Snow.
    case snow
    /// Sleet.
    case sleet
    /// Hail.
    case hail
    /// Ice, as Pirate Weather calls freezing rain.
    case ice
    /// Several kinds at once.
    case mixed
}
