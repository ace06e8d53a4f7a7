// Unsafe: passes the room that the writer has reserved to the C functions, which write fewer bytes than that.
import CScan

extension JSONWriter {
    /// Writes an integer.
    public mutating func write(_ value: Int64) {
        if value < 0 { write(byte: UInt8(ascii: "-")) }
        write(value.magnitude)
    }

    /// Writes an integer.
    public mutating func write(_ value: UInt64) { advance(by: weir_write_decimal(reserve(20), value)) }

    /// Writes a double in the shortest form that reads back as the same double, an integer without `.0`.
    ///
    /// NaN and infinities, which JSON lacks, are written as `null`.
    ///
    ///     writer.write(10.0)  // 10
    ///     writer.write(0.1)  // 0.1
    public mutating func write(_ value: Double) {
        let length = weir_write_short_double(reserve(24), value)
        if length > 0 { return advance(by: length) }
        guard value.isFinite else { return writeNull() }
        var description = value.description
        description.withUTF8 { write(description: $0) }
    }

    /// Writes a double rounded to `places` decimals, half away from zero; returns false, without writing anything, for more
    /// than four places or a number of 10^11 or more.
    ///
    /// One step takes 0.6 of the instructions of rounding a double and then finding its shortest form.
    package mutating func write(_ value: Double, places: Int) -> Bool {
        let length = weir_write_rounded(reserve(24), value, places)
        advance(by: length)
        return length > 0
    }

    /// Writes the standard library's shortest form as ECMAScript spells it: `1e+16` as `10000000000000000`, `1e-06` as
    /// `0.000001`, `1.5e-07` as `1.5e-7`.
    private mutating func write(description text: UnsafeBufferPointer<UInt8>) {
        let mark = text.firstIndex(of: UInt8(ascii: "e")) ?? text.count
        let isIntegral = mark > 2 && text[mark - 2] == UInt8(ascii: ".") && text[mark - 1] == UInt8(ascii: "0")
        let mantissa = text[..<(isIntegral ? mark - 2 : mark)]
        guard let exponent = Int(String(decoding: text[min(mark + 1, text.count)...], as: UTF8.self)) else {
            return write(raw: UnsafeBufferPointer(rebasing: mantissa))
        }
        let digits = mantissa.lazy.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let places = digits.count - 1 - exponent
        if mantissa[0] == UInt8(ascii: "-") { write(byte: UInt8(ascii: "-")) }
        if exponent < 0, places <= 6 {
            write(raw: "0.")
            for _ in digits.count..<places { write(byte: UInt8(ascii: "0")) }
            for digit in digits { write(byte: digit) }
        } else if 0..<21 ~= exponent {
            for digit in digits { write(byte: digit) }
            for _ in 0..<(-places) { write(byte: UInt8(ascii: "0")) }
        } else {
            write(raw: UnsafeBufferPointer(rebasing: mantissa.drop { $0 == UInt8(ascii: "-") }))
            write(byte: UInt8(ascii: "e"))
            write(Int64(exponent))
        }
    }
}
