import Contracts
import HTTPCore
import LenientCoding

extension WeatherRequest {
    /// Why Dark Sky would have refused a request, in its own words.
    enum DarkSkyRefusal: String, Error {
        case place = "The given location (or time) is invalid."
        case units = "An invalid units parameter was provided."
        case language = "An invalid lang parameter was provided."
    }

    /// Reads Dark Sky's path and parameters; `place` is `{latitude},{longitude}[,{time}]`.
    ///
    /// Parameters that Dark Sky did not know and empty values are ignored.
    init(darkSky place: Substring, _ query: Query) throws(DarkSkyRefusal) {
        let parts = place.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        guard 2...3 ~= parts.count, let latitude = PlainNumber.read(parts[0], in: Self.latitudes),
            let longitude = PlainNumber.read(parts[1], in: Self.longitudes)
        else { throw .place }
        self.init(query: ForecastQuery(latitude: latitude, longitude: longitude))
        if parts.count == 3 {
            // Some clients send fractions of a second.
            guard let time = MomentText.read(parts[2].replacing(/\.[0-9]{1,9}/, with: "")) else { throw .place }
            self.query.time = time
        }
        if let language = Self.word("lang", query) {
            guard Self.languages.contains(language) else { throw .language }
            self.query.language = language
        }
        self.query.extendsHourly = Self.word("extend", query) == "hourly"
        guard let units = Shaping.Units(Self.word("units", query) ?? "us") else { throw .units }
        shaping.units = units
        shaping.excluded = Self.blocks(query.values("exclude"))
        shaping.spellsFlagsAsDarkSky = true
    }

    /// Returns the first value called `name` that is not empty, in lower case.
    private static func word(_ name: String, _ query: Query) -> String? {
        query.values(name).map { trimmed($0[...]).lowercased() }.first { !$0.isEmpty }
    }

    /// Dark Sky's documentation wrote `exclude=[blocks]`, and some clients send the brackets.
    private static func blocks(_ lists: [String]) -> Set<ForecastBlock> {
        let names = lists.flatMap { $0.split { ", []".contains($0) } }.map { $0.lowercased() }
        return Set(ForecastBlock.allCases.filter { names.contains($0.rawValue.lowercased()) })
    }

    private static func trimmed(_ text: Substring) -> String {
        guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
        return String(text[...last].drop { $0 == " " })
    }
}
