/// Reads the parts of a date from its text, front to back; a failed read leaves the scanner anywhere.
struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    var next: UInt8? { rest.first }

    /// Consumes `byte` if it comes next.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    /// Consumes `text` if it comes next.
    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    /// Consumes one of `characters`, which are ASCII, if it comes next.
    mutating func skip(anyOf characters: StaticString) -> Bool {
        guard let byte = rest.first,
            UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount).contains(byte)
        else { return false }
        rest.removeFirst()
        return true
    }

    /// A number of as many digits as there are, which must be within `count`.
    ///
    /// At most 9 digits are looked at.
    mutating func number(digits count: ClosedRange<Int>) -> Int? {
        var value = 0
        var read = 0
        while read < count.upperBound, let byte = rest.first, byte &- UInt8(ascii: "0") < 10 {
            value = value * 10 + Int(byte &- UInt8(ascii: "0"))
            rest.removeFirst()
            read += 1
        }
        return count.contains(read) ? value : nil
    }

    /// The digits behind a decimal point, however many, as a fraction; digits past the 15th do not count.
    mutating func fraction() -> Double? {
        var value = 0.0
        var scale = 1.0
        var read = 0
        while let byte = rest.first, byte &- UInt8(ascii: "0") < 10 {
            rest.removeFirst()
            read += 1
            guard read <= 15 else { continue }
            value = value * 10 + Double(byte &- UInt8(ascii: "0"))
            scale *= 10
        }
        return read > 0 ? value / scale : nil
    }

    /// The index of the name that comes next, whatever its case.
    mutating func name(of names: [String]) -> Int? {
        for (index, name) in names.enumerated() {
            guard rest.count >= name.utf8.count,
                zip(rest, name.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
            else { continue }
            rest.removeFirst(name.utf8.count)
            return index
        }
        return nil
    }

    /// Seconds ahead of UTC from `Z`, `UTC`, `GMT`, `±hh`, `±hhmm`, `±hh:mm` or `GMT±hh:mm`.
    mutating func zone() -> Int? {
        if skip(anyOf: "Zz") { return 0 }
        let isNamed = name(of: ["UTC", "GMT"]) != nil
        guard let sign = next, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return isNamed ? 0 : nil }
        rest.removeFirst()
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
