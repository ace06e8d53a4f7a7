import Contracts
import HTTPCore
import LenientCoding

extension WeatherRequest {
    private static let parameters = [
        "lat", "lon", "time", "units", "lang", "exclude", "extend", "fields", "dates", "explain",
    ]

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
        let forms = DateForm.allCases.map(\.rawValue)
        shaping.dates = parameters.choice("dates", among: forms).flatMap(DateForm.init) ?? .unix
        shaping.excluded = parameters.blocks("exclude")
        shaping.fields = parameters.fields("fields")
        let explain = parameters.choice("explain", among: ["1", "0", "true", "false"])
        isExplained = explain == "1" || explain == "true"
        if !parameters.faults.isEmpty { throw Problem.invalidParameters(parameters.faults) }
    }
}

extension Parameters {
    /// The blocks of a forecast in the list called `name`.
    fileprivate mutating func blocks(_ name: String) -> Set<ForecastBlock> {
        let names = ForecastBlock.allCases.map(\.rawValue)
        let expectation = "a list, with commas and no spaces, of \(names.joined(separator: ", "))"
        let blocks = list(name, expectation) { parts in
            parts.filter { !names.contains($0) }.map { part in
                "\(Self.quote(part)) is none of them\(Self.hint(part, among: names))"
            }
        }
        return Set((blocks ?? []).compactMap(ForecastBlock.init))
    }

    /// The fields of a forecast in the list called `name`; nil for all.
    fileprivate mutating func fields(_ name: String) -> FieldSelection? {
        let expectation = "a list of fields, with commas and no spaces, such as currently,hourly.data.temperature"
        var selection: FieldSelection?
        _ = list(name, expectation) { paths in
            do throws(FieldSelection.UnknownFields) {
                selection = try FieldSelection(of: Forecast.self, paths: paths)
                return []
            } catch {
                // None is named where there are more than are looked at.
                if error.fields.isEmpty { return ["there are too many, or they are too long"] }
                return error.fields.map { path, nearest in
                    let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
                    return "there is no field \(Self.quote(path))\(hint)"
                }
            }
        }
        return selection
    }
}
