import CivilDates

/// The requests that an upstream has got in the current period of its quota.
package struct QuotaUse: Sendable, Equatable {
    /// From this part of the limit on, in percent, the log warns.
    private static let warningPercent = 80

    package let period: QuotaBudget.Period
    package let limit: Int
    package let used: Int
    /// When the count begins anew, in unix seconds.
    package let renewal: Int

    /// The requests that are left.
    package var left: Int { max(0, limit - used) }

    /// The same use with so many requests more.
    func adding(_ requests: Int) -> QuotaUse {
        QuotaUse(period: period, limit: limit, used: used + requests, renewal: renewal)
    }

    /// Whether so little is left that an operator should know.
    var isNearlySpent: Bool { Self.isMost(used, of: limit) }

    /// Whether so little is left after `used` requests.
    static func isMost(_ used: Int, of limit: Int) -> Bool { used * 100 >= limit * warningPercent }
}

extension QuotaBudget.Period {
    /// Returns the limit of the period in words: `1,000 requests a day`.
    func text(_ limit: Int) -> String {
        var digits = String(limit)
        for place in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
        }
        return "\(digits) \(limit == 1 ? "request" : "requests") \(self == .hour ? "an" : "a") \(rawValue)"
    }
}

/// A moment in unix seconds as ISO 8601: `2026-11-22T08:15:30Z`.
package func timestamp(_ seconds: Int) -> String { ISO8601Timestamp.format(secondsSinceEpoch: Double(seconds)) ?? "" }
