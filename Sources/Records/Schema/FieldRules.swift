package import JSONText

/// What a field's table line says beyond its name and type.
///
///     let number = rules.coerces ? node.double ?? node.numericStringAsDouble : node.double
///     if let number, rules.absentNumbers.contains(number) { print("no value") }
public struct FieldRules: Sendable {
    /// Other spellings of the key in the input, tried like the output key.
    ///
    ///     rules.spellings  // ["expiry"] of Field(\.expires, .or("expiry"))
    public internal(set) var spellings: [String] = []
    /// Whether the document fails, or the element that holds the field is invalid, when the field is not there.
    ///
    ///     rules.isRequired  // true of Field(\.expires, .required)
    public internal(set) var isRequired = false
    /// Whether elements that do not decode are removed and counted, instead of failing their array.
    ///
    ///     rules.dropsInvalid  // true of Field(\.regions, .dropInvalid)
    public internal(set) var dropsInvalid = false
    /// Whether numbers, booleans and strings that arrive as one another are converted where nothing is lost.
    ///
    ///     rules.coerces  // false of Field(\.title, .exact)
    public internal(set) var coerces = true
    /// How many elements an array may have; those past it are removed and counted.
    ///
    /// Elements can take much more memory than their text.
    ///
    ///     rules.maximumElements  // 100 of Field(\.regions, .atMost(100))
    public internal(set) var maximumElements = 10_000
    /// Numbers that mean "no value".
    ///
    ///     rules.absentNumbers  // [-999] of Field(\.expires, .absent(-999))
    public internal(set) var absentNumbers: [Double] = []
    /// Strings that mean "no value".
    ///
    ///     rules.absentStrings  // ["none"] of Field(\.title, .absent("none"))
    public internal(set) var absentStrings: [String] = []
    /// The numbers that the field can be, in the base units where it has a dimension; others are absent, and reported.
    ///
    ///     rules.plausible  // 0...1 of Field(\.humidity, .plausible(0...1))
    public internal(set) var plausible: ClosedRange<Double>?
    /// What the number measures, for conversion into other units.
    ///
    ///     rules.dimension  // .speed of Field(\.windSpeed, .dimension(.speed))
    public internal(set) var dimension: Dimension?
    /// A sentence about the field for people who read the table or the schema made from it.
    ///
    ///     rules.note  // "for people" of Field(\.title, .note("for people"))
    public internal(set) var note: String?

    /// The rules of a field, in the order in which they were given; a later one may undo an earlier one.
    init(isRequired: Bool, _ rules: [FieldRule]) {
        self.isRequired = isRequired
        for rule in rules { rule.apply(&self) }
    }

    /// The numbers that the field can be in a document of the given system.
    func plausible(in units: Units) -> ClosedRange<Double>? {
        guard let plausible, let dimension, let step = dimension.step(from: .base, to: units) else {
            return plausible
        }
        return step(plausible)
    }

    /// Whether the node is a number or a string that means "no value".
    package func meanAbsent(_ node: JSONNode) -> Bool {
        if node.isString { return absentStrings.contains { node.equals($0) } }
        return !absentNumbers.isEmpty && node.double.map(absentNumbers.contains) == true
    }
}

/// One rule of a field's table line.
///
///     Field(\.expires, .or("expiry"), .absent(-999), .note("when the alert ends"))
public struct FieldRule: Sendable {
    let apply: @Sendable (inout FieldRules) -> Void

    /// Another spelling of the key in the input.
    ///
    ///     Field(\.expires, .or("expiry", "end"))
    public static func or(_ spellings: String...) -> FieldRule { FieldRule { $0.spellings += spellings } }

    /// The field must be there, though its type is optional.
    ///
    ///     Field(\.expires, .required)
    public static var required: FieldRule { FieldRule { $0.isRequired = true } }

    /// The field may be missing or wrong though its type is not optional: the blank's value stands.
    ///
    ///     Field(\.latitude, .defaulted)
    public static var defaulted: FieldRule { FieldRule { $0.isRequired = false } }

    /// Elements that do not decode are removed and counted.
    ///
    ///     Field(\.regions, .dropInvalid)
    public static var dropInvalid: FieldRule { FieldRule { $0.dropsInvalid = true } }

    /// How many elements an array may have, by default 10,000.
    ///
    ///     Field(\.regions, .atMost(100))
    public static func atMost(_ count: Int) -> FieldRule { FieldRule { $0.maximumElements = count } }

    /// The value must arrive as what it is: no number from a string, no Boolean from a number.
    ///
    ///     Field(\.latitude, .exact)
    public static var exact: FieldRule { FieldRule { $0.coerces = false } }

    /// Numbers that mean "no value".
    ///
    ///     Field(\.windSpeed, .absent(-999, -9999))
    public static func absent(_ numbers: Double...) -> FieldRule { FieldRule { $0.absentNumbers += numbers } }

    /// Strings that mean "no value".
    ///
    ///     Field(\.title, .absent("", "none"))
    public static func absent(_ strings: String...) -> FieldRule { FieldRule { $0.absentStrings += strings } }

    /// The numbers that the field can be, in the base units where it has a dimension.
    ///
    /// A document in other units is judged by what the range is in those.
    ///
    ///     Field(\.humidity, .plausible(0...1))
    public static func plausible(_ range: ClosedRange<Double>) -> FieldRule { FieldRule { $0.plausible = range } }

    /// What the number measures.
    ///
    ///     Field(\.windSpeed, .dimension(.speed))
    public static func dimension(_ dimension: Dimension) -> FieldRule { FieldRule { $0.dimension = dimension } }

    /// A sentence about the field.
    ///
    ///     Field(\.severity, .note("advisory, watch or warning"))
    public static func note(_ text: String) -> FieldRule { FieldRule { $0.note = text } }
}
