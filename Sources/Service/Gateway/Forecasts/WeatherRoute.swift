import Forecast
import Routing
import Upstreams
import Contracts
import HTTPCore
import Records

/// `GET /weather?lat=&lon=`: the forecast for a place.
struct WeatherRoute: Sendable {
    static let example = "/weather?lat=37.8267&lon=-122.4233"

    let path: DocumentPath<ForecastUpstream>
    let units: Shaping.Units

    var route: Route {
        Route(.weather) { call throws(Problem) in
            try WeatherRequest(weather: call.request.target.query, units: units)
        } respond: { request, call throws(Problem) in
            try await path.answer(request, request.form, to: call.client)
        }
    }
}

/// A client's request for a forecast, by either route.
struct WeatherRequest: Sendable {
    var query: ForecastQuery
    var shaping = Shaping()
    /// Whether the response lists the repairs and the source of the document.
    var isExplained = false
    /// The function that a script calls with the document; nil for JSON.
    var callback: String?
    /// The fields that the client wants, as it wrote them.
    fileprivate(set) var fields: [String] = []

    /// The form of the answer.
    ///
    /// The query is a part of it, because a dialect can ask the upstream for more than the client wants.
    var form: AnswerForm {
        let excluded = shaping.excluded.map(\.rawValue).sorted()
        // No text of an enumeration, because that comes from reflection: 4 % of a forecast's instructions.
        let units =
            switch shaping.units {
            case .system(let system)?: system.rawValue
            case .automatic?: "auto"
            case nil: ""
            }
        let form = shaping.darkSky?.rawValue ?? ""
        let time =
            switch query.time {
            case .unix(let seconds)?: "\(seconds)"
            case .local(let text)?: text
            case nil: ""
            }
        var answer = AnswerForm(
            name: """
                \(units) \(shaping.dates.rawValue) \(form) \(query.language ?? "") \(query.extendsHourly) \(time) \
                \(excluded.joined(separator: ",")) \(fields.sorted().joined(separator: ","))
                """, isExplained: isExplained)
        answer.callback = callback
        return answer
    }
}

extension WeatherRequest {
    static let latitudes = -90.0...90
    static let longitudes = -180.0...180
    /// The languages that Dark Sky and Pirate Weather document for summaries.
    static let languages = [
        "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "fa", "fi",
        "fr", "ga", "gd", "he", "hi", "hr", "hu", "id", "is", "it", "ja", "ka", "kn", "ko", "kw", "lv", "ml", "mr",
        "nb", "nl", "no", "pa", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "ta", "te", "tet", "tr", "uk", "ur",
        "vi", "x-pig-latin", "zh", "zh-tw",
    ]

    private static let dateForms = DateForm.allCases.map(\.rawValue)
    private static let parameters = [
        "lat", "lon", "time", "units", "lang", "exclude", "extend", "fields", "dates", "explain",
    ]

    /// Reads the parameters of `/weather`; `units` are the default.
    /// - Throws: `Problem` naming every invalid parameter.
    init(weather query: Query, units: Shaping.Units) throws(Problem) {
        var parameters = Parameters(query, known: Self.parameters)
        let latitude = parameters.number("lat", in: Self.latitudes, "degrees")
        let longitude = parameters.number("lon", in: Self.longitudes, "degrees")
        self.init(query: ForecastQuery(latitude: latitude ?? 0, longitude: longitude ?? 0))
        self.query.time = parameters.value(
            "time", MomentText.expectation, hint: MomentText.hint, read: MomentText.read)
        self.query.language = parameters.choice("lang", among: Self.languages)
        self.query.extendsHourly = parameters.choice("extend", among: ["hourly"]) != nil
        shaping.units = parameters.choice("units", among: Shaping.Units.names).flatMap(Shaping.Units.init) ?? units
        shaping.dates = parameters.choice("dates", among: Self.dateForms).flatMap(DateForm.init) ?? .unix
        shaping.excluded = parameters.blocks("exclude")
        shaping.fields = parameters.fields(
            "fields", of: Forecast.self, example: "currently,hourly.data.temperature")
        if shaping.fields != nil {
            fields = query.values("fields").flatMap { $0.split(separator: ",").map(String.init) }
        }
        isExplained = parameters.flag("explain")
        if !parameters.faults.isEmpty { throw Problem.invalidParameters(parameters.faults) }
    }
}

extension Parameters {
    fileprivate mutating func blocks(_ name: String) -> Set<ForecastBlock> {
        let names = ForecastBlock.names
        let blocks = list(name, "a list, with commas and no spaces, of \(names.joined(separator: ", "))") { parts in
            parts.filter { !($0.isASCII && names.contains($0)) }.prefix(Self.maximumComplaints).map { part in
                "\(Quotation.quote(part)) is none of them\(Quotation.hint(part, among: names))"
            }
        }
        return Set((blocks ?? []).compactMap(ForecastBlock.init))
    }
}

extension ForecastBlock {
    fileprivate static let names = allCases.map(\.rawValue)
}

extension Shaping.Units {
    /// The units that clients can request.
    static let names = ["si", "us", "ca", "uk2", "auto"]

    init?(_ name: String) {
        if name == "auto" {
            self = .automatic
        } else if let system = UnitSystem(rawValue: name) {
            self = .system(system)
        } else {
            return nil
        }
    }
}
