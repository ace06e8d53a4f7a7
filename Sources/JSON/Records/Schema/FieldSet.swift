/// A set of fields of one table, by their indices: at most 128.
struct FieldSet {
    static let capacity = 128
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    var isEmpty: Bool { low | high == 0 }

    @inline(__always)
    func contains(_ index: Int) -> Bool { (index < 64 ? low &>> index : high &>> (index - 64)) & 1 == 1 }

    /// Adds a field; returns false if the set contains it already.
    @inline(__always) @discardableResult
    mutating func insert(_ index: Int) -> Bool {
        let bit: UInt64 = 1 &<< index
        if index < 64 {
            if low & bit != 0 { return false }
            low |= bit
        } else {
            if high & bit != 0 { return false }
            high |= bit
        }
        return true
    }

    /// The fields below `count` whose `bit` is 1; a bit is 0 or 1.
    @inline(__always)
    init(below count: Int, bit: (Int) -> UInt8) {
        low = Self.bits(from: 0, to: min(count, 64), bit)
        if count > 64 { high = Self.bits(from: 64, to: count, bit) }
    }

    /// Doubling from the last field down avoids shifts by a variable.
    @inline(__always)
    private static func bits(from first: Int, to end: Int, _ bit: (Int) -> UInt8) -> UInt64 {
        var bits: UInt64 = 0
        var index = end
        @inline(__always) func next() {
            index &-= 1
            bits = bits &+ bits &+ UInt64(bit(index))
        }
        while index & 3 != first & 3 { next() }
        while index > first {
            next()
            next()
            next()
            next()
        }
        return bits
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
