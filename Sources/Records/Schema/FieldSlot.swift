import JSONText

/// One field as the reader and the writer use it.
///
/// Plain bits, so that going through a table costs no reference counting, and few of them, so that a table stays in the
/// cache.
struct FieldSlot {
    /// What the switch over a field's type knows.
    enum Layout: UInt8 {
        case double, optionalDouble, seconds, optionalSeconds, int, optionalInt, bool, optionalBool, string
        case optionalString, composite

        /// Whether the field is an optional number, which has a tag.
        var isOptionalNumber: Bool { self == .optionalDouble || self == .optionalSeconds || self == .optionalInt }
    }

    let offset: Int32
    let layout: Layout
    let isRequired: Bool
    /// Whether a number goes in as it is, whatever it is.
    let takesAnyNumber: Bool
    /// The number of the dimension, or -1.
    let dimension: Int8
    /// The length of the longest text that means "no value", or -1.
    let longestAbsentText: Int32
    /// `,"name":`, so that writing a key is one copy.
    let key: PaddedText

    init(offset: Int, storage: FieldStorage, isOptional: Bool, rules: FieldRules, key: PaddedText) {
        self.offset = Int32(offset)
        layout =
            switch storage {
            case .double: isOptional ? .optionalDouble : .double
            case .seconds: isOptional ? .optionalSeconds : .seconds
            case .int: isOptional ? .optionalInt : .int
            case .bool: isOptional ? .optionalBool : .bool
            case .string: isOptional ? .optionalString : .string
            case .composite: .composite
            }
        isRequired = rules.isRequired
        takesAnyNumber = rules.absentNumbers.isEmpty && rules.plausible == nil
        dimension = rules.dimension?.number ?? -1
        longestAbsentText = Int32(clamping: rules.absentStrings.map(\.utf8.count).max() ?? -1)
        self.key = key
    }

    /// The name as it stands in the key, escapes and all.
    @inline(__always)
    var name: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: key.start + 2, count: key.count &- 4) }

    /// Where the field lies in the record at `record`.
    @inline(__always)
    func place(in record: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer { record + Int(offset) }

    /// Where the field lies in the record at `record`.
    @inline(__always)
    func place(in record: UnsafeRawPointer) -> UnsafeRawPointer { record + Int(offset) }
}

/// The numbers that a field takes without a second look.
struct NumberBounds {
    /// A number that means "no value"; NaN, which equals nothing, for none.
    let absent: Double
    let lowest: Double, highest: Double

    init(_ rules: FieldRules, in units: Units) {
        // With several sentinels every number gets the second look.
        let looksTwice = rules.absentNumbers.count > 1
        let plausible = rules.plausible(in: units)
        absent = rules.absentNumbers.first ?? .nan
        lowest = looksTwice ? .infinity : plausible?.lowerBound ?? -.infinity
        highest = plausible?.upperBound ?? .infinity
    }

    @inline(__always)
    func allow(_ number: Double) -> Bool { number != absent && number >= lowest && number <= highest }
}

/// Where an optional number says whether it is there: in a byte behind its eight, of which the lowest bit is 1 for nil.
///
/// A record has many fields and a document few of them: those are found by these bits alone.
enum OptionalTag {
    /// How far behind the number's first byte the tag lies; nil where this platform lays optionals out otherwise.
    static let offset: Int? = {
        let place = MemoryLayout<Double>.size
        let numbers: [Double?] = [0, -1, .nan, .infinity, Double(bitPattern: .max), Double(bitPattern: 1)]
        let integers: [Int?] = [0, -1, .max, .min, 1]
        let isAsExpected =
            numbers.allSatisfy { bit($0, place) == 0 } && integers.allSatisfy { bit($0, place) == 0 }
            && bit(Double?.none, place) == 1 && bit(Int?.none, place) == 1
        return isAsExpected ? place : nil
    }()

    private static func bit<Value>(_ value: Value, _ place: Int) -> UInt8 {
        withUnsafeBytes(of: value) { $0[place] & 1 }
    }
}
