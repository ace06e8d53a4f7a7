import CScan

extension JSONWriter {
    /// Writes an integer.
    ///
    ///     writer.write(Int64(-7))  // -7
    public mutating func write(_ value: Int64) {
        if value < 0 { write(byte: UInt8(ascii: "-")) }
        write(value.magnitude)
    }

    /// Writes an integer.
    ///
    ///     writer.write(UInt64.max)  // 18446744073709551615
    public mutating func write(_ value: UInt64) { advance(by: weir_write_decimal(reserve(20), value)) }

    /// Writes a double in the shortest form that reads back as the same double, integers without `.0`.
    ///
    /// JSON has no NaN and no infinities; they are written as `null`.
    ///
    ///     writer.write(10.0)  // 10
    ///     writer.write(0.1)  // 0.1
    public mutating func write(_ value: Double) {
        let length = weir_write_short_double(reserve(24), value)
        if length > 0 { return advance(by: length) }
        writeLong(value)
    }

    @inline(never)
    private mutating func writeLong(_ value: Double) {
        guard value.isFinite else { return writeNull() }
        if value.sign == .minus { write(byte: UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        if magnitude < 1e15, magnitude >= 1e-6 || magnitude == 0 {
            let whole = Int64(magnitude)
            if Double(whole) == magnitude { return write(UInt64(whole)) }
            // Small numbers of many places are shorter with an exponent.
            for places in 1...(magnitude < 1e-4 ? 6 : 20) {
                let scale = Self.powersOfTen[places]
                let scaled = magnitude * scale
                if scaled >= 1e15 { break }
                // A decimal of up to 15 digits that reads back as the value is the only shortest one.
                let digits = Int64(scaled + 0.5)
                if Double(digits) / scale == magnitude { return write(UInt64(digits), pointBefore: places) }
            }
        }
        var description = magnitude.description
        description.withUTF8 { write(description: $0) }
    }

    /// 1 to 1e20, all of them exact.
    private static let powersOfTen: InlineArray<21, Double> = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
    ]

    /// Writes `value` in decimal with a point before its last `places` digits, of which there are at most 20.
    private mutating func write(_ value: UInt64, pointBefore places: Int) {
        let room = reserve(48)
        var length = weir_write_decimal(room, value)
        if places > 0 {
            // Zeros come in front until one digit stands before the point.
            let zeros = max(0, places + 1 - length)
            (room + zeros).update(from: room, count: length)
            room.update(repeating: UInt8(ascii: "0"), count: zeros)
            length += zeros
            (room + (length - places + 1)).update(from: room + (length - places), count: places)
            room[length - places] = UInt8(ascii: ".")
            length += 1
        }
        advance(by: length)
    }

    /// Writes the standard library's shortest form in JSON's spelling: `1e+21` as `1e21`, `1e-07` as `1e-7`.
    private mutating func write(description text: UnsafeBufferPointer<UInt8>) {
        let mark = text.firstIndex(of: UInt8(ascii: "e")) ?? text.count
        let point = text[..<mark].firstIndex(of: UInt8(ascii: ".")) ?? mark
        // Integers have a fraction of `.0` there.
        let isWhole = point + 2 == mark && text[point + 1] == UInt8(ascii: "0")
        let fraction = text[min(point + 1, mark)..<(isWhole ? point + 1 : mark)]
        let exponent = text[min(mark + 1, text.count)...].reduce(0) { exponent, byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? exponent * 10 + Int(byte - UInt8(ascii: "0")) : exponent
        }
        let isSmall = text.contains(UInt8(ascii: "-"))
        write(raw: UnsafeBufferPointer(rebasing: text[..<point]))
        // Integers print as integers, as far as ECMAScript prints them so.
        let isInteger = mark < text.count && !isSmall && exponent < 21
        if !fraction.isEmpty, !isInteger { write(byte: UInt8(ascii: ".")) }
        write(raw: UnsafeBufferPointer(rebasing: fraction))
        if isInteger {
            for _ in 0..<max(0, exponent - fraction.count) { write(byte: UInt8(ascii: "0")) }
        } else if mark < text.count {
            write(raw: isSmall ? "e-" : "e")
            write(UInt64(exponent))
        }
    }
}
