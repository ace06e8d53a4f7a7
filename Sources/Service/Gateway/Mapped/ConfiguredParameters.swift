import CivilDates
import Settings
import API
import JMESPath
import JSONText
import HTTPCore
import Mapping
import Records

/// The parameters of a configured route.
struct ConfiguredParameters: Sendable {
    /// The names that every route has, or that templates have.
    static let reserved = [
        ShapingParameters.fieldsName, ShapingParameters.explainName, ShapingParameters.datesName, "each",
        ResponseExpression.headersName,
    ]

    /// The steps of the matches of all patterns for one request; the parameters are read on the event loop.
    private static let matchingSteps = 20_000

    private struct Known: Sendable {
        let parameter: Parameter<JSONValue>
        let standard: JSONValue?
        let isCredential: Bool
    }

    private let known: [Known]

    /// Reads the parameters of a route.
    init(
        _ settings: [String: ParameterConfiguration], path template: RouteTemplate,
        _ note: SettingNotes<RouteConfiguration>
    ) {
        let inPath = template.parameters
        for name in inPath where settings[name] == nil {
            note(\.path, "uses {\(name)}, but `parameters` has no entry \(Quotation.quote(name)); add one")
        }
        let others = settings.keys.filter { !inPath.contains($0) }.sorted()
        let patterns = settings.values.count { ($0.values.pattern ?? $0.items?.pattern) != nil }
        let steps = Self.matchingSteps / max(patterns, 1)
        known = (inPath.filter { settings[$0] != nil } + others).compactMap { name in
            guard let setting = settings[name] else { return nil }
            return Self.known(
                name, setting, isInPath: inPath.contains(name), matchingSteps: steps, note[\.parameters, name])
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
        _ name: String, _ setting: ParameterConfiguration, isInPath: Bool, matchingSteps: Int,
        _ note: SettingNotes<ParameterConfiguration>
    ) -> Known? {
        if name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.\[\]-]{0,63}/) == nil {
            note(\.self, "must have a name of at most 64 letters, digits and _ . - [ ], a letter or _ first")
        }
        if reserved.contains(name) {
            note(\.self, "has a reserved name; reserved are \(reserved.joined(separator: ", "))")
        }
        if let header = setting.header {
            if isInPath { note(\.header, "must be left out: the parameter is in the path") }
            if !MappedRequest.isFieldName(header, isCredential: setting.credential == true) {
                note(\.header, "must be the name of a header field without framing, conditions and credentials")
            }
        }
        if isInPath, setting.required == false { note(\.required, "must be true: the parameter is in the path") }
        if isInPath, setting.standard != nil { note(\.standard, "must be left out: the parameter is in the path") }
        let isCredential = setting.credential == true
        if isCredential, isInPath || setting.standard != nil {
            note(\.credential, "must be left out: the parameter is in the path or has a default")
        }
        let plain = ConfiguredType(setting, matchingSteps: matchingSteps, note).parameterType
        let type = isCredential ? credential(plain) : plain
        func value(_ place: KeyPath<ParameterConfiguration, JSONValue?>) -> JSONValue? {
            guard let json = setting[keyPath: place], json != .null else { return nil }
            guard let text = json.urlText, case .value(let read) = type.read(text) else {
                note(place, "must be \(type.expectation)")
                return nil
            }
            return read
        }
        let standard = value(\.standard), example = value(\.example)
        let location: ParameterSpec.Location = isInPath ? .path : setting.header == nil ? .query : .header
        return Known(
            parameter: Parameter(
                setting.header ?? name, type, in: location,
                isRequired: isInPath || setting.required == true && standard == nil,
                orElse: standard.map { "`\($0.urlText ?? "")`" }, default: standard, setting.description ?? "",
                example: example?.urlText, key: name),
            standard: standard, isCredential: isCredential)
    }

    /// The texts of a type, which no fault quotes.
    private static func credential(_ type: ParameterType<JSONValue>) -> ParameterType<JSONValue> {
        ParameterType(type.expectation, schema: type.schema, isASCII: false, maximumBytes: .max) { text in
            let isText = 1...8192 ~= text.utf8.count && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
            if isText, case .value = type.read(text) { return .value(.string(text)) }
            return .complaints(["a credential is visible ASCII, and this one is another text"])
        }
    }

    var specs: [ParameterSpec] { known.map(\.parameter.spec) }

    /// The names in templates and expressions.
    var names: Set<String> { Set(known.filter { !$0.isCredential }.map(\.parameter.key)) }

    /// The names of the credentials of clients, which no expression can read.
    var credentials: [String] { known.filter(\.isCredential).map(\.parameter.key) }

    /// The names of those in the query.
    var namesInQuery: Set<String> {
        Set(known.filter { $0.parameter.spec.location == .query && !$0.isCredential }.map(\.parameter.spec.name))
    }

    /// The name that clients use for the value of a parameter.
    func clientName(of name: String) -> String { known.first { $0.parameter.key == name }?.parameter.spec.name ?? name }

    /// The header fields of clients that the parameters read.
    var fields: [String] { specs.filter { $0.location == .header }.map(\.name) }

    /// Reads the credentials of a request.
    func readCredentials(_ parameters: inout Parameters) -> [String: Secret] {
        known.filter(\.isCredential).reduce(into: [:]) { values, known in
            values[known.parameter.key] = parameters.read(known.parameter)?.stringValue.map { Secret($0) }
        }
    }

    /// Reads the values of a request, with the defaults of those that are absent.
    func read(_ parameters: inout Parameters) -> [String: JSONValue] {
        known.reduce(into: [:]) { values, known in
            if known.isCredential { return }
            values[known.parameter.key] = parameters.read(known.parameter) ?? known.standard ?? .null
        }
    }
}

/// The values that a parameter takes, as the keys of JSON Schema say.
private struct ConfiguredType {
    private let items: ParameterConfiguration.Values
    /// The most elements of an array; nil for one value.
    private let maximumItems: Int?
    /// The values of `enum`, in the order of the file.
    private let choices: [JSONValue]
    private let pattern: Pattern?

    /// The steps that the matches for one request may take.
    private let matchingSteps: Int

    init(
        _ setting: ParameterConfiguration, matchingSteps: Int, _ note: SettingNotes<ParameterConfiguration>
    ) {
        self.matchingSteps = matchingSteps
        let isArray = setting.values.type == "array"
        if setting.items != nil, !isArray { note(\.items, "must be left out, unless type is array") }
        if setting.maxItems != nil, !isArray { note(\.maxItems, "must be left out, unless type is array") }
        maximumItems = isArray ? setting.maxItems ?? 100 : nil
        items = isArray ? setting.items ?? ParameterConfiguration.Values() : setting.values
        let note = isArray ? note[\.items] : note.included(\.values)
        if isArray, items.type == "array" { note(\.type, "must be the type of one value: an array holds no arrays") }
        if let low = items.minimum, let high = items.maximum, low > high { note(\.minimum, "must be at most maximum") }
        if let low = items.minLength, let high = items.maxLength, low > high {
            note(\.minLength, "must be at most maxLength")
        }
        choices = items.choices ?? []
        if items.choices?.isEmpty == true { note(\.choices, "must have a value") }
        if !["integer", "number"].contains(items.type) {
            if items.minimum != nil { note(\.minimum, "needs the type number or integer") }
            if items.maximum != nil { note(\.maximum, "needs the type number or integer") }
        }
        var compiled: Pattern?
        if let text = items.pattern {
            do throws(Pattern.InvalidPattern) { compiled = try Pattern(text) } catch {
                note(\.pattern, "is no pattern: \(error)")
            }
        }
        pattern = compiled
        let isWrong: (JSONValue) -> Bool = { [self] choice in
            var work = Pattern.Work(steps: matchingSteps)
            guard let text = choice.urlText, let value = plain(text, &work) else { return !choice.isNull }
            return value.kindName != choice.kindName
        }
        if let wrong = choices.first(where: isWrong) {
            note(
                \.choices,
                "must have values that the other keys take; \(Quotation.quote(wrong.urlText ?? "an object")) is none")
        }
    }

    var parameterType: ParameterType<JSONValue> {
        var element = items.json ?? [:]
        // Its place is the first, also if the configuration leaves the type out.
        if items.type == nil { element = .object([.init("type", "string")] + (element.members ?? [])) }
        guard let maximumItems else {
            return ParameterType(expectation, schema: element, isASCII: false) { text in
                var work = Pattern.Work(steps: matchingSteps)
                return read(text, &work)
            }
        }
        return ParameterType(
            "a list of at most \(maximumItems), with commas, of \(expectation)",
            schema: ["type": "array", "items": element, "maxItems": .number("\(maximumItems)")], isASCII: false,
            maximumBytes: 8192
        ) { text in
            let parts = text.split(separator: ",", maxSplits: maximumItems, omittingEmptySubsequences: false)
            guard !text.isEmpty, parts.count <= maximumItems else { return .wrong(hint: "") }
            var work = Pattern.Work(steps: matchingSteps)
            let values = parts.compactMap { read(String($0), &work) }
            return values.count == parts.count ? .value(.array(values)) : .wrong(hint: "")
        }
    }

    private var expectation: String {
        if !choices.isEmpty { return "one of \(choices.map { $0.urlText ?? "" }.joined(separator: ", "))" }
        switch items.type ?? "string" {
        case "boolean": return "true or false"
        case "integer", "number":
            let bounds = [items.minimum, items.maximum].map { $0.map { JMESValue.shortest("\($0)") } }
            return (items.type == "integer" ? "an integer" : "a number") + Self.range(bounds[0], bounds[1], "from ")
        default:
            if let format = items.format {
                return format == "date" ? "a date YYYY-MM-DD" : "a date and time of ISO 8601"
            }
            let length = Self.range(items.minLength.map { "\($0)" }, items.maxLength.map { "\($0)" }, "of ")
            return "a text" + (length.isEmpty ? "" : "\(length) characters")
                + (items.pattern.map { " of the form \($0)" } ?? "")
        }
    }

    /// Returns the range in words, which begin with `preposition` if it has two ends.
    private static func range(_ low: String?, _ high: String?, _ preposition: String) -> String {
        switch (low, high) {
        case (let low?, let high?): " \(preposition)\(low) to \(high)"
        case (let low?, nil): " of at least \(low)"
        case (nil, let high?): " of at most \(high)"
        case (nil, nil): ""
        }
    }

    /// Returns the value in a text; nil for one that the type does not take.
    private func read(_ text: String, _ work: inout Pattern.Work) -> JSONValue? {
        guard let value = plain(text, &work) else { return nil }
        // By bytes: for `String ==`, the composed and the decomposed é are one value.
        let isKnown =
            choices.isEmpty || choices.contains { $0.urlText.map { Name.areEqual($0, value.urlText ?? "") } == true }
        // Not with a ternary, where `nil` is the JSON value null.
        guard isKnown else { return .none }
        return value
    }

    private func plain(_ text: String, _ work: inout Pattern.Work) -> JSONValue? {
        switch items.type ?? "string" {
        case "boolean": return ["true": true, "1": true, "false": false, "0": false][text]
        case "integer":
            let digits = text.first == "-" ? text.dropFirst() : text[...]
            guard PlainNumber.isDigits(digits), let number = Int64(text) else { return nil }
            return isInRange(Double(number)) ? .number("\(number)") : nil
        case "number":
            // JSON has neither a plus nor zeros at the start, and digits around a point.
            guard
                let number = PlainNumber.read(
                    text, in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude),
                let written = text.wholeMatch(of: /[+]?(-?)0*([0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)/)
            else { return nil }
            return isInRange(number) ? .number(JMESValue.shortest("\(written.1)\(written.2)")) : nil
        default:
            let count = text.unicodeScalars.count
            guard count >= items.minLength ?? 0, count <= items.maxLength ?? .max else { return nil }
            if let pattern, !pattern.matches(text, &work) { return nil }
            return isDate(text) ? .string(text) : nil
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

extension JSONValue {
    /// The value as it stands in a URL, an array with commas; nil for null, and for one with an object.
    var urlText: String? { (try? RequestTemplate.text(of: JMESValue(self))) ?? nil }
}
