import Contracts
import LenientCoding

/// What `weir normalize` takes of a document, and in which form.
extension Command {
    static let shapingOptions = [
        Option(name: "--units", placeholder: "si|us|ca|uk2|auto", help: "Units; default: the document's own."),
        Option(
            name: "--fields", placeholder: "PATH,…", repeats: true,
            help: "Keep nothing else: currently.temperature, daily.data.icon."),
        Option(name: "--exclude", placeholder: "BLOCK,…", repeats: true, help: "Leave out: some of \(blockNames)."),
        Option(name: "--dates", placeholder: "unix|iso8601", help: "Form of dates; default: unix, of tweets iso8601."),
        Option(name: "--explain", help: "Write {data, drift, source}, with all that was repaired."),
    ]

    /// The units that a client can ask for.
    private enum UnitsName: String, CaseIterable {
        case si, us, ca, uk2, auto

        var units: Shaping.Units { UnitSystem(rawValue: rawValue).map(Shaping.Units.system) ?? .automatic }
    }

    private static var blockNames: String { ForecastBlock.allCases.map(\.rawValue).joined(separator: ",") }

    static func shaping(_ invocation: Invocation) throws -> Shaping {
        var shaping = Shaping()
        let units: UnitsName? = try invocation.choice("--units")
        shaping.units = units?.units
        shaping.dates = try invocation.choice("--dates") ?? .unix
        shaping.excluded = try Set((invocation.list("--exclude") ?? []).map(block))
        if let paths = invocation.list("--fields") {
            do throws(FieldSelection.UnknownFields) {
                shaping.fields = try FieldSelection(of: Forecast.self, paths: paths)
            } catch {
                throw CommandError.usage("--fields: \(error)")
            }
        }
        return shaping
    }

    private static func block(_ name: String) throws -> ForecastBlock {
        if let block = ForecastBlock(rawValue: name) { return block }
        throw CommandError.usage(
            "--exclude takes some of \(blockNames)", instead: name, of: ForecastBlock.allCases.map(\.rawValue))
    }
}
