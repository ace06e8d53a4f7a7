import JMESPath
import Records

/// The keys of a shape that read the scalars at one place, and the evidence for them.
struct ScalarGuess {
    private(set) var keys: [JSONValue.Member] = []
    private(set) var evidence: [String] = []
    private let survey: ValueSurvey
    private let words: MemberWords
    /// The zone of times without an offset.
    private let zone: String
    /// Whether a value for none may leave: an element of an array may not, because others would move.
    private let isMember: Bool

    /// A guess for values without arrays and objects; `name` is nil for elements.
    init(_ survey: ValueSurvey, name: String?, zone: String) {
        (self.survey, words, self.zone, isMember) = (survey, MemberWords(name ?? ""), zone, name != nil)
        let texts = survey.texts
        let (hasTexts, hasNumbers, hasBooleans) = (texts.ordinary > 0, survey[.number] > 0, survey[.boolean] > 0)
        let form = isMember || texts.none.isEmpty ? texts.commonForms.first : nil
        let isNumber =
            form?.name == TextForm.numbers
            && (texts.areNumbers(words) || hasNumbers && !words.isIdentifier && !words.isLabel)
        switch (hasTexts, hasNumbers, hasBooleans) {
        case (true, false, false): guessText(form?.name == TextForm.numbers && !isNumber ? nil : form)
        case (false, false, false): add("type", "string")
        case (true, true, false) where isNumber, (false, true, false) where isMember || texts.none.isEmpty:
            guessNumber()
        case (false, false, true) where isMember || texts.none.isEmpty:
            add("type", "boolean")
            addAbsent()
        default: evidence.append("values of several kinds")
        }
    }

    private mutating func add(_ key: String, _ value: JSONValue) { keys.append(.init(key, value)) }

    /// Adds the values that stand for none.
    private mutating func addAbsent(texts: Set<String> = TextSurvey.sentinels) {
        guard isMember else { return }
        let texts = survey.texts.none.filter { texts.contains($0.key) }.sorted { $0.key < $1.key }
        let numbers = survey.numbers.outliers
        let count = texts.map(\.value).reduce(0, +) + numbers.map(\.count).reduce(0, +)
        if count == 0 { return }
        add("absent", .array(texts.map { .string($0.key) } + numbers.map { .number($0.text) }))
        evidence.append("\(count) of \(survey.count) stand for none")
    }

    private mutating func guessText(_ form: TextForm?) {
        let texts = survey.texts
        let isAmbiguous = TextForm.ambiguous.allSatisfy { name in texts.commonForms.contains { $0.name == name } }
        guard let form, !isAmbiguous else {
            add("type", "string")
            if isAmbiguous { return evidence.append("either " + TextForm.ambiguous.joined(separator: " or ")) }
            addAbsent(texts: TextSurvey.wordsForNone)
            if let words = texts.words {
                add("enum", .array(words.map { .string($0) }))
                evidence.append("\(words.count) different ones in \(texts.count)")
            }
            return
        }
        keys += form.keys
        evidence.append("\(texts.ordinary) of \(survey.count) are \(form.name)")
        addAbsent()
        if form.isLocal {
            add("zone", .string(zone))
            evidence.append("without an offset, so the zone is a guess")
        }
    }

    private mutating func guessNumber() {
        let numbers = survey.numbers, texts = survey.texts.ordinary
        if numbers.isLong {
            evidence.append("integers of 16 digits and more stay as they are")
        } else if texts == 0, words.isTime, let reads = numbers.unixForm {
            keys += [.init("format", "date-time"), .init("reads", .string(reads))]
            evidence.append("\(numbers.count) of \(survey.count) are in the range of \(reads)")
        } else {
            let isInteger = numbers.areIntegers && texts == 0
            add("type", isInteger ? "integer" : "number")
            if isInteger { evidence.append("\(numbers.integers) of \(survey.count) are integers") }
            if texts > 0 {
                add("reads", "text")
                evidence.append("\(texts) of \(survey.count) are \(TextForm.numbers)")
            }
        }
        addAbsent()
    }

    /// Adds the unit that a member beside the number names, by an expression, or that the own name says.
    mutating func addUnit(beside unit: (expression: String, to: MappedUnit)?) {
        guard keys.contains(where: { $0.key == "type" && ["number", "integer"].contains($0.value) }) else { return }
        if let unit {
            add("unit", ["from": .string("(\(unit.expression))"), "to": .string(unit.to.name)])
            evidence.append("all units beside it measure \(unit.to.quantity.rawValue)")
        } else if let (unit, isSure) = words.unit {
            if isSure { add("unit", ["from": .string(unit.name), "to": .string(unit.name)]) }
            evidence.append("the name \(isSure ? "says" : "may say") \(unit.name)")
        }
    }
}

/// The words of a member's name, such as `wind`, `speed` and `kmh`, and what they say of its values.
struct MemberWords {
    private static let ofTimes: Set = [
        "at", "created", "date", "datetime", "dt", "end", "epoch", "expires", "expiry", "modified", "moonrise",
        "moonset",
        "published", "since", "start", "sunrise", "sunset", "time", "timestamp", "ts", "until", "updated",
    ]
    private static let ofIdentifiers: Set = [
        "code", "ean", "hash", "iban", "id", "ids", "isbn", "key", "no", "number", "phone", "postal", "postcode", "sha",
        "sku", "tel", "version", "zip",
    ]
    private static let ofLabels: Set = [
        "build", "caption", "description", "label", "labels", "model", "name", "names", "ref", "release", "revision",
        "series", "slug", "tag", "tags", "text", "title", "ver", "versions",
    ]
    /// The beginnings of words that are said of a quantity.
    private static let stems: [(quantity: MappedUnit.Quantity, stems: [String])] = [
        (.temperature, ["temp", "dew", "feels", "heat", "chill"]), (.speed, ["speed", "wind", "gust", "velocity"]),
        (.pressure, ["press", "baro"]), (.mass, ["weight", "mass"]),
        (
            .length,
            ["dist", "vis", "height", "elev", "alt", "depth", "snow", "precip", "rain", "width", "length", "radius"]
        ),
        (.time, ["duration", "elapsed", "timeout", "interval", "delay", "latency", "runtime"]),
    ]
    /// Names of units that are also other words.
    private static let ambiguous: Set = ["min", "one", "day", "days", "foot", "feet", "second", "unity", "fraction"]

    private static let unitWords: Set = ["unit", "units", "uom"]
    private static let ofRatios = ["chance", "cloud", "cover", "humid", "pct", "percent", "probab"]

    let words: [String]

    init(_ name: String) {
        let matches = name.prefix(ValueSurvey.maximumNameBytes).matches(of: /[A-Z]*[a-z0-9]+|[A-Z]+/)
        words = matches.map { $0.output.lowercased() }
    }

    /// Whether the values are times.
    var isTime: Bool {
        guard !isIdentifier, let last = words.last else { return false }
        return words.contains { Self.ofTimes.contains($0) } || last.hasSuffix("time") || last.hasSuffix("date")
    }

    /// Whether the values are names of things, even if they are numbers.
    var isIdentifier: Bool { words.contains { Self.ofIdentifiers.contains($0) } }

    /// Whether the value names a unit.
    var isUnit: Bool { words.contains { Self.unitWords.contains($0) } }

    /// Whether the values are parts of a whole.
    var isRatio: Bool { words.contains { word in Self.ofRatios.contains { word.hasPrefix($0) } } }

    /// The quantity that a word names; nil for none.
    var quantity: MappedUnit.Quantity? {
        if isTime { return nil }
        return Self.stems.first { stems in
            words.contains { word in stems.stems.contains { word.hasPrefix($0) } }
        }?.quantity
    }

    /// Whether the values are words for people, even if they look like numbers.
    var isLabel: Bool { words.last.map(Self.ofLabels.contains) == true }

    /// The unit that the last word names; sure if another word names the quantity.
    var unit: (unit: MappedUnit, isSure: Bool)? {
        guard let last = words.last, words.count > 1 else { return nil }
        for (quantity, stems) in Self.stems
        where words.dropLast().contains(where: { word in stems.contains { word.hasPrefix($0) } }) {
            let spelling = quantity == .speed && last == "ms" ? "m/s" : last
            for text in [spelling, spelling.uppercased(), spelling.prefix(1).uppercased() + spelling.dropFirst()] {
                if let unit = MappedUnit.named(text), unit.quantity == quantity { return (unit, true) }
            }
        }
        return last.count < 3 || Self.ambiguous.contains(last) ? nil : MappedUnit.named(last).map { ($0, false) }
    }

    /// The names of members beside one called `name` that may name its unit.
    static func ofUnits(for name: String) -> [String] {
        let own = ["_unit", "_units", "_uom", "Unit", "Units", "Uom"].map { name + $0 }
        return name == "value" ? own + ["unit", "units", "unitCode", "unit_code", "uom"] : own
    }
}
