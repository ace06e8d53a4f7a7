/// UTF-8 as RFC 3629 section 4 spells it: no overlong form, no surrogate, nothing above U+10FFFF.
enum UTF8Sequence {
    /// The length of the sequence that starts at `cursor`, whose byte is 0x80 or above; 0 when it is not valid.
    @inline(__always)
    static func length(at cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
        let left = end - cursor
        @inline(__always) func continues(_ index: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            range.contains(cursor[index])
        }
        switch cursor.pointee {
        case 0xC2...0xDF: return left >= 2 && continues(1) ? 2 : 0
        case 0xE0: return left >= 3 && continues(1, 0xA0...0xBF) && continues(2) ? 3 : 0
        case 0xED: return left >= 3 && continues(1, 0x80...0x9F) && continues(2) ? 3 : 0
        case 0xE1...0xEF: return left >= 3 && continues(1) && continues(2) ? 3 : 0
        case 0xF0: return left >= 4 && continues(1, 0x90...0xBF) && continues(2) && continues(3) ? 4 : 0
        case 0xF1...0xF3: return left >= 4 && continues(1) && continues(2) && continues(3) ? 4 : 0
        case 0xF4: return left >= 4 && continues(1, 0x80...0x8F) && continues(2) && continues(3) ? 4 : 0
        default: return 0
        }
    }

    /// The length of the longest beginning of a sequence at `cursor`, which holds no whole one: 1 to 3.
    ///
    /// One U+FFFD stands for that much ("maximal subpart", Unicode 16.0 section 3.9).
    static func lengthOfMaximalSubpart(at cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
        let second: ClosedRange<UInt8>
        let whole: Int
        switch cursor.pointee {
        case 0xE0: (second, whole) = (0xA0...0xBF, 3)
        case 0xED: (second, whole) = (0x80...0x9F, 3)
        case 0xE1...0xEF: (second, whole) = (0x80...0xBF, 3)
        case 0xF0: (second, whole) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, whole) = (0x80...0xBF, 4)
        case 0xF4: (second, whole) = (0x80...0x8F, 4)
        default: return 1
        }
        guard cursor + 1 < end, second.contains(cursor[1]) else { return 1 }
        var length = 2
        while length < whole - 1, cursor + length < end, 0x80...0xBF ~= cursor[length] { length += 1 }
        return length
    }
}
