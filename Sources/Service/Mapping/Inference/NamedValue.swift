import JMESPath
import Records

/// A value in the answers of an API, with what its name and its place say.
struct NamedValue {
    /// The most values of an object that are looked at.
    private static let maximumValues = 500

    let name: String
    /// The expression for the value, on the object that `all` was asked for.
    let expression: String
    let survey: ValueSurvey
    /// The words of the name, or of that of the object around it if the name says nothing, as `value` does.
    let words: [String]
    /// The words of the objects around it.
    let context: Set<String>
    /// The member beside the value that names its unit.
    let unitBeside: (expression: String, to: MappedUnit)?

    /// The values of an object, of the objects in it, and of the first element of a list in it.
    ///
    /// Lists of objects with a time are left out, unless `isWhole`. With `columns`, the values are the arrays with so many elements.
    static func all(
        of object: ValueSurvey, at place: String = "", in outer: [[String]] = [], columns: Int? = nil,
        isWhole: Bool = false
    ) -> [NamedValue] {
        var values: [NamedValue] = []
        for name in object.names where values.count < maximumValues {
            guard let member = object.member(name) else { continue }
            let expression = ShapeGuess.path(place, name), words = ContractWords.words(of: name)
            func add(_ survey: ValueSurvey, _ expression: String, _ words: [String]) {
                let root = columns == nil ? place : "$." + place
                let unit = ShapeGuess.unit(of: name, in: object).map { (ShapeGuess.path(root, $0.name), $0.to) }
                let own = words.allSatisfy(ContractWords.isOther) ? outer.last ?? words : words
                values.append(
                    NamedValue(
                        name: name, expression: expression, survey: survey, words: own, context: Set(outer.joined()),
                        unitBeside: unit))
            }
            switch (member.kinds, member.elements) {
            case ([.object], _) where !member.keysAreData:
                values += all(of: member, at: expression, in: outer + [words], columns: columns, isWhole: isWhole)
            case ([.array], let elements?) where columns != nil:
                if elements.count == columns, !elements.kinds.contains(.object) { add(elements, expression, words) }
            case ([.array], let elements?) where elements.kinds == [.object] && (isWhole || !elements.hasTimes):
                values += all(of: elements, at: expression + "[0]", in: outer + [words], isWhole: isWhole)
            case ([.array], let elements?) where name == "coordinates" && elements.kinds == [.number]:
                // GeoJSON has the longitude first (RFC 7946, section 3.1.1).
                for (index, word) in ["longitude", "latitude"].enumerated() {
                    add(elements, "\(expression)[\(index)]", [word])
                }
            case (let kinds, _) where columns == nil && kinds.count == 1 && member.elements == nil:
                add(member, expression, words)
            default: break
            }
        }
        return values
    }

    /// Returns the unit of a quantity that a word of the name says.
    func unit(of quantity: MappedUnit.Quantity?) -> (unit: MappedUnit, word: String)? {
        guard let word = words.last, words.count > 1 else { return nil }
        return [quantity == .speed && word == "ms" ? "m/s" : word, word.uppercased()].lazy
            .compactMap { MappedUnit.named($0) }.first { $0.quantity == quantity }.map { ($0, word) }
    }

    /// Whether the values can be those of a field with a schema.
    func fits(_ schema: JSONValue) -> Bool {
        let known = schema["examples"]?.elements.map(Set.init)
        switch schema["type"]?.stringValue {
        case _ where schema["format"] == "date-time": return survey.timeForm != nil
        case "number": return survey.kinds == [.number]
        case "integer":
            guard survey.kinds == [.number], let own = survey.numbers.distinct else { return false }
            return known?.isSuperset(of: own.map { .number("\($0)") }) != false
        case "boolean": return survey.kinds == [.boolean] || booleans != nil
        case "string":
            guard survey.kinds == [.string], survey.texts.ordinary > 0 else { return false }
            guard let known, known.count > 1 else { return true }
            return survey.texts.distinct.map { known.isSuperset(of: $0.map { .string($0) }) } ?? false
        default: return false
        }
    }

    /// The values that stand for true and false; nil for Booleans, and if there are others.
    var booleans: JSONValue? {
        let texts =
            survey.kinds == [.number] ? survey.numbers.distinct.map { Set($0.map { "\($0)" }) } : survey.texts.distinct
        let pair = [("1", "0"), ("d", "n"), ("day", "night")].first { texts?.isSubset(of: [$0.0, $0.1]) == true }
        return survey.kinds == [.boolean] ? nil : pair.map { .object([.init($0.0, true), .init($0.1, false)]) }
    }
}

extension ValueSurvey {
    /// How a shape reads the times; nil for values that are none.
    ///
    /// The form with the least `order` tells the most of a moment.
    var timeForm: (name: String, keys: [JSONValue.Member], isPlain: Bool, isLocal: Bool, order: Int)? {
        if kinds == [.number], numbers.least <= numbers.greatest, let reads = numbers.unixForm {
            let keys = [JSONValue.Member("format", "date-time"), .init("reads", .string(reads))]
            return (reads, keys, reads == "unix", false, 0)
        }
        let forms = texts.commonForms
        guard kinds == [.string], texts.ordinary > 0, let form = forms.first, form.keys[0].key == "format",
            !TextForm.ambiguous.allSatisfy({ name in forms.contains { $0.name == name } })
        else { return nil }
        let isPlain = form.keys.count == 1
        return (
            form.title, form.keys, isPlain, form.isLocal,
            isPlain ? form.keys[0].value == "date" ? 3 : form.isLocal ? 2 : 1 : 4
        )
    }

    /// Whether objects have a member that is a time.
    var hasTimes: Bool { names.contains { MemberWords($0).isTime && member($0)?.timeForm != nil } }
}
