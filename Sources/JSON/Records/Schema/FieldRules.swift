package import JSONText

/// What the table line of a field says besides its name and type.
public struct FieldRules: Sendable {
    /// Other spellings of the key in the input; they are matched like the output key.
    public internal(set) var spellings: [String] = []
    /// Whether the record cannot be read without the field.
    public internal(set) var isRequired = false
    /// Whether the record cannot be read with a wrong value of the field, which may be absent.
    package internal(set) var mustBeValid = false
    /// Whether elements that cannot be read are dropped and counted, instead of failing their array.
    public internal(set) var dropsInvalid = false
    /// Whether numbers, Booleans and strings that arrive as one another are converted if nothing is lost.
    public internal(set) var coerces = true
    /// The maximum number of elements of an array; elements past it are dropped and counted.
    ///
    /// Elements can take much more memory than their text.
    public internal(set) var maximumElements = 10_000
    /// Numbers that mean "no value".
    public internal(set) var absentNumbers: [Double] = []
    /// Strings that mean "no value".
    public internal(set) var absentStrings: [String] = []
    /// The range of the number, in the base units if it has a dimension; numbers outside it are absent and reported.
    public internal(set) var plausible: ClosedRange<Double>?
    /// The number that some answers have in place of an absent one, below the range.
    public internal(set) var placeholder: Double?
    /// What the number measures, for conversion into other units.
    public internal(set) var dimension: Units.Dimension?
    /// A sentence about the field for readers of the table and of the schema made from it.
    public internal(set) var note: String?
    /// The words that a setting or a parameter takes, and whether each other word is a fault.
    package internal(set) var words: [String] = [], takesOnlyWords = false
    /// The values and the default of a setting in words, where the type and the blank record do not say them.
    package internal(set) var domain: String?, defaultNote: String?
    /// An example as JSON.
    package internal(set) var example: String?
    /// Whether a process keeps the value that a setting had at its start.
    package internal(set) var isFixed = false

    /// The rules of a field in the order in which they were given.
    ///
    /// A later rule may undo an earlier one.
    init(isRequired: Bool, _ rules: [FieldRule]) {
        self.isRequired = isRequired
        for rule in rules { rule.apply(&self) }
    }

    /// Returns the range of the number in a document of the given units.
    func plausible(in units: Units) -> ClosedRange<Double>? {
        guard let plausible, let dimension, let step = dimension.step(from: .base, to: units) else { return plausible }
        return step(plausible)
    }

    /// Returns what a value takes, in words for an error, with the range: `an integer from 1 to 10`.
    @usableFromInline
    func expectation(of type: String) -> String {
        guard let range = plausible else { return type }
        let (lowest, highest) = (
            JSONWriter.text { $0.write(range.lowerBound) }, JSONWriter.text { $0.write(range.upperBound) }
        )
        return "\(type) from \(lowest) to \(highest)"
    }

    /// Returns whether the value is a number or a string that means "no value", as NaN and infinities do.
    package func meanAbsent(_ node: JSONNode) -> Bool {
        if node.isString { return absentStrings.contains { node.equals($0) } }
        return node.isNonFinite || !absentNumbers.isEmpty && node.double.map(absentNumbers.contains) == true
    }
}

extension FieldRules {
    /// No rules.
    package static var none: FieldRules { FieldRules(isRequired: true, []) }

    /// Elements that cannot be read are dropped and counted.
    package static var droppingInvalid: FieldRules { FieldRules(isRequired: true, [.dropInvalid]) }

    /// An id.
    package static let ofID = FieldRules(isRequired: true, [.id])
}

/// One rule of a field's table line.
///
///     Field(\.expires, .or("expiry"), .absent(-999), .note("The time when the alert ends."))
public struct FieldRule: Sendable {
    let apply: @Sendable (inout FieldRules) -> Void

    /// Other spellings of the key in the input.
    public static func or(_ spellings: String...) -> FieldRule { FieldRule { $0.spellings += spellings } }

    /// The record cannot be read without the field, although its type is optional.
    public static var required: FieldRule { FieldRule { $0.isRequired = true } }

    /// The record can be read without the field, although its type is not optional: the blank's value stands.
    public static var defaulted: FieldRule { FieldRule { $0.isRequired = false } }

    /// The record cannot be read with a wrong value of the field, which may be absent.
    package static var mustBeValid: FieldRule { FieldRule { $0.mustBeValid = true } }

    /// Elements that cannot be read are dropped and counted.
    public static var dropInvalid: FieldRule { FieldRule { $0.dropsInvalid = true } }

    /// The maximum number of elements of an array; 10,000 by default.
    public static func atMost(_ count: Int) -> FieldRule { FieldRule { $0.maximumElements = count } }

    /// The value is not converted: no number from a string, no Boolean from a number.
    public static var exact: FieldRule { FieldRule { $0.coerces = false } }

    /// Numbers that mean "no value".
    ///
    ///     Field(\.windSpeed, .absent(-999, -9999))
    public static func absent(_ numbers: Double...) -> FieldRule { FieldRule { $0.absentNumbers += numbers } }

    /// Strings that mean "no value".
    ///
    ///     Field(\.title, .absent("", "none"))
    public static func absent(_ strings: String...) -> FieldRule { FieldRule { $0.absentStrings += strings } }

    /// The value is an id: -1 in either type and an empty text mean "no id".
    package static let id = FieldRule { rules in
        rules.absentNumbers.append(-1)
        rules.absentStrings += ["", "-1"]
    }

    /// The range of the number, in the base units if it has a dimension.
    ///
    /// In a document of other units the range is converted to those.
    ///
    ///     Field(\.humidity, .plausible(0...1))
    public static func plausible(_ range: ClosedRange<Double>) -> FieldRule { FieldRule { $0.plausible = range } }

    /// Answers can have `number` in place of an absent one; schemas allow the number beside the range.
    public static func placeholder(_ number: Double) -> FieldRule { FieldRule { $0.placeholder = number } }

    /// What the number measures.
    ///
    ///     Field(\.windSpeed, .dimension(.speed))
    public static func dimension(_ dimension: Units.Dimension) -> FieldRule { FieldRule { $0.dimension = dimension } }

    /// A sentence about the field.
    ///
    ///     Field(\.severity, .note("One of advisory, watch and warning."))
    public static func note(_ text: String) -> FieldRule { FieldRule { $0.note = text } }
}

// Rules of settings and parameters.
extension FieldRule {
    /// The words that the value is one of.
    package static func oneOf(_ words: [String]) -> FieldRule {
        FieldRule { ($0.words, $0.takesOnlyWords) = (words, true) }
    }

    /// The words that the value is one of, some of which other settings exclude.
    package static func suggests(_ words: [String]) -> FieldRule { FieldRule { $0.words = words } }

    /// The values in words, such as `a path`, and the default in words, such as `the processors of the container`.
    package static func takes(_ domain: String? = nil, orElse defaultNote: String? = nil) -> FieldRule {
        FieldRule {
            $0.domain = domain ?? $0.domain
            $0.defaultNote = defaultNote ?? $0.defaultNote
        }
    }

    /// An example as JSON.
    package static func example(_ json: String) -> FieldRule { FieldRule { $0.example = json } }

    /// A process keeps the value that the setting had at its start.
    package static var fixed: FieldRule { FieldRule { $0.isFixed = true } }
}
