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

    /// The standard library's shortest form, in JSON's spelling: `1e+16` as `1e16`, `1e-07` as `1e-7`.
    private mutating func writeDescription(of magnitude: Double) {
        var text = Array(magnitude.description.utf8)
        if text.count > 2, text.suffix(2).elementsEqual(".0".utf8) { text.removeLast(2) }
        if let exponent = text.firstIndex(of: UInt8(ascii: "e")) {
            var digits = exponent + 1
            if text[digits] == UInt8(ascii: "+") { text.remove(at: digits) } else { digits += 1 }
            while digits + 1 < text.count, text[digits] == UInt8(ascii: "0") { text.remove(at: digits) }
        }
        write(raw: text)
    }
}
