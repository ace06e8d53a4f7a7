/// A set of fields of one table, by their indices: at most 128.
struct FieldSet {
    static let capacity = 128
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

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

    /// The fields below `count` whose `bit` is 1; a bit is 0 or 1.
    @inline(__always)
    init(below count: Int, bit: (Int) -> UInt8) {
        // Doubling from the last field down avoids shifts by a variable.
        var index = count
        while index > 64 {
            index &-= 1
            high = high &+ high &+ UInt64(bit(index))
        }
        while index > 0 {
            index &-= 1
            low = low &+ low &+ UInt64(bit(index))
        }
    }

    @inline(__always)
    func forEach(_ body: (Int) -> Void) {
        var rest = low
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
        rest = high
        while rest != 0 {
            body(64 + rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
    }

    func subtracting(_ other: FieldSet) -> FieldSet {
        var rest = self
        rest.low &= ~other.low
        rest.high &= ~other.high
        return rest
    }
}
