extension JSONWriter {
    /// Writes an integer.
    public mutating func write(_ value: Int64) {
        if value < 0 { write(byte: UInt8(ascii: "-")) }
        write(value.magnitude)
    }

    /// Writes an integer.
    public mutating func write(_ value: UInt64) { write(digits: value, pointBefore: 0) }

    /// Writes a double in the shortest form that reads back as the same double, integers without `.0`.
    ///
    /// JSON has no NaN and no infinities; they are written as `null`.
    public mutating func write(_ value: Double) {
        guard value.isFinite else { return writeNull() }
        if value.sign == .minus { write(byte: UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        if magnitude < 1e15 {
            var scale = 1.0
            for places in 0...6 {
                let digits = (magnitude * scale).rounded()
                // A decimal of up to 15 digits that reads back as the value is the only shortest one.
                if digits < 1e15, digits / scale == magnitude {
                    return write(digits: UInt64(digits), pointBefore: places)
                }
                scale *= 10
            }
        }
        writeDescription(of: magnitude)
    }

    /// Writes `value` in decimal with a point before its last `places` digits.
    private mutating func write(digits value: UInt64, pointBefore places: Int) {
        var value = value
        let room = reserve(24)
        // The digits are made from the last to the first, at the end of the room, and then moved to its start.
        var index = 24
        var made = 0
        repeat {
            if made == places, places > 0 {
                index -= 1
                room[index] = UInt8(ascii: ".")
            }
            let (quotient, digit) = value.quotientAndRemainder(dividingBy: 10)
            index -= 1
            room[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            value = quotient
            made += 1
        } while value > 0 || made <= places
        let length = 24 - index
        for position in 0..<length { room[position] = room[index + position] }
        advance(by: length)
    }

    /// The standard library's shortest form, in JSON's spelling: `1e+21` as `1e21`, `1e-07` as `1e-7`.
    private mutating func writeDescription(of magnitude: Double) {
        let description = magnitude.description.split(separator: "e")
        var digits = description[0].hasSuffix(".0") ? description[0].dropLast(2) : description[0]
        guard description.count > 1, let exponent = Int(description[1]) else { return write(raw: Array(digits.utf8)) }
        if (0..<21).contains(exponent) {
            // Integers print as integers, as far as ECMAScript prints them so.
            let places = digits.utf8.count - (digits.contains(".") ? 2 : 1)
            if let point = digits.firstIndex(of: ".") { digits.remove(at: point) }
            write(raw: Array(digits.utf8))
            for _ in 0..<max(0, exponent - places) { write(byte: UInt8(ascii: "0")) }
            return
        }
        write(raw: Array("\(digits)e\(exponent)".utf8))
    }
}
