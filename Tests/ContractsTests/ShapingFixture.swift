import Contracts
import Foundation
import LenientCoding

/// A case of files: `case.in.json`, what is asked for in `case.options.txt`, `case.out.json`, and where it is of
/// interest `case.drift.json`.
struct ShapingFixture {
    let name: String
    let input: [UInt8]
    let shaping: Shaping
    let body: String
    let drift: String?

    /// Every case, in the order of their names.
    static func all() throws -> [ShapingFixture] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/shaping")
        func text(_ file: String) throws -> String {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try files.filter { $0.hasSuffix(".in.json") }.map { file in
            let name = String(file.dropLast(".in.json".count))
            return ShapingFixture(
                name: name, input: Array(try text(file).utf8),
                shaping: try Shaping(options: text(name + ".options.txt")),
                body: try text(name + ".out.json"),
                drift: files.contains(name + ".drift.json") ? try text(name + ".drift.json") : nil)
        }
    }
}

extension Shaping {
    /// An option that no test knows.
    struct UnknownOption: Error { let line: String }

    /// Lines such as `units si` and `fields currently,daily.data.icon`.
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
            case "flags": spellsFlagsAsDarkSky = words[1] == "darkSky"
            default: throw UnknownOption(line: String(line))
            }
        }
    }

    /// A document in the units of a system, or its own, with dates of that form.
    init(units: UnitSystem?, dates: DateForm = .unix) {
        self.init()
        self.units = units.map(Units.system)
        self.dates = dates
    }
}
