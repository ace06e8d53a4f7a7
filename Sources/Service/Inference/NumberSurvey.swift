import JSONText

/// The numbers at one place of documents.
struct NumberSurvey {
    /// Numbers that stand for none.
    private static let sentinels = ["-999", "-9999", "-99999", "-999.9", "-999.99"]
    private static let doubles = sentinels.compactMap(Double.init)
    /// The digits that every double has.
    private static let exactDigits = 15

    /// The numbers, and those without fraction and exponent.
    private(set) var count = 0, integers = 0
    /// Whether an integer has more digits than a double can hold.
    private(set) var isLong = false
    /// How often each of `sentinels` appears.
    private var candidates = Array(repeating: 0, count: sentinels.count)
    /// The range of the other numbers; empty without any.
    private(set) var least = Double.infinity, greatest = -Double.infinity

    mutating func add(_ node: JSONNode) {
        count += 1
        guard let number = node.double else { return }
        if node.kind == .integer {
            integers += 1
            if node.text.count > Self.exactDigits + (number < 0 ? 1 : 0) { isLong = true }
        }
        if let index = Self.doubles.firstIndex(of: number) {
            candidates[index] += 1
        } else {
            (least, greatest) = (min(least, number), max(greatest, number))
        }
    }

    mutating func merge(_ other: NumberSurvey) {
        (count, integers) = (count + other.count, integers + other.integers)
        isLong = isLong || other.isLong
        for index in candidates.indices { candidates[index] += other.candidates[index] }
        (least, greatest) = (min(least, other.least), max(greatest, other.greatest))
    }

    /// The sentinels that are far below all other numbers, with how often they appear.
    var outliers: [(text: String, count: Int)] {
        Self.sentinels.indices.compactMap { index in
            let isFar = least <= greatest && least > Self.doubles[index] / 4
            return candidates[index] > 0 && isFar ? (Self.sentinels[index], candidates[index]) : nil
        }
    }

    /// Whether so many different numbers are integers that the next one is an integer, too.
    var areIntegers: Bool { integers == count && count >= 20 && least < greatest }

    /// The value of `reads` for which all numbers are times in the years 2000 to 2099; nil for none.
    var unixForm: String? {
        let years = 946_684_800.0...4_102_444_799.0
        guard integers == count else { return nil }
        if years.contains(least), years.contains(greatest) { return "unix" }
        return years.contains(least / 1000) && years.contains(greatest / 1000) ? "unixMilliseconds" : nil
    }
}
