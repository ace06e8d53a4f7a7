/// How far a value has been written.
struct EncodingLevel {
    enum Kind { case nothing, scalar, object, array }

    var kind = Kind.nothing
    /// The number of elements or members.
    var count = 0
    /// The numbers of the keys written, below 256.
    private var lowKeys = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    private var highKeys: Set<Int>?

    /// Notes that a key was written; false if it was before.
    @inline(__always)
    mutating func insertKey(_ number: Int) -> Bool {
        let bit = UInt64(1) << UInt64(truncatingIfNeeded: number & 63)
        switch number >> 6 {
        case 0: return Self.insert(bit, into: &lowKeys.0)
        case 1: return Self.insert(bit, into: &lowKeys.1)
        case 2: return Self.insert(bit, into: &lowKeys.2)
        case 3: return Self.insert(bit, into: &lowKeys.3)
        default: return insertHighKey(number)
        }
    }

    @inline(__always)
    private static func insert(_ bit: UInt64, into keys: inout UInt64) -> Bool {
        let isNew = keys & bit == 0
        keys |= bit
        return isNew
    }

    @inline(never)
    private mutating func insertHighKey(_ number: Int) -> Bool {
        var keys = highKeys.take() ?? []
        defer { highKeys = keys }
        return keys.insert(number).inserted
    }
}
