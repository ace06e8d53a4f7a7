import Records

/// A field of a contract, as values of an API can be recognized for it.
struct ContractField {
    let name: String
    let schema: JSONValue
    /// The unit of the contract, and the one that the same field has in Dark Sky's units of the United States.
    let unit: MappedUnit?, unitOfStates: MappedUnit?
    private let phrases: [[Set<String>]]

    /// Whether the field is a time, and one that may be local.
    var isTime: Bool { schema["format"] == "date-time" }
    var readsLocalTimes: Bool { schema["type"]?.elements != nil }

    /// Returns the fields of the record at a place of a contract: of the record itself for an empty one.
    static func all(
        _ schema: (inout SchemaComponents) -> JSONValue, _ unitSystems: [String], at place: [String]
    ) -> [ContractField] {
        func members(_ systems: [String]) -> [JSONValue.Member] {
            var components = SchemaComponents(ofAnswersIn: systems)
            let root = schema(&components)
            func record(_ schema: JSONValue?) -> JSONValue? {
                let name = schema?["$ref"]?.stringValue?.split(separator: "/").last.map(String.init)
                return name.map { components.value[$0] } ?? schema
            }
            let inner = place.reduce(record(root)) { record($1 == "items" ? $0?[$1] : $0?["properties"]?[$1]) }
            return inner?["properties"]?.members ?? []
        }
        return zip(members(["si"]), members(unitSystems)).map { ContractField($0, $1.value) }
    }

    private init(_ field: JSONValue.Member, _ states: JSONValue?) {
        (name, schema, phrases) = (field.key, field.value, ContractWords.phrases(of: field.key))
        unit = ContractShape.unit(of: schema)
        unitOfStates = states?["x-units"]?["us"]?.stringValue.flatMap(ContractShape.unit(written:))
    }

    /// How well a value is the field: the least rank, in the order of its numbers, is the best; nil if it is none.
    func rank(of value: NamedValue, isDay: Bool) -> [Int]? {
        let own = value.unit(of: unit?.quantity)
        var ranks: [[Int]] = []
        for (index, phrase) in phrases.enumerated() where phrase.contains(where: { !$0.isDisjoint(with: value.words) })
        {
            guard phrase.allSatisfy({ !$0.isDisjoint(with: value.words) || !$0.isDisjoint(with: value.context) }) else {
                continue
            }
            let others = value.words.filter { word in
                !phrase.contains { $0.contains(word) } && !ContractWords.isOther(word) && word != own?.word
            }
            // The greatest value of a day is the one that the contract has.
            guard others.isEmpty || isDay && others == ["max"] else { continue }
            let isOther = own != nil && own?.unit.name != unit?.name
            ranks.append([isTime ? value.survey.timeForm?.order ?? 0 : others.count, isOther ? 1 : 0, index])
        }
        return value.fits(schema) ? ranks.min { $0.lexicographicallyPrecedes($1) } : nil
    }

    /// Whether a range of numbers is plausible for the field, if these are in a unit.
    func holds(_ range: ClosedRange<Double>, in unit: MappedUnit) -> Bool {
        guard let target = self.unit, let least = schema["minimum"]?.doubleValue,
            let greatest = schema["maximum"]?.doubleValue
        else { return true }
        return least <= unit.convert(range.lowerBound, to: target)
            && unit.convert(range.upperBound, to: target) <= greatest
    }
}
