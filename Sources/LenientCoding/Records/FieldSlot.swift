/// One field as the reader and the writer use it: plain bits, so that going through a table costs no reference counting.
struct FieldSlot {
    /// What the switch over a field's type knows.
    enum Layout: UInt8 {
        case double, optionalDouble, int, optionalInt, bool, optionalBool, string, optionalString, composite
    }

    let offset: Int
    let layout: Layout
    let isRequired: Bool
    /// Whether a number goes in as it is, whatever it is.
    let takesAnyNumber: Bool
    /// A number that means "no value"; NaN, which equals nothing, for none.
    let absentNumber: Double
    /// The numbers that the field takes without a second look.
    let lowest: Double, highest: Double
    /// The length of the longest text that means "no value", or -1.
    let longestAbsentText: Int
    let dimension: Dimension?
    /// `,"name":`, so that writing a key is one copy.
    let key: UnsafeBufferPointer<UInt8>
    let name: PlaceName

    init(
        offset: Int, storage: FieldStorage, isOptional: Bool, rules: FieldRules, key: UnsafeBufferPointer<UInt8>,
        name: PlaceName
    ) {
        self.offset = offset
        layout =
            switch storage {
            case .double: isOptional ? .optionalDouble : .double
            case .int: isOptional ? .optionalInt : .int
            case .bool: isOptional ? .optionalBool : .bool
            case .string: isOptional ? .optionalString : .string
            case .composite: .composite
            }
        isRequired = rules.isRequired
        // With several sentinels every number gets the second look.
        let looksTwice = rules.absentNumbers.count > 1
        absentNumber = rules.absentNumbers.first ?? .nan
        lowest = looksTwice ? .infinity : rules.plausible?.lowerBound ?? -.infinity
        highest = rules.plausible?.upperBound ?? .infinity
        takesAnyNumber = rules.absentNumbers.isEmpty && rules.plausible == nil
        longestAbsentText = rules.absentStrings.map(\.utf8.count).max() ?? -1
        dimension = rules.dimension
        self.key = key
        self.name = name
    }
}
