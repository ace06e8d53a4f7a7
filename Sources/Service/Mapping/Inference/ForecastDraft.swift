import API
import JMESPath
import JSONText
package import Records

/// A mapping for recorded answers of an API of weather, whose contract is `forecast`.
package struct ForecastDraft {
    /// Names of objects with the weather of now.
    private static let wordsForNow: Set = ["conditions", "current", "currently", "now", "observation", "realtime"]
    /// Names of lists that are no weather of now, even of one element.
    private static let wordsForSpans: Set = ["daily", "day", "days", "forecast", "hour", "hourly", "hours"]
    private static let maximumLeft = 100

    /// A part of the answer, and the values of documents that it is made of.
    struct Block {
        /// The place of the object or the list; nil for columns.
        var from: String?
        var guesses: [Guess]
        /// The length of a span in seconds; nil for no list.
        var seconds: Double?
        var bonus = 0
    }

    /// A value that is taken for a field.
    struct Guess {
        let field: ContractField
        let value: NamedValue
        let rank: [Int]
        /// The path of the object or the list around the value.
        var place = ""
    }

    private let fields: [ContractField], fieldsOfPoints: [ContractField], fieldsOfAlerts: [ContractField]
    private var blocks: [String: Block] = [:]
    private var units: [(path: String, survey: ValueSurvey)] = []
    private var scalars: [(path: String, survey: ValueSurvey)] = []

    /// Whether a part of the documents is the weather of now, of hours or of days.
    package var hasWeather: Bool { ["currently", "hourly", "daily"].contains { blocks[$0] != nil } }

    /// A draft for documents, of a contract with a schema.
    package init(
        _ survey: ShapeSurvey, unitSystems: [String], schema: (inout SchemaComponents) -> JSONValue
    ) {
        func fields(_ place: String...) -> [ContractField] {
            ContractField.all(schema, unitSystems, at: place)
        }
        (self.fields, fieldsOfPoints) = (fields(), fields("currently"))
        fieldsOfAlerts = fields("alerts", "items")
        visit(survey.root, at: "", named: "", isElement: false)
        blocks[""] = Block(guesses: guesses(NamedValue.all(of: survey.root, isWhole: true), self.fields))
    }

    /// Gives each field at most one value, and each value one field, the best pairs first.
    private func guesses(_ values: [NamedValue], _ fields: [ContractField], isDay: Bool = false) -> [Guess] {
        let pairs = values.flatMap { value in
            fields.compactMap { field in
                field.rank(of: value, isDay: isDay).map { Guess(field: field, value: value, rank: $0) }
            }
        }
        let order = pairs.enumerated().sorted {
            ($0.element.rank + [$0.offset]).lexicographicallyPrecedes($1.element.rank + [$1.offset])
        }
        var names: Set<String> = [], places: Set<String> = [], guesses: [Guess] = []
        for guess in order.map(\.element) where !names.contains(guess.field.name) {
            guard places.insert(guess.value.expression).inserted else { continue }
            names.insert(guess.field.name)
            guesses.append(guess)
        }
        return fields.compactMap { field in guesses.first { $0.field.name == field.name } }
    }

    private mutating func visit(_ survey: ValueSurvey, at path: String, named name: String, isElement: Bool) {
        switch (survey.kinds, survey.elements) {
        case ([.object], _) where !survey.keysAreData:
            if MemberWords(name).isUnit { return units.append((path, survey)) }
            if !isElement {
                offerNow(survey, at: path, named: name)
                offerColumns(survey, at: path)
            }
            for name in survey.names {
                guard let member = survey.member(name) else { continue }
                visit(member, at: ShapeGuess.path(path, name), named: name, isElement: isElement)
            }
        case ([.array], let elements?):
            if elements.kinds == [.object] { offer(survey, elements, at: path, isElement: isElement) }
            visit(elements, at: path + "[]", named: name, isElement: true)
        case ([], _): break
        default: scalars.append((path, survey))
        }
    }

    /// Offers an object as the weather of now.
    private mutating func offerNow(_ object: ValueSurvey, at path: String, named name: String) {
        let isNow = !Self.wordsForNow.isDisjoint(with: ContractWords.words(of: name))
        let guesses = guesses(NamedValue.all(of: object), fieldsOfPoints)
        take("currently", Block(from: path, guesses: guesses, bonus: isNow ? 10 : 0))
    }

    /// Offers an object of arrays of one length as a block.
    private mutating func offerColumns(_ table: ValueSurvey, at path: String) {
        for name in table.names {
            guard let column = table.member(name)?.elements, MemberWords(name).isTime, column.timeForm != nil else {
                continue
            }
            offer(NamedValue.all(of: table, at: path, columns: column.count), from: nil, lists: table.count)
        }
    }

    /// Offers a list of objects as a block, and the only object of lists as the weather of now.
    private mutating func offer(_ list: ValueSurvey, _ elements: ValueSurvey, at path: String, isElement: Bool) {
        let values = NamedValue.all(of: elements)
        let from = path.isEmpty ? "@" : isElement ? path + "[]" : path
        let alerts = guesses(values, fieldsOfAlerts)
        if ["title", "expires"].allSatisfy({ name in alerts.contains { $0.field.name == name } }) {
            take("alerts", Block(from: from, guesses: alerts))
        }
        if elements.count == list.count, !isElement, Self.wordsForSpans.isDisjoint(with: ContractWords.words(of: path))
        {
            offerNow(elements, at: path + "[0]", named: "")
        }
        offer(values, from: from, lists: list.count)
    }

    /// Offers the points of lists as the block that the distance of their times says.
    private mutating func offer(_ values: [NamedValue], from: String?, lists: Int) {
        guard let time = guesses(values, fieldsOfPoints.filter { $0.name == "time" }).first?.value.survey,
            let seconds = time.steps.common
        else { return }
        let isNear = seconds <= 900 && seconds * Double(time.count) <= 7200 * Double(lists)
        let name = seconds >= 82_800 ? "daily" : isNear ? "minutely" : "hourly"
        let guesses = guesses(values, fieldsOfPoints, isDay: name == "daily")
        if seconds <= 90_000 { take(name, Block(from: from, guesses: guesses, seconds: seconds)) }
    }

    /// Keeps a block if it has a time, and more fields than the one before.
    private mutating func take(_ name: String, _ block: Block) {
        let score = block.guesses.count + block.bonus
        let names = Set(block.guesses.map(\.field.name))
        guard names.contains("time") || name == "alerts", names.count > 1, score > 2 || name != "currently" else {
            return
        }
        guard blocks[name].map({ $0.guesses.count + $0.bonus < score }) ?? true else { return }
        blocks[name] = block
        for (index, guess) in block.guesses.enumerated() {
            let path = guess.value.expression.split(separator: ".").dropLast().joined(separator: ".")
            blocks[name]?.guesses[index].place = block.from ?? path
        }
    }
}

// Writing.
extension ForecastDraft {
    /// The mapping with comments, and a line for each place that is no field.
    package var text: String {
        let units = UnitGuess(blocks.values.flatMap(\.guesses), units)
        let zone =
            blocks[""]?.guesses.first { $0.field.name == "timezone" }.map { "($.\($0.value.expression))" } ?? "UTC"
        var properties: [JSONValue.Member] = []
        for field in fields {
            if let guess = blocks[""]?.guesses.first(where: { $0.field.name == field.name }) {
                properties.append(.init(field.name, property(guess, Block(guesses: []), units, zone)))
            } else if let block = blocks[field.name] {
                properties.append(.init(field.name, shape(of: block, named: field.name, units, zone)))
            }
        }
        let mapping: JSONValue = [
            "contract": "forecast",
            "forecast": [
                "fetch": ["path": "/", "query": ["lat": "{latitude}", "lon": "{longitude}"]],
                "answer": ["properties": .object(properties)],
            ],
        ]
        let used = Set(blocks.values.flatMap(\.guesses).map { ObjectIdentifier($0.value.survey) })
        let left = scalars.filter { !used.contains(ObjectIdentifier($0.survey)) }
        var lines = left.prefix(Self.maximumLeft).map { place in
            "// no field for \(place.path): \(place.survey.kinds.map { "\($0)" }.joined(separator: " or "))"
        }
        if left.count > lines.count { lines.append("// no field for \(left.count - lines.count) more") }
        return ([mapping.commented()] + lines).joined(separator: "\n") + "\n"
    }

    private func shape(of block: Block, named name: String, _ units: UnitGuess, _ zone: String) -> JSONValue {
        var properties = block.guesses.map { guess in
            JSONValue.Member(guess.field.name, property(guess, block, units, zone))
        }
        if name == "hourly", let seconds = block.seconds, seconds != 3600 {
            properties.append(.init("period", .string("`\(Int(seconds))`")))
        }
        let isAlert = name == "alerts"
        let object: [JSONValue.Member] =
            (isAlert ? [] : [.init("required", ["time"])]) + [.init("properties", .object(properties))]
        guard block.seconds != nil || isAlert else {
            return .object((block.from == "" ? [] : [.init("from", .string(block.from ?? ""))]) + object)
        }
        let columns = JSONValue.object(block.guesses.map { .init($0.field.name, .string($0.value.expression)) })
        var shape: JSONValue = ["from": block.from.map { .string($0) } ?? columns, "items": .object(object)]
        if let seconds = block.seconds { shape[JSONValue.comment] = .string("most times are \(Int(seconds)) s apart") }
        return shape
    }

    static func text(_ number: Double) -> String { JSONWriter.text { $0.write(number) } }

    private func property(_ guess: Guess, _ block: Block, _ units: UnitGuess, _ zone: String) -> JSONValue {
        let (field, value) = (guess.field, guess.value), survey = value.survey
        var from = block.seconds != nil && block.from == nil ? field.name : value.expression
        var shape: JSONValue = [:], evidence = value.expression
        if let form = survey.timeForm, field.isTime {
            for key in form.keys where !form.isPlain || form.isLocal && !field.readsLocalTimes {
                shape[key.key] = key.value
            }
            if form.isLocal, shape["format"] == "date-time" { shape["zone"] = .string(zone) }
            evidence += ": \(form.name)"
        } else if let booleans = value.booleans, field.schema["type"] == "boolean" {
            shape["map"] = booleans
        } else if survey.kinds == [.number] {
            let (least, greatest) = (survey.numbers.least, survey.numbers.greatest)
            let unit = units.unit(of: guess)
            if let unit, unit.from != field.unit?.name {
                shape["unit"] = ["from": .string(unit.from), "to": .string(field.unit?.name ?? "")]
            }
            evidence +=
                ": \(unit.map { $0.evidence + ", " } ?? "")\(Self.text(least)) … \(Self.text(greatest)) in \(survey.count) value\(survey.count == 1 ? "" : "s")"
            let absent = survey.numbers.outliers.map { JSONValue.number($0.text) }
            if !absent.isEmpty { shape["absent"] = .array(absent) }
            // The name says the hours of an amount: `rain."3h"`, `next_6_hours`.
            let said = value.expression.firstMatch(of: /([0-9]+)_?[hH]/).flatMap { Double($0.1) }
            let span = (block.seconds ?? 3600) / 3600, hours = said ?? span
            let isAmount = !value.words.contains("rate") && !value.words.contains("intensity") && span >= 0.25
            if let wanted = ["precipIntensity": 1, "rain": span, "snow": span, "ice": span][field.name],
                isAmount, hours != wanted
            {
                from += " / `\(Self.text(hours / wanted))`"
                evidence += ", the amount of \(Self.text(hours)) h"
            }
        }
        let points = block.guesses.first { $0.field.name == "time" }?.value.survey.count ?? 0
        if survey.count - survey[.null] < points { shape["optional"] = true }
        shape[JSONValue.comment] = .string(evidence)
        return .object([.init("from", .string(from))] + (shape.members ?? []))
    }
}
