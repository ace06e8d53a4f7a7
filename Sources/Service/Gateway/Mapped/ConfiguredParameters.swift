import CivilDates
import Configuration
import Contracts
import JMESPath
import Patterns
import Records
import Routing

/// The parameters of a configured route.
struct ConfiguredParameters: Sendable {
    /// The names that every route has, or that templates have.
    static let reserved = [
        ShapingParameters.fieldsName, ShapingParameters.explainName, ShapingParameters.datesName, "each",
    ]

    private struct Known: Sendable {
        let parameter: Parameter<ParameterValue>
        let standard: ParameterValue?
    }

    private let known: [Known]

    /// Reads the parameters of a route.
    init(
        _ settings: [String: ParameterConfiguration], path template: RouteTemplate,
        _ note: SettingNotes<RouteConfiguration>
    ) {
        let inPath = template.parameters
        for name in inPath where settings[name] == nil {
            note(\.path, "has the parameter {\(name)}, which parameters does not describe")
        }
        let others = settings.keys.filter { !inPath.contains($0) }.sorted()
        known = (inPath.filter { settings[$0] != nil } + others).compactMap { name in
            guard let setting = settings[name] else { return nil }
            return Self.known(name, setting, isInPath: inPath.contains(name), note[\.parameters, name])
        }
        var fields: Set<String> = []
        for parameter in known.map(\.parameter) where parameter.spec.location == .header {
            if !fields.insert(parameter.spec.name.lowercased()).inserted {
                note[\.parameters, parameter.key](
                    \.header, "must be another field: two parameters would have its value")
            }
        }
    }

    private static func known(
        _ name: String, _ setting: ParameterConfiguration, isInPath: Bool, _ note: SettingNotes<ParameterConfiguration>
    ) -> Known? {
        if name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.\[\]-]{0,63}/) == nil {
            note(\.self, "must have a name of at most 64 letters, digits and _ . - [ ], a letter or _ first")
        }
        if reserved.contains(name) {
            note(\.self, "has a reserved name; reserved are \(reserved.joined(separator: ", "))")
        }
        if let header = setting.header {
            if isInPath { note(\.header, "must be left out: the parameter is in the path") }
            if !MappedRequest.isFieldName(header) || MappedRequest.reservedFields.contains(header.lowercased()) {
                note(\.header, "must be the name of a header field without framing, conditions and credentials")
            }
        }
        if isInPath, setting.required == false { note(\.required, "must be true: the parameter is in the path") }
        if isInPath, setting.standard != nil { note(\.standard, "must be left out: the parameter is in the path") }
        let type = ConfiguredType(setting, note).parameterType
        func value(_ setting: ParameterConfiguration, _ place: KeyPath<ParameterConfiguration, JSONValue?>)
            -> ParameterValue?
        {
            guard let json = setting[keyPath: place], json != .null else { return nil }
            guard let value = ParameterValue(json), case .value(let read) = type.read(value.queryText) else {
                note(place, "must be \(type.expectation)")
                return nil
            }
            return read
        }
        let standard = value(setting, \.standard), example = value(setting, \.example)
        let location: ParameterSpec.Location = isInPath ? .path : setting.header == nil ? .query : .header
        return Known(
            parameter: Parameter(
                setting.header ?? name, type, in: location,
                isRequired: isInPath || setting.required == true && standard == nil,
                orElse: standard.map { "`\($0.queryText)`" }, default: standard?.json, setting.description ?? "",
                example: example?.queryText, key: name),
            standard: standard)
    }

    var specs: [ParameterSpec] { known.map(\.parameter.spec) }

    /// The names in templates and expressions.
    var names: Set<String> { Set(known.map(\.parameter.key)) }

    /// The names of those in the query.
    var namesInQuery: Set<String> { Set(specs.filter { $0.location == .query }.map(\.name)) }

    /// The name that clients use for the value of a parameter.
    func clientName(of name: String) -> String { known.first { $0.parameter.key == name }?.parameter.spec.name ?? name }

    /// The header fields of clients that the parameters read.
    var fields: [String] { specs.filter { $0.location == .header }.map(\.name) }

    /// Reads the values of a request, with the defaults of those that are absent.
    func read(_ parameters: inout Parameters) -> [String: ParameterValue] {
        known.reduce(into: [:]) { values, known in
            values[known.parameter.key] = parameters.read(known.parameter) ?? known.standard ?? .null
        }
    }
}

/// The values that a parameter takes, as the keys of JSON Schema say.
private struct ConfiguredType {
    private let type: String
    private let items: ParameterConfiguration.Items
    private let maximumItems: Int
    private let choices: [ParameterValue]
    private let pattern: Pattern?
    private let schema: JSONValue

    init(_ setting: ParameterConfiguration, _ note: SettingNotes<ParameterConfiguration>) {
        type = setting.type ?? "string"
        let isArray = type == "array"
        if setting.items != nil, !isArray { note(\.items, "must be left out, unless type is array") }
        if setting.maxItems != nil, !isArray { note(\.maxItems, "must be left out, unless type is array") }
        maximumItems = setting.maxItems ?? 100
        if isArray {
            items = setting.items ?? ParameterConfiguration.Items()
        } else {
            var own = ParameterConfiguration.Items()
            (own.type, own.choices, own.minimum, own.maximum) = (
                type, setting.choices, setting.minimum, setting.maximum
            )
            (own.minLength, own.maxLength, own.pattern, own.format) = (
                setting.minLength, setting.maxLength, setting.pattern, setting.format
            )
            items = own
        }
        func fault(
            _ element: PartialKeyPath<ParameterConfiguration>, _ own: PartialKeyPath<ParameterConfiguration>,
            _ detail: String
        ) {
            note(isArray ? element : own, detail)
        }
        if let low = items.minimum, let high = items.maximum, low > high {
            fault(\.items?.minimum, \.minimum, "must be at most maximum")
        }
        if let low = items.minLength, let high = items.maxLength, low > high {
            fault(\.items?.minLength, \.minLength, "must be at most maxLength")
        }
        let name = items.type ?? "string"
        choices = (items.choices ?? []).compactMap { ParameterValue($0) }
        if items.choices?.isEmpty == true { fault(\.items?.choices, \.choices, "must have a value") }
        let isNumber = ["integer", "number"].contains(name)
        if items.minimum != nil, !isNumber { fault(\.items?.minimum, \.minimum, "needs the type number or integer") }
        if items.maximum != nil, !isNumber { fault(\.items?.maximum, \.maximum, "needs the type number or integer") }
        var compiled: Pattern?
        if let text = items.pattern {
            do throws(Pattern.InvalidPattern) { compiled = try Pattern(text) } catch {
                fault(\.items?.pattern, \.pattern, "is no pattern: \(error)")
            }
        }
        pattern = compiled
        let element = Self.schema(items)
        schema =
            isArray
            ? ["type": "array", "items": element, "maxItems": .number("\(maximumItems)")]
            : element
        if let wrong = choices.first(where: { $0 != .null && plain($0.queryText) != $0 }) {
            fault(
                \.items?.choices, \.choices,
                "must have values that the other keys take; \(Quotation.quote(wrong.queryText)) is none")
        }
    }

    private static func schema(_ items: ParameterConfiguration.Items) -> JSONValue {
        var members: [JSONValue.Member] = [.init("type", .string(items.type ?? "string"))]
        func add(_ key: String, _ value: JSONValue?) { if let value { members.append(.init(key, value)) } }
        add("enum", items.choices.map { .array($0) })
        add("minimum", items.minimum.map { .number(ParameterValue.shortest("\($0)")) })
        add("maximum", items.maximum.map { .number(ParameterValue.shortest("\($0)")) })
        add("minLength", items.minLength.map { .number("\($0)") })
        add("maxLength", items.maxLength.map { .number("\($0)") })
        add("pattern", items.pattern.map { .string($0) })
        add("format", items.format.map { .string($0) })
        return .object(members)
    }

    var parameterType: ParameterType<ParameterValue> {
        guard type == "array" else {
            return ParameterType(expectation, schema: schema, isASCII: false) { read($0) }
        }
        return ParameterType(
            "a list of at most \(maximumItems), with commas, of \(expectation)", schema: schema, isASCII: false,
            maximumBytes: 8192
        ) { text in
            let parts = text.split(separator: ",", maxSplits: maximumItems, omittingEmptySubsequences: false)
            guard !text.isEmpty, parts.count <= maximumItems else { return .wrong(hint: "") }
            let values = parts.compactMap { read(String($0)) }
            return values.count == parts.count ? .value(.list(values)) : .wrong(hint: "")
        }
    }

    private var expectation: String {
        if !choices.isEmpty { return "one of \(choices.map(\.queryText).joined(separator: ", "))" }
        switch items.type ?? "string" {
        case "boolean": return "true or false"
        case "integer": return "an integer\(range)"
        case "number": return "a number\(range)"
        default:
            if let format = items.format {
                return format == "date" ? "a date YYYY-MM-DD" : "a date and time of ISO 8601"
            }
            let length =
                switch (items.minLength, items.maxLength) {
                case (let low?, let high?): " of \(low) to \(high) characters"
                case (let low?, nil): " of at least \(low) characters"
                case (nil, let high?): " of at most \(high) characters"
                case (nil, nil): ""
                }
            return "a text\(length)" + (items.pattern.map { " of the form \($0)" } ?? "")
        }
    }

    private var range: String {
        let low = items.minimum.map { ParameterValue.shortest("\($0)") }
        let high = items.maximum.map { ParameterValue.shortest("\($0)") }
        return switch (low, high) {
        case (let low?, let high?): " from \(low) to \(high)"
        case (let low?, nil): " of at least \(low)"
        case (nil, let high?): " of at most \(high)"
        case (nil, nil): ""
        }
    }

    /// Returns the value in a text; nil for one that the type does not take.
    private func read(_ text: String) -> ParameterValue? {
        guard let value = plain(text), choices.isEmpty || choices.contains(value) else { return nil }
        return value
    }

    private func plain(_ text: String) -> ParameterValue? {
        switch items.type ?? "string" {
        case "boolean": return ["true": .bool(true), "1": .bool(true), "false": .bool(false), "0": .bool(false)][text]
        case "integer":
            let digits = text.first == "-" ? text.dropFirst() : text[...]
            guard PlainNumber.isDigits(digits), let number = Int64(text) else { return nil }
            return isInRange(Double(number)) ? .number("\(number)") : nil
        case "number":
            guard
                let number = PlainNumber.read(
                    text, in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
            else { return nil }
            // JSON has neither a plus nor zeros at the start, and digits around a point.
            guard let written = text.wholeMatch(of: /[+]?(-?)0*([0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)/) else {
                return nil
            }
            return isInRange(number) ? .number(ParameterValue.shortest("\(written.1)\(written.2)")) : nil
        default:
            let count = text.unicodeScalars.count
            guard count >= items.minLength ?? 0, count <= items.maxLength ?? .max else { return nil }
            if let pattern, !pattern.matches(text) { return nil }
            return isDate(text) ? .text(text) : nil
        }
    }

    private func isInRange(_ number: Double) -> Bool {
        number >= items.minimum ?? -.infinity && number <= items.maximum ?? .infinity
    }

    private func isDate(_ text: String) -> Bool {
        guard let format = items.format else { return true }
        guard text.utf8.count <= 40, let timestamp = ISO8601Timestamp(text.utf8.span), timestamp.instant != nil else {
            return false
        }
        return (format == "date") == (text.utf8.count == 10)
    }
}

extension ParameterValue {
    /// The value as a client writes it.
    fileprivate var queryText: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .text(let text): text
        case .list(let values): values.map(\.queryText).joined(separator: ",")
        }
    }
}
