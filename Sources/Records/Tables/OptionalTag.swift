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
