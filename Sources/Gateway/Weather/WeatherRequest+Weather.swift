import Contracts
import HTTPCore
import LenientCoding

extension WeatherRequest {
    private static let parameters = [
        "lat", "lon", "time", "units", "lang", "exclude", "extend", "fields", "dates", "explain",
    ]

    private static let dateForms = DateForm.allCases.map(\.rawValue)

    /// What the parameters of `/weather` ask; `units` are those of clients that ask for none.
    /// - Throws: `Problem` naming everything that is wrong with them.
    init(weather query: Query, units: Shaping.Units) throws(Problem) {
        var parameters = Parameters(query, known: Self.parameters)
        let latitude = parameters.number("lat", in: PlaceRange.latitude, "degrees")
        let longitude = parameters.number("lon", in: PlaceRange.longitude, "degrees")
        self.init(query: ForecastQuery(latitude: latitude ?? 0, longitude: longitude ?? 0))
        self.query.time = parameters.value(
            "time", MomentText.expectation, hint: MomentText.hint, read: MomentText.read)
        self.query.language = parameters.choice("lang", among: WeatherLanguages.all)
        self.query.extendsHourly = parameters.choice("extend", among: ["hourly"]) != nil
        shaping.units = parameters.choice("units", among: Shaping.Units.names).flatMap(Shaping.Units.init) ?? units
        shaping.dates = parameters.choice("dates", among: Self.dateForms).flatMap(DateForm.init) ?? .unix
        shaping.excluded = parameters.blocks("exclude")
        shaping.fields = parameters.fields(
            "fields", of: Forecast.self, example: "currently,hourly.data.temperature")
        isExplained = parameters.flag("explain")
        if !parameters.faults.isEmpty { throw Problem.invalidParameters(parameters.faults) }
    }
}

extension Parameters {
    private static let blockNames = ForecastBlock.allCases.map(\.rawValue)

    /// The blocks of a forecast in the list called `name`.
    fileprivate mutating func blocks(_ name: String) -> Set<ForecastBlock> {
        let names = Self.blockNames
        let blocks = list(name, "a list, with commas and no spaces, of \(names.joined(separator: ", "))") { parts in
            parts.filter { !names.contains($0) }.map { part in
                "\(Self.quote(part)) is none of them\(Self.hint(part, among: names))"
            }
        }
        return Set((blocks ?? []).compactMap(ForecastBlock.init))
    }
}
