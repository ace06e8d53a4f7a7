import Records

/// The units of values: from their names, from texts beside them, or from their ranges.
struct UnitGuess {
    private let lists: [(path: String, survey: ValueSurvey)]
    /// The range of temperatures whose unit nothing names.
    private var temperatures: ClosedRange<Double>?
    /// Whether temperatures are in °F, and other values then likely in the units that go with them.
    private var isOfStates = false

    init(_ guesses: [ForecastDraft.Guess], _ lists: [(path: String, survey: ValueSurvey)]) {
        self.lists = lists
        let all = guesses.filter { $0.field.unit?.quantity == .temperature }
        let ranges = all.filter { said($0) == nil }.map(\.value.survey.numbers).filter { $0.least <= $0.greatest }
        if let least = ranges.map(\.least).min(), let greatest = ranges.map(\.greatest).max() {
            temperatures = least...greatest
        }
        isOfStates = !all.isEmpty && all.allSatisfy { unit(of: $0)?.unit.name == "degF" }
    }

    /// The unit, or the expression for its name, and the evidence; nil for a field without a unit.
    func unit(of guess: ForecastDraft.Guess) -> (from: String, unit: MappedUnit, evidence: String)? {
        guard let target = guess.field.unit, target.quantity != .angle else { return nil }
        if let said = said(guess) { return said }
        func found(_ unit: MappedUnit, _ evidence: String) -> (String, MappedUnit, String) {
            (unit.name, unit, "\(unit.name) \(evidence)")
        }
        if target.quantity == .temperature, let range = temperatures {
            let name = range.lowerBound >= 180 ? "K" : range.upperBound > 45 ? "degF" : "degC"
            let evidence =
                "by all temperatures (\(ForecastDraft.text(range.lowerBound)) … \(ForecastDraft.text(range.upperBound)))"
            return MappedUnit.named(name).map { found($0, evidence + (name == "degC" ? ", but degF would fit" : "")) }
        }
        let range = guess.value.survey.numbers.range
        if isOfStates, let unit = guess.field.unitOfStates, unit.name != target.name,
            guess.field.holds(range, in: unit)
        {
            return found(unit, "is a guess, as temperatures are in degF")
        }
        let isSure = [.ratio, .pressure].contains(target.quantity) && range.upperBound > 10
        if guess.field.holds(range, in: target) { return found(target, isSure ? "by its range" : "is a guess") }
        return MappedUnit.all.first {
            $0.quantity == target.quantity && $0.name != "ms" && guess.field.holds(range, in: $0)
        }
        .map { found($0, isSure ? "by its range" : "is a guess by its range") }
    }

    /// The unit that the name of a value or a text says.
    private func said(_ guess: ForecastDraft.Guess) -> (from: String, unit: MappedUnit, evidence: String)? {
        let value = guess.value, quantity = guess.field.unit?.quantity
        if let unit = value.unit(of: quantity)?.unit, guess.field.holds(value.survey.numbers.range, in: unit) {
            return (unit.name, unit, "\(unit.name) by its name")
        }
        if let beside = value.unitBeside, beside.to.quantity == quantity {
            return ("(\(beside.expression))", beside.to, "its unit is beside it")
        }
        let known = lists.compactMap { list in
            list.survey.member(value.name)?.texts.distinct?.compactMap(MappedUnit.named).first.map { (list.path, $0) }
        }.filter { $0.1.quantity == quantity }
        let near = known.first { $0.0.hasPrefix(guess.place) }
        guard let (path, unit) = near ?? known.first else { return nil }
        let place = ShapeGuess.path(path, value.name)
        return ("($.\(place))", unit, "\(unit.name) by \(place)")
    }
}
