/// Reads the parts of a date from its text, front to back; a failed read leaves the scanner anywhere.
package struct DateScanner {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ text: String) { bytes = Array(text.utf8) }

    package var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Consumes `byte` if it comes next.
    package mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Consumes `text` if it comes next.
    package mutating func skip(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    /// Consumes one of `characters`, which are ASCII, if it comes next.
    package mutating func skip(anyOf characters: StaticString) -> Bool {
        guard let byte = next,
            UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount).contains(byte)
        else { return false }
        position += 1
        return true
    }

    /// A number of as many digits as there are, which must be within `count`.
    ///
    /// At most 9 digits are looked at.
    package mutating func number(digits count: ClosedRange<Int>) -> Int? {
        var value = 0
        var read = 0
        while read < count.upperBound, let byte = next, byte &- UInt8(ascii: "0") < 10 {
            value = value * 10 + Int(byte &- UInt8(ascii: "0"))
            position += 1
            read += 1
        }
        return count.contains(read) ? value : nil
    }

    /// The digits behind a decimal point, however many, as a fraction; digits past the 15th do not count.
    package mutating func fraction() -> Double? {
        var value = 0.0
        var scale = 1.0
        var read = 0
        while let byte = next, byte &- UInt8(ascii: "0") < 10 {
            position += 1
            read += 1
            guard read <= 15 else { continue }
            value = value * 10 + Double(byte &- UInt8(ascii: "0"))
            scale *= 10
        }
        return read > 0 ? value / scale : nil
    }

    /// The index of the name that comes next, whatever its case.
    package mutating func name(of names: [DateName]) -> Int? {
        let start = position
        for (index, name) in names.enumerated() where bytes.count - start >= name.lowercase.count {
            var length = 0
            while length < name.lowercase.count, bytes[start + length] | 0x20 == name.lowercase[length] { length += 1 }
            if length == name.lowercase.count {
                position += length
                return index
            }
        }
        return nil
    }

    /// Seconds ahead of UTC from `Z`, `UTC`, `GMT`, `±hh`, `±hhmm`, `±hh:mm` or `GMT±hh:mm`.
    package mutating func zone() -> Int? {
        if skip(anyOf: "Zz") { return 0 }
        let isNamed = name(of: DateName.zones) != nil
        guard let sign = next, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return isNamed ? 0 : nil }
        position += 1
        guard let hours = number(digits: 2...2), hours <= 23 else { return nil }
        let hasColon = skip(UInt8(ascii: ":"))
        let isDigit = (next ?? 0) &- UInt8(ascii: "0") < 10
        var minutes = 0
        if hasColon || isDigit {
            guard let number = number(digits: 2...2), number <= 59 else { return nil }
            minutes = number
        }
        let seconds = (hours * 60 + minutes) * 60
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
