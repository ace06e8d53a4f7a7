import Settings
import API
import EventLoop
import Contracts
import Gateway
import JSONText
import Records

/// The command `weir normalize`.
enum NormalizeCommand {
    static let maximumInput = 256 << 20

    /// `weir normalize`: the answer of a route, from a file.
    static let command = Command(
        name: "normalize", summary: "Repair a document as a route would, and list the repairs on standard error.",
        options: [
            Command.Option(
                name: "--as", placeholder: "DIALECT",
                help:
                    "Dialect of the document: \(dialectNames), or a mapping of the configuration; json is any document."
            )
        ] + forecastOptions + [textOption, kindOption] + NormalizeJSONCommand.options + NormalizeRouteCommand.options
            + NormalizeDrift.options,
        operands: "[FILE|-]", maximumOperands: 1
    ) { invocation in
        if let path = invocation.value("--route") {
            let others = [textOption, kindOption] + forecastOptions + NormalizeJSONCommand.options
            for option in others.map(\.name) + ["--as"] where invocation.has(option) {
                throw CommandError.usage("\(option) does not go with --route")
            }
            return try NormalizeRouteCommand.run(invocation, route: path)
        }
        guard let name = invocation.value("--as") else {
            throw CommandError.usage("--as DIALECT is missing: one of \(dialectNames); or --route PATH")
        }
        try refuse(NormalizeRouteCommand.options.filter { $0.name != "--config" }, in: invocation)
        if name == "json" {
            try refuse(forecastOptions + [textOption, kindOption, .config], in: invocation)
            return try NormalizeJSONCommand.run(invocation)
        }
        try refuse(NormalizeJSONCommand.options, in: invocation)
        let dialect: any Dialect, text: ([UInt8], JSONOptions) throws -> [UInt8]
        if let swift = UpstreamConfiguration.dialects.first(where: { $0.name == name }) {
            try refuse([kindOption, .config], in: invocation)
            (dialect, text) = (swift, { bytes, _ in bytes })
        } else {
            let mapping = try mapping(name, invocation)
            (dialect, text) = (mapping.dialect, mapping.text)
        }
        if let dialect = dialect as? ForecastDialect {
            try refuse([textOption], in: invocation)
            return try normalize(invocation, dialect, text)
        }
        guard let dialect = dialect as? TweetDialect else { throw CommandError.usage("--as takes a dialect") }
        let shared = ["--fields", "--dates", "--explain"]
        try refuse(forecastOptions.filter { !shared.contains($0.name) }, in: invocation)
        if invocation.has("--text") { try refuse(NormalizeDrift.options, in: invocation) }
        return try normalize(invocation, dialect, text)
    }

    /// Returns a mapping of the configuration, or one of those that come with Weir.
    private static func mapping(_ name: String, _ invocation: Invocation) throws -> MappingNormalization {
        let kind: MappingNormalization.Kind? = try invocation.choice("--kind")
        let isNamed = invocation.has("--config")
        guard isNamed || MappingNormalization.embeddedNames.contains(name) else {
            throw CommandError.usage(
                "--as takes one of \(dialectNames), or with --config a mapping of that file", instead: name,
                of: allDialects)
        }
        let file = isNamed ? try invocation.configurationFile(overridden: false) : nil
        do {
            return try MappingNormalization(name, kind: kind, in: file)
        } catch let fault as MappingNormalization.Fault {
            throw CommandError.usage("--as: \(fault)")
        }
    }

    private static let forecastOptions = [
        Command.Option(name: "--units", placeholder: "si|us|ca|uk2|auto", help: "Units; default: the document's own."),
        Command.Option(
            name: "--upstream-units", placeholder: "si|us|ca|uk2|auto",
            help: "Units that were requested, for a document of darkSky or pirateWeather that names none; default: us."),
        Command.Option(
            name: "--place", placeholder: "LAT,LON",
            help: "Place that was asked for, for a document that names none; default: none."),
        Command.Option(
            name: "--fields", placeholder: "PATH,…", repeats: true,
            help: "Fields to keep, such as currently.temperature,daily.data.icon; default: all."),
        Command.Option(
            name: "--exclude", placeholder: "BLOCK,…", repeats: true, help: "Blocks to leave out: \(blockNames)."),
        Command.Option(
            name: "--dates", placeholder: "unix|iso8601", help: "Form of dates; default: unix, for tweets iso8601."),
        Command.Option(name: "--explain", help: "Write {data, drift, source}, with every repair."),
    ]

    private static let kindOption = Command.Option(
        name: "--kind", placeholder: MappingNormalization.Kind.allCases.map(\.rawValue).joined(separator: "|"),
        help: "Kind of request that the document answers, for a mapping; default: forecast or status.")

    private static let textOption = Command.Option(
        name: "--text", help: "Write tweets as plain text, quoted tweets behind >.")

    private enum UnitsName: String, CaseIterable {
        case si, us, ca, uk2, auto

        var units: Shaping.Units { UnitSystem(rawValue: rawValue).map(Shaping.Units.system) ?? .automatic }
    }

    private static var allDialects: [String] {
        UpstreamConfiguration.dialects.map(\.name) + MappingNormalization.embeddedNames + ["json"]
    }
    private static var dialectNames: String { allDialects.joined(separator: ", ") }
    private static var blocks: [String] { ForecastBlock.allCases.map(\.rawValue) }
    private static var blockNames: String { blocks.joined(separator: ",") }

    private static func refuse(_ options: [Command.Option], in invocation: Invocation) throws {
        for option in options where invocation.has(option.name) {
            throw CommandError.usage("\(option.name) does not go with --as \(invocation.value("--as") ?? "")")
        }
    }

    private static func normalize(
        _ invocation: Invocation, _ dialect: ForecastDialect, _ text: ([UInt8], JSONOptions) throws -> [UInt8]
    ) throws -> ExitCode {
        var shaping = Shaping()
        let units: UnitsName? = try invocation.choice("--units")
        shaping.units = units?.units
        shaping.dates = try invocation.choice("--dates") ?? .unix
        shaping.excluded = try Set((invocation.list("--exclude") ?? []).map(block))
        shaping.fields = try fields(of: Forecast.self, invocation)
        var defaults = AnswerDefaults()
        let upstreamUnits: UnitsName? = try invocation.choice("--upstream-units")
        defaults.units = upstreamUnits?.units
        defaults.place = try place(invocation)
        defaults.expectsFields = NormalizeDrift.options.contains { invocation.has($0.name) }
        return try write(invocation, dialect.name) { bytes, options in
            do {
                return try dialect.normalize(text(bytes, options), defaults: defaults, options: options).shaped(shaping)
            } catch let error as ContractError {
                guard let message = dialect.errorMessage(in: bytes) else { throw error }
                throw UpstreamMessage(message: message)
            }
        }
    }

    /// The error that an upstream answers in place of a forecast.
    private struct UpstreamMessage: Error, CustomStringConvertible {
        let message: String

        var description: String { "the upstream answers with an error: \(message)" }
    }

    private static func normalize(
        _ invocation: Invocation, _ dialect: TweetDialect, _ text: ([UInt8], JSONOptions) throws -> [UInt8]
    ) throws -> ExitCode {
        var shaping = TweetShaping()
        shaping.dates = try invocation.choice("--dates") ?? .iso8601
        shaping.fields = try fields(of: Tweet.self, invocation)
        guard invocation.has("--text") else {
            return try write(invocation, dialect.name) { bytes, options in
                try dialect.normalize(archive: text(bytes, options), in: shaping, options: options)
            }
        }
        try Terminal.say(read(invocation) { try dialect.text(ofArchive: text($0, $1), options: $1) })
        return .ok
    }

    /// Writes a normalized document to standard output and its repairs to standard error.
    private static func write(
        _ invocation: Invocation, _ dialect: String, _ normalize: ([UInt8], JSONOptions) throws -> ShapedDocument
    ) throws -> ExitCode {
        let document = try read(invocation, normalize)
        return try write(
            document, invocation, isExplained: invocation.has("--explain"), source: DocumentSource(dialect: dialect))
    }

    /// Writes a document, or its repairs, to standard output, and the number of repairs to standard error.
    static func write(
        _ document: ShapedDocument, _ invocation: Invocation, isExplained: Bool, source: DocumentSource
    ) throws -> ExitCode {
        let drift = try NormalizeDrift(invocation)
        if !drift.replacesDocument {
            try Terminal.write(isExplained ? document.explained(source: source) : document.body)
            if FileContents.standardOutputIsTerminal { try Terminal.say("") }
        }
        return try drift.finish(document.drift)
    }

    /// Reads the input and converts it; throws `badData` if that fails.
    static func read<Result>(
        _ invocation: Invocation, _ convert: ([UInt8], JSONOptions) throws -> Result
    ) throws -> Result {
        try StackLimit.require(depth: JSONOptions.greatestDepth)
        let (name, bytes) = try input(of: invocation)
        do {
            return try convert(bytes, JSONOptions(maximumBytes: maximumInput))
        } catch {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        }
    }

    /// Returns the document to normalize, and its name in messages.
    static func input(of invocation: Invocation) throws -> (name: String, bytes: [UInt8]) {
        try input(at: invocation.operands.first)
    }

    /// Returns the document in a file, or of standard input for `-` and nil, and its name in messages.
    static func input(at file: String?) throws -> (name: String, bytes: [UInt8]) {
        let file = file ?? "-"
        let name = file == "-" ? "standard input" : file
        do {
            let bytes =
                file == "-"
                ? try FileContents.readStandardInput(limit: maximumInput)
                : try FileContents.readStream(path: file, limit: maximumInput)
            return (name, bytes)
        } catch let error as FileContents.TooLarge {
            throw CommandError(code: .badData, message: "\(name) \(error)")
        } catch {
            throw CommandError(code: .noInput, message: "\(error)")
        }
    }

    private static func fields<Root: Record>(of root: Root.Type, _ invocation: Invocation) throws -> FieldSelection? {
        guard let paths = invocation.list("--fields") else { return nil }
        do throws(FieldSelection.UnknownFields) {
            return try FieldSelection(of: root, paths: paths)
        } catch {
            throw CommandError.usage("--fields: \(error)")
        }
    }

    private static func place(_ invocation: Invocation) throws -> (latitude: Double, longitude: Double)? {
        guard let parts = invocation.list("--place") else { return nil }
        let degrees = parts.map { $0.trimmingPrefix(" ") }.compactMap {
            $0.utf8.allSatisfy { "-.0123456789".utf8.contains($0) } ? Double($0) : nil
        }
        guard degrees.count == 2, parts.count == 2, abs(degrees[0]) <= 90, abs(degrees[1]) <= 180 else {
            throw CommandError.usage("--place takes a latitude and a longitude in degrees: --place 37.8267,-122.4233")
        }
        return (degrees[0], degrees[1])
    }

    private static func block(_ name: String) throws -> ForecastBlock {
        if let block = ForecastBlock(rawValue: name) { return block }
        throw CommandError.usage("--exclude takes some of \(blockNames)", instead: name, of: blocks)
    }
}

/// `weir normalize --route`: the answer of a configured route, from a file.
enum NormalizeRouteCommand {
    static let options = [
        Command.Option(
            name: "--route", placeholder: "PATH",
            help: "Configured route instead of a dialect: its path in the configuration, or one that it answers."),
        .config,
        Command.Option(
            name: "--set", placeholder: "NAME=VALUE", repeats: true, help: "Value of a parameter of the route."),
    ]

    static func run(_ invocation: Invocation, route path: String) throws -> ExitCode {
        let settings = try invocation.values("--set").map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw CommandError.usage("--set takes NAME=VALUE, not \"\(text)\"") }
            return (name: parts[0], value: parts[1])
        }
        // Here, --set gives parameters of the route.
        let configuration = try invocation.configuration(overridden: false).configuration
        let route: RouteNormalization
        do throws(RouteNormalization.Fault) {
            route = try RouteNormalization(configuration, route: path, settings: settings)
        } catch {
            throw CommandError.usage("--route: \(error)")
        }
        let document = try NormalizeCommand.read(invocation) { try route.normalize($0, options: $1) }
        return try NormalizeCommand.write(
            document, invocation, isExplained: route.isExplained, source: DocumentSource(dialect: "json"))
    }
}
