/// A set of fields of one table.
struct FieldSet {
    static let capacity = 128
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    var isEmpty: Bool { low | high == 0 }

    @inline(__always)
    func contains(_ index: Int) -> Bool { (index < 64 ? low &>> index : high &>> (index - 64)) & 1 == 1 }

    @inline(__always)
    mutating func insert(_ index: Int) {
        if index < 64 { low |= 1 &<< index } else { high |= 1 &<< (index - 64) }
    }

    mutating func remove(_ index: Int) {
        if index < 64 { low &= ~(1 &<< index) } else { high &= ~(1 &<< (index - 64)) }
    }

    func subtracting(_ other: FieldSet) -> FieldSet {
        var rest = self
        rest.low &= ~other.low
        rest.high &= ~other.high
        return rest
    }
}
