import JMESPath
import JSONText
package import Records

/// The differences between the documents of two surveys.
package struct SurveyComparison {
    /// The kind of a change at a place: `form` is about texts, and `scale` about all numbers.
    package enum Kind: String, Sendable { case gone, new, type, null, absent, value, form, scale, unit }

    /// A difference.
    package struct Change: Sendable {
        package let kind: Kind
        /// The place, such as `items[].id`.
        package let place: String
        /// The names of the members, nil for any; elements have the path of their array.
        let path: [String?]
        let detail: String

        /// The change on a line: `type    items[].id: string, was number`.
        package var line: String {
            let kind = kind.rawValue
            return kind + String(repeating: " ", count: 8 - kind.count) + place + (detail.isEmpty ? "" : ": " + detail)
        }

        /// The change as JSON.
        package var json: JSONValue {
            var json: JSONValue = ["change": .string(kind.rawValue), "place": .string(place)]
            if !detail.isEmpty { json["detail"] = .string(detail) }
            return json
        }

        /// Whether the change may alter a value that is read at a path.
        package func concerns(_ reading: [String?]) -> Bool {
            func areAlike(_ first: ArraySlice<String?>, _ second: ArraySlice<String?>) -> Bool {
                first.count == second.count && zip(first, second).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
            }
            switch kind {
            case .new, .null, .absent, .value: return false
            case .gone: return areAlike(path[...], reading.prefix(path.count))
            case .type, .form, .scale: return areAlike(path[...], reading[...])
            case .unit:
                if areAlike(path[...], reading[...]) { return true }
                // A text with a unit is that of a member beside it, or of one of the same name below another parent.
                guard path.contains(where: { $0.map(MemberWords.init)?.isUnit == true }) else { return false }
                return areAlike(path.dropLast(), reading.dropLast()) || path.last == reading.last
            }
        }
    }

    private struct Place {
        var text = DocumentPath(maximumBytes: 1024)
        var path: [String?] = []
        /// What the name says; whether it or one before says that the value is a unit.
        var words = MemberWords(""), isUnit = false

        func member(_ name: String?) -> Place {
            let words = MemberWords(name ?? "")
            var place = Place(text: text, path: path + [name], words: words, isUnit: isUnit || words.isUnit)
            place.text.append(member: name ?? "*")
            return place
        }
    }

    /// The new values of an enumeration that a line names.
    private static let maximumValues = 5

    /// The changes, in the order of the old documents.
    package private(set) var changes: [Change] = []

    /// The integers that became fractions, which matter to those who read integers alone.
    package private(set) var fractions: [Change] = []
    private let maps: [[String?]]

    /// Compares two surveys; `readings` are the paths that routes read, nil in them for all members of a map.
    package init(from old: ShapeSurvey, to new: ShapeSurvey, readings: [[String?]] = []) {
        maps = readings.filter { $0.last == .some(nil) }.map { $0.dropLast() }
        compare(old.root, new.root, Place())
    }

    private mutating func note(_ kind: Kind, _ place: Place, _ detail: String = "") {
        let detail = detail.withoutControlCharacters
        changes.append(Change(kind: kind, place: shown(place), path: place.path, detail: detail))
    }

    private func shown(_ place: Place) -> String {
        (place.text.text.isEmpty ? "the document" : place.text.text).withoutControlCharacters
    }

    private mutating func compare(_ old: ValueSurvey, _ new: ValueSurvey, _ place: Place) {
        if !old.kinds.isEmpty, new.kinds.contains(where: { !old.kinds.contains($0) }) {
            note(.type, place, "\(Self.words(new)), was \(Self.words(old))")
        }
        if old[.null] == 0, new[.null] > 0 { note(.null, place, "\(new[.null]) of \(new.count)") }
        if place.isUnit, let change = old.texts.changeOfUnit(to: new.texts) {
            note(.unit, place, change)
        } else if let words = old.texts.words, let others = new.texts.distinct?.subtracting(words), !others.isEmpty {
            note(.value, place, others.sorted().prefix(Self.maximumValues).joined(separator: ", "))
        } else if let change = old.texts.changeOfForm(to: new.texts, place.words) {
            note(.form, place, change)
        }
        for (before, now) in [(old.numbers, new.numbers), (old.texts.numbers, new.texts.numbers)] {
            if let change = before.change(to: now, place.words) { note(change.kind, place, change.detail) }
            if before.count > 0, before.integers == before.count, now.integers < now.count {
                let path = place.path + [ReadMembers.integer]
                fractions.append(
                    Change(kind: .type, place: shown(place), path: path, detail: "fractions, were integers"))
            }
        }
        if !old.columns.isEmpty, !new.columns.isEmpty {
            for index in 0..<max(old.columns.count, new.columns.count) {
                var column = place
                column.path.append(ReadMembers.column(index))
                column.text.append(index: index)
                switch (old.columns.dropFirst(index).first, new.columns.dropFirst(index).first) {
                case (let before?, let now?): compare(before, now, column)
                case (_?, nil): note(.gone, column)
                case (nil, let now): note(.new, column, now.map(Self.words) ?? "")
                }
            }
        } else if let before = old.elements, let now = new.elements {
            var place = place
            place.text.appendAnyElement()
            compare(before, now, place)
        }
        if old[.object] > 0, new[.object] > 0, !old.isCut, !new.isCut { compareMembers(old, new, place) }
    }

    private mutating func compareMembers(_ old: ValueSurvey, _ new: ValueSurvey, _ outer: Place) {
        if old.keysAreData || new.keysAreData || maps.contains(outer.path) {
            return compare(old.allValues, new.allValues, outer.member(nil))
        }
        let first = changes.count
        let gone = old.names.filter { new.member($0) == nil }.map { ($0, MemberWords($0)) }
        for name in old.names + new.names.filter({ old.member($0) == nil }) {
            let place = outer.member(name)
            switch (old.member(name), new.member(name)) {
            case (let before?, let now?):
                if before.count >= old[.object], now.count < new[.object] {
                    note(.absent, place, "in \(new[.object] - now.count) of \(new[.object])")
                }
                compare(before, now, place)
            case (_?, nil): note(.gone, place)
            case (nil, let now):
                let former = gone.lazy.compactMap { place.words.changeOfUnit(from: $0.1, called: $0.0) }.first
                note(former == nil ? .new : .unit, place, former ?? now.map(Self.words) ?? "")
            }
        }
        // A warmer day looks like another unit, but not in most temperatures of an object.
        let isGuess = { (change: Change) in
            change.detail.hasPrefix(NumberSurvey.guess) && change.path.count == outer.path.count + 1
                && MemberWords((change.path.last ?? nil) ?? "").quantity == .temperature
        }
        let temperatures = old.names.count { name in
            MemberWords(name).quantity == .temperature && old.member(name)?.numbers.isEnough == true
        }
        if changes[first...].count(where: isGuess) * 2 <= temperatures { changes[first...].removeAll(where: isGuess) }
    }

    private static func words(_ survey: ValueSurvey) -> String {
        survey.kinds.isEmpty ? "null" : survey.kinds.map { "\($0)" }.joined(separator: " or ")
    }
}

// What texts, numbers and names say of a form, a scale or a unit that changed.

extension TextSurvey {
    /// Returns the change of the form that all texts had: `dd/MM/yyyy, was ISO 8601`; nil for none.
    fileprivate func changeOfForm(to new: TextSurvey, _ words: MemberWords) -> String? {
        guard ordinary > 0, let form = commonForms.first else { return nil }
        if form.name == TextForm.numbers, !areNumbers(words) { return nil }
        if new.ordinary == 0 {
            let others = new.none.keys.filter { none[$0] == nil }.sorted().map { "\"\($0)\"" }
            return others.isEmpty ? nil : "\(others.joined(separator: ", ")), was \(form.title)"
        }
        let kept = Set(new.commonForms.map(\.title))
        // Of the first four, a text has one or none.
        let isDistinct = TextForm.all.prefix(4).contains { $0.title == form.title }
        let isKept = (isDistinct ? [form] : commonForms).contains { kept.contains($0.title) }
        return isKept ? nil : "\(new.commonForms.first?.title ?? "of no known form"), was \(form.title)"
    }

    /// Returns the change of the units that the texts name: `degF, was degC`; nil for none.
    fileprivate func changeOfUnit(to new: TextSurvey) -> String? {
        let before = (distinct ?? []).sorted().compactMap(MappedUnit.named)
        let now = (new.distinct ?? []).sorted().compactMap(MappedUnit.named)
        let unit = now.first { unit in !before.contains { $0.name == unit.name } }
        return before.first { $0.quantity == unit?.quantity }.flatMap { old in
            unit.map { "\($0.name), was \(old.name)" }
        }
    }
}

extension NumberSurvey {
    fileprivate static let guess = "looks like "

    fileprivate var isEnough: Bool { count >= 8 && least < greatest }

    /// The unit in which all numbers are times of the years 2000 to 2099; nil for none.
    private var timeUnit: String? {
        zip(["seconds", "milliseconds", "microseconds", "nanoseconds"], [1, 1e3, 1e6, 1e9]).first {
            Self.years.contains(least / $0.1) && Self.years.contains(greatest / $0.1)
        }?.0
    }

    /// Returns the change of the scale or the unit of all numbers; nil for none.
    fileprivate func change(
        to new: NumberSurvey, _ words: MemberWords
    ) -> (kind: SurveyComparison.Kind, detail: String)? {
        if words.isIdentifier { return nil }
        let isEnough = isEnough && new.isEnough
        if let before = timeUnit, let now = new.timeUnit, before != now, words.isTime || isEnough {
            return (.scale, "\(now) since 1970, was \(before)")
        }
        guard isEnough, !words.isTime else { return nil }
        for (small, large, way) in [(self, new, "larger"), (new, self, "smaller")]
        where words.isRatio && 0...1 ~= small.least && 0...1 ~= small.greatest && small.integers < small.count
            && large.least >= 0 && 1.5...100 ~= large.greatest
        {
            return (.scale, "100 times \(way)")
        }
        guard new.least > greatest || new.greatest < least else { return nil }
        let quantities = words.quantity.map { [$0] } ?? [.temperature, .pressure]
        for before in MappedUnit.all where quantities.contains(before.quantity) {
            for now in MappedUnit.all where now.quantity == before.quantity && now.name != before.name {
                if looksChanged(new, from: before, to: now, isNamed: words.quantity != nil) {
                    return (.unit, "\(Self.guess)\(now.name), was \(before.name)")
                }
            }
        }
        return nil
    }

    /// Whether the numbers are those of a unit, and the new ones those of another; without a name that says the quantity,
    /// few pairs of units are far enough from a change of the values themselves.
    private func looksChanged(
        _ new: NumberSurvey, from before: MappedUnit, to now: MappedUnit, isNamed: Bool
    ) -> Bool {
        let ratio = before.value(1) / now.value(1)
        switch before.quantity {
        case .temperature where !isNamed:
            return [before.name, now.name].contains("K") && meets(new, in: before, now)
        case .temperature: return meets(new, in: before, now)
        case .pressure where !(0.8...1.25 ~= ratio):
            let ofAir = 85_000.0...110_000.0
            return [(self, before), (new, now)].allSatisfy {
                ofAir.contains($1.value($0.least)) && ofAir.contains($1.value($0.greatest))
            }
        // A factor between is as likely the weather.
        default: return isNamed && !(0.002...500 ~= ratio) && meets(new, in: before, now)
        }
    }

    /// Whether both ends of the range, converted, are near those of the other range.
    private func meets(_ new: NumberSurvey, in before: MappedUnit, _ now: MappedUnit) -> Bool {
        let (low, high) = (now.value(new.least), now.value(new.greatest))
        return max((before.value(least) - low).magnitude, (before.value(greatest) - high).magnitude) <= (high - low) / 4
    }
}

extension MappedUnit {
    /// A number of the unit in the first unit of the quantity, about.
    fileprivate func value(_ number: Double) -> Double {
        (number + Double(shift) / 100) * Double(numerator) / Double(denominator)
    }
}

extension MemberWords {
    /// Returns the change of the unit that the name says, if the other words are the same.
    fileprivate func changeOfUnit(from old: MemberWords, called name: String) -> String? {
        guard let now = unit?.unit, let before = old.unit?.unit, now.quantity == before.quantity,
            now.name != before.name, words.dropLast() == old.words.dropLast()
        else { return nil }
        return "\(now.name), was \(before.name) in \(name)"
    }
}

extension String {
    /// The text with JSON's escapes in place of characters that command a terminal, break a line or turn the direction.
    package var withoutControlCharacters: String {
        let isPlain: (Unicode.Scalar) -> Bool = {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        if unicodeScalars.allSatisfy(isPlain) { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if isPlain(scalar) { return text.unicodeScalars.append(scalar) }
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }
}
