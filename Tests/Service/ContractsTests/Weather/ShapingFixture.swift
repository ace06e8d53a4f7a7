import ContractsSupport
import Contracts
import Records

/// A test case in files: `case.in.json`, `case.options.txt`, `case.out.json`, and optionally `case.drift.json`.
struct ShapingFixture {
    let name: String
    let input: [UInt8]
    let shaping: Shaping
    let body: String
    let drift: String?

    /// Returns all cases, sorted by name.
    static func all() throws -> [ShapingFixture] {
        let files = FixtureFiles("shaping")
        return try files.cases().map { name in
            ShapingFixture(
                name: name, input: Array(try files.text(name + ".in.json").utf8),
                shaping: try Shaping(options: files.text(name + ".options.txt")),
                body: try files.text(name + ".out.json"),
                drift: files.has(name + ".drift.json") ? try files.text(name + ".drift.json") : nil)
        }
    }
}

extension Shaping {
    /// A line of an options file that names no option.
    struct UnknownOption: Error { let line: String }

    /// The shaping that lines such as `units si` and `fields currently,daily.data.icon` describe.
    init(options: String) throws {
        self.init()
        for line in options.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2 else { throw UnknownOption(line: String(line)) }
            let values = words[1].split(separator: ",").map(String.init)
            switch words[0] {
            case "units": units = UnitSystem(rawValue: words[1]).map(Units.system) ?? .automatic
            case "dates": dates = words[1] == "iso8601" ? .iso8601 : .unix
            case "exclude": excluded = Set(values.compactMap(ForecastBlock.init))
            case "fields": fields = try FieldSelection(of: Forecast.self, paths: values)
            case "form": darkSky = DarkSkyForm(rawValue: words[1])
            default: throw UnknownOption(line: String(line))
            }
        }
    }

    /// A shaping that converts to `units`, or keeps those of the document.
    init(units: UnitSystem?, dates: DateForm = .unix) {
        self.init()
        self.units = units.map(Units.system)
        self.dates = dates
    }
}
