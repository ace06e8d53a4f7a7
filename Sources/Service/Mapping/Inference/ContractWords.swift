import Records

/// The words by which APIs of weather call the fields of the contract, beside the names of the fields themselves.
enum ContractWords {
    /// The phrases of a field by its name, the surest first: commas separate phrases, and slashes the spellings of a word.
    ///
    /// The order of the words is of no account.
    private static let synonyms: [String: String] = [
        "airQualityIndex": "aqi",
        "apparentTemperature": "feels like, feels like temp/temperature, apparent/app temp/temperature",
        "apparentTemperatureMax": "max/maximum/high apparent/app temp/temperature, max feels like",
        "apparentTemperatureMin": "min/minimum/low apparent/app temp/temperature, min feels like",
        "cloudCover": "clouds/cloud/cloudiness/tcc, cloud/clouds/sky cover/coverage/fraction, cloud area fraction",
        "code": "weather/wmo/condition/symbol code/id/symbol, wmo",
        "condition": "icon/symbol/weather",
        "description": "desc/details/text/message",
        "dewPoint": "dew/dewpt/dewp/td, dew pt, dew point temp/temperature",
        "elevation": "altitude/elev/alt/height",
        "expires": "end/ends/expiry/until, end/expiry time/date",
        "humidity": "relative humidity, rh/hum",
        "isDay": "is daytime/daylight, daylight/daytime/pod",
        "latitude": "lat", "longitude": "lon/lng/long",
        "offset": "utc/gmt/timezone/tz offset, timezone/tz",
        "pm25": "pm 2 5",
        "precipIntensity":
            "precip/precipitation/rain rate/intensity, precip/precipitation, precip/precipitation/rain amount, qpf",
        "precipProbability": "precip/precipitation/rain probability/prob/chance, pop",
        "pressure":
            "sea level pressure, pressure/press/pres msl, mslp/slp/msl, barometric pressure, press/pres/baro/barometer",
        "rain": "rainfall",
        "snowAccumulation": "snow/snowfall cm/in, new snow, snowfall",
        "solar": "solar/shortwave radiation/rad/irradiance, ghi",
        "stationPressure": "surface/ground pressure/pres/level, surface level pressure",
        "summary":
            "weather/condition description/text, description/text/conditions/phrase/desc, condition, short forecast, weather main, weather",
        "sunriseTime": "sunrise", "sunsetTime": "sunset",
        "temperature": "temp/t",
        "temperatureMax": "max/maximum temp/temperature/t, high/hi temp/temperature, high/hi",
        "temperatureMin": "min/minimum temp/temperature/t, low/lo temp/temperature, low/lo",
        "time":
            "date/dt/ts/datetime/timestamp/epoch/start/onset/effective, date/time/start/valid/ob time/date, last updated/observed, updated/sent",
        "timezone": "tz/tzid, time zone/id, tz id",
        "title": "event/headline", "uri": "url/link/web", "uvIndex": "uv/uvi", "visibility": "vis, visibility in",
        "windBearing": "wind direction/dir/deg/degree/degrees, wind from direction, wd/wdir, deg/direction",
        "windGust": "gust/gusts, wind gust/gusts speed/spd",
        "windSpeed": "wind spd/velocity, ws/wspd, wind, speed",
    ]

    /// The rank of the own name of a field that the table does not have: APIs mean others by the same words.
    private static let lastRank = 9

    /// Words that say nothing of the quantity.
    private static let others: Set = [
        "air", "all", "at", "average", "avg", "daily", "epoch", "hourly", "iso", "local", "mean", "of", "screen", "sum",
        "total", "ts", "unix", "utc", "value",
    ]

    /// The phrases of a field: those of the table, behind the field's own name.
    static func phrases(of field: String) -> [[Set<String>]] {
        let own = MemberWords(field).words.flatMap(pieces).map { Set([$0]) }
        let parts = synonyms[field]?.replacing(", ", with: ",").split(separator: ",") ?? []
        let others = parts.map { $0.split(separator: " ").map { Set($0.split(separator: "/").map(String.init)) } }
        return synonyms[field] == nil ? Array(repeating: [], count: lastRank) + [own] : [own] + others
    }

    /// Returns the words of a name, also of one without marks between them: wind, speed and 10m of `windspeed_10m`.
    static func words(of name: String) -> [String] { MemberWords(name).words.flatMap(pieces).flatMap(split) }

    /// Whether a word may stand beside those of a phrase: heights and hours, such as 10m, are among these.
    static func isOther(_ word: String) -> Bool {
        others.contains(word) || word.wholeMatch(of: /[0-9]+(m|h|hr|min)/) != nil
    }

    private static func pieces(_ word: String) -> [String] {
        word.matches(of: /[0-9]+[a-z]*|[a-z]+/).map { String($0.output) }
    }

    private static let vocabulary = synonyms.reduce(into: others) { words, entry in
        words.formUnion(phrases(of: entry.key).joined().joined())
    }

    private static func split(_ word: String) -> [String] { parts(of: word[...]) ?? [word] }

    private static func parts(of word: Substring) -> [String]? {
        if vocabulary.contains(String(word)) { return [String(word)] }
        guard 4...24 ~= word.count else { return nil }
        for length in (2...word.count - 2).reversed() where vocabulary.contains(String(word.prefix(length))) {
            if let rest = parts(of: word.dropFirst(length)) { return [String(word.prefix(length))] + rest }
        }
        return nil
    }
}
