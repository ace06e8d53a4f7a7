extension FixedDateFormat {
    /// A part of a date, or text between the parts.
    package enum Field: Equatable {
        package enum ZoneStyle { case basic, extended, named, hours }

        case literal(String)
        case year(minimumDigits: Int)
        case month(minimumDigits: Int)
        case monthName(isFull: Bool)
        case day(minimumDigits: Int)
        case hour(minimumDigits: Int)
        case hourOfHalf(minimumDigits: Int)
        case half
        case minute(minimumDigits: Int)
        case second(minimumDigits: Int)
        case fraction(digits: Int)
        case weekdayName(isFull: Bool)
        case zone(ZoneStyle, spellsUTC: Bool)

        /// How many decimals of the second the field shows.
        var decimals: Int {
            if case .fraction(let digits) = self { digits } else { 0 }
        }

        /// The field that `count` times `letter` stands for.
        init?(letter: Character, count: Int) {
            switch (letter, count) {
            case ("y", 1), ("y", 4): self = .year(minimumDigits: count)
            case ("M", 1...2): self = .month(minimumDigits: count)
            case ("M", 3...4): self = .monthName(isFull: count == 4)
            case ("d", 1...2): self = .day(minimumDigits: count)
            case ("H", 1...2): self = .hour(minimumDigits: count)
            case ("h", 1...2): self = .hourOfHalf(minimumDigits: count)
            case ("a", 1...3): self = .half
            case ("m", 1...2): self = .minute(minimumDigits: count)
            case ("s", 1...2): self = .second(minimumDigits: count)
            case ("S", 1...9): self = .fraction(digits: count)
            case ("E", 1...4), ("e", 3...4): self = .weekdayName(isFull: count == 4)
            case ("Z", 1...3): self = .zone(.basic, spellsUTC: false)
            case ("Z", 4): self = .zone(.named, spellsUTC: false)
            case ("Z", 5): self = .zone(.extended, spellsUTC: true)
            case ("X", 1), ("x", 1): self = .zone(.hours, spellsUTC: letter == "X")
            case ("X", 2), ("x", 2): self = .zone(.basic, spellsUTC: letter == "X")
            case ("X", 3), ("x", 3): self = .zone(.extended, spellsUTC: letter == "X")
            default: return nil
            }
        }
    }

    package static func fields(of pattern: String) throws(InvalidPattern) -> [Field] {
        var fields: [Field] = []
        var rest = pattern[...]
        while let character = rest.first {
            if character == "'" {
                fields.append(.literal(try quoted(&rest)))
            } else if character.isASCII, character.isLetter {
                let run = rest.prefix { $0 == character }
                guard let field = Field(letter: character, count: run.count) else {
                    throw .unsupportedField(String(run))
                }
                fields.append(field)
                rest.removeFirst(run.count)
            } else {
                fields.append(.literal(String(character)))
                rest.removeFirst()
            }
        }
        guard fields.contains(where: \.isYear), fields.contains(where: \.isMonth), fields.contains(where: \.isDay)
        else { throw .incompleteDate }
        return fields
    }

    /// Consumes a text in apostrophes; two apostrophes are one, inside of such a text and outside.
    private static func quoted(_ rest: inout Substring) throws(InvalidPattern) -> String {
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character != "'" {
                text.append(character)
            } else if rest.first == "'", !text.isEmpty {
                text.append("'")
                rest.removeFirst()
            } else {
                return text.isEmpty ? "'" : text
            }
        }
        throw .unterminatedText
    }
}

extension FixedDateFormat.Field {
    fileprivate var isYear: Bool {
        if case .year = self { true } else { false }
    }

    fileprivate var isMonth: Bool {
        switch self {
        case .month, .monthName: true
        default: false
        }
    }

    fileprivate var isDay: Bool {
        if case .day = self { true } else { false }
    }
}
