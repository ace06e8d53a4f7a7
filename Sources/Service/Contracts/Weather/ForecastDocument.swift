public import API
import JSONText
public import Records

/// A forecast as an upstream gave it, complete and repaired, and not yet in the form that a client wants.
///
/// It has the upstream's numbers and units, so nothing is rounded or converted twice.
public struct ForecastDocument: Sendable {
    /// The weather, in the units that its flags name.
    public internal(set) var forecast = Forecast()
    /// What was repaired.
    public internal(set) var drift = DriftReport()
    /// The bytes of the upstream's text.
    let size: Int

    init(size: Int) { self.size = size }

    /// Corrects what the dialect has read, and completes it from the request.
    ///
    /// - Throws: `ContractError` if no point of an answer to a query has a value.
    mutating func complete(
        _ dialect: ForecastDialect, answering query: ForecastQuery?, _ defaults: AnswerDefaults
    ) throws(ContractError) {
        // One coordinate alone is no place.
        let hasPlace = forecast.latitude != nil && forecast.longitude != nil
        if !hasPlace || dialect.answersForGrid && query != nil {
            (forecast.latitude, forecast.longitude) = (defaults.place?.latitude, defaults.place?.longitude)
        }
        forecast.correctTimes(&drift)
        if let query { try forecast.removeHollowParts(answering: query, &drift) }
        dialect.correct(&forecast, &drift)
        forecast.removeRepeatedAlerts(&drift)
        if let query {
            for block in dialect.blocks { block.check(&self, answering: query) }
        }
        if defaults.expectsFields {
            for field in dialect.expected { field.check(&forecast, &drift) }
        }
    }

    /// Returns whether the document has the current weather, or points in a block.
    public func has(_ block: ForecastBlock) -> Bool {
        block == .currently ? forecast.currently != nil : forecast.points(of: block)?.isEmpty == false
    }

    /// Returns the document in the form that `shaping` describes, which depends on nothing else.
    ///
    /// Its body is itself a `darkSky` document, which can be normalized again. The document is consumed, so that the form is
    /// made in its place.
    public consuming func shaped(_ shaping: Shaping = Shaping()) -> ShapedDocument {
        var document = self
        if shaping.darkSky != nil, !shaping.excluded.contains(.alerts), let alerts = document.forecast.alerts {
            document.drift.note(
                .approximated, .missing, alerts.indices.filter { alerts[$0].expires == nil }, "alerts[].expires")
        }
        let style = document.forecast.take(shaping, &document.drift)
        // The memory of the parser is free again, and the answer takes it: WeatherKit's sample takes 40 % less time,
        // because glibc keeps so much for the next document and gives no pages back.
        let body = JSONWriter.bytes(expecting: max(document.size, document.forecast.expectedSize)) {
            document.forecast.write(to: &$0, style, shaping)
        }
        return ShapedDocument(body: body, drift: document.drift)
    }
}

/// The parts of a forecast that a client wants, and their form.
public struct Shaping: Sendable {
    /// The units of an answer.
    public enum Units: Sendable, Hashable {
        /// The units of a system.
        case system(UnitSystem)
        /// The units of the country of the forecast's time zone, as Dark Sky's `auto`.
        case automatic
    }

    /// The units of the answer; nil for those of the document.
    public var units: Units?
    /// How dates are written.
    public var dates = DateForm.unix
    /// The blocks to omit.
    public var excluded: Set<ForecastBlock> = []
    /// The fields to keep; nil for all.
    public var fields: FieldSelection?
    /// Dark Sky's form, for its clients; nil for the contract's.
    public var darkSky: DarkSkyForm?

    /// All fields, in the document's units.
    public init() {}

    /// The fields that `fields` and `darkSky` keep and `excluded` does not omit; nil for all.
    fileprivate var selection: FieldSelection? {
        let rest =
            excluded.isEmpty
            ? nil : FieldSelection(of: Forecast.self, without: Set(excluded.map(\.rawValue)))
        return [fields, darkSky?.selection, rest].compactMap(\.self).reduce(nil) { $0?.intersection($1) ?? $1 }
    }
}

/// The parts of a forecast that `exclude` can name.
public enum ForecastBlock: String, Sendable, CaseIterable {
    case currently, minutely, hourly, daily, dayNight, alerts, flags
}

extension Forecast {
    /// Takes the form that `shaping` describes, and returns how to write it.
    fileprivate mutating func take(_ shaping: Shaping, _ drift: inout DriftReport) -> WritingStyle {
        var style = WritingStyle()
        style.dates = shaping.dates
        style.selection = shaping.selection
        let target = shaping.units.map(system), own = units
        if let form = shaping.darkSky { take(form, for: target ?? own, &drift) }
        if let target {
            style.conversion = own.conversion(to: target)
            if flags == nil { flags = Flags() }
            flags?.units = .known(target)
        }
        return style
    }

    /// Writes the forecast in the form that it has.
    fileprivate mutating func write(to writer: inout JSONWriter, _ style: WritingStyle, _ shaping: Shaping) {
        let hasHalfDays = shaping.darkSky == .withHalfDays && !shaping.excluded.contains(.dayNight)
        let halfDays = hasHalfDays ? dayNight.take() : nil
        write(to: &writer, style: style)
        guard let halfDays else { return }
        // In place of the closing brace of the root, which has members.
        writer.overwrite(at: writer.count - 1, with: UInt8(ascii: ","))
        writer.write(raw: #""day_night":"#)
        var whole = style
        whole.selection = nil
        halfDays.write(to: &writer, style: whole)
        writer.write(byte: UInt8(ascii: "}"))
    }

    private func system(_ units: Shaping.Units) -> UnitSystem {
        switch units {
        case .system(let system): system
        case .automatic: UnitSystem(inTimeZone: timezone)
        }
    }
}
