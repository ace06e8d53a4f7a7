extension String {
    /// The number before the one that the text writes in decimal digits, however many; nil for other texts and for 0.
    var predecessor: String? { stepped(from: UInt8(ascii: "0"), to: UInt8(ascii: "9"), by: -1) }

    /// The number after the one that the text writes in decimal digits, however many; nil for other texts.
    var successor: String? {
        stepped(from: UInt8(ascii: "9"), to: UInt8(ascii: "0"), by: 1)
            ?? (isDecimal ? "1" + map { _ in "0" }.joined() : nil)
    }

    private var isDecimal: Bool {
        !isEmpty && utf8.allSatisfy { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }
    }

    /// Counts on at the last digit that is not `full`; those behind it start again.
    private func stepped(from full: UInt8, to start: UInt8, by step: Int) -> String? {
        var digits = Array(utf8)
        guard isDecimal, let turning = digits.lastIndex(where: { $0 != full }) else { return nil }
        digits[turning] = UInt8(Int(digits[turning]) + step)
        for index in digits.indices[(turning + 1)...] { digits[index] = start }
        if digits.count > 1, digits[0] == UInt8(ascii: "0") { digits.removeFirst() }
        return String(decoding: digits, as: UTF8.self)
    }
}
