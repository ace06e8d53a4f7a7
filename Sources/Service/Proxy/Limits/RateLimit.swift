import API
import CivilDates
import HTTPCore

/// The rate limit that an upstream's response states; implausible values are nil.
struct RateLimit: Sendable, Equatable {
    /// What a response states about one quota, as text.
    private typealias Statement = (limit: String?, remaining: String?, reset: String?)

    private struct Names: Sendable {
        let limit: String, remaining: String, reset: String
        /// That of Discord and others: seconds, whatever the reset is, so that no clock counts.
        let resetAfter: String

        init(_ prefix: String) {
            (limit, remaining) = (prefix + "Limit", prefix + "Remaining")
            (reset, resetAfter) = (prefix + "Reset", prefix + "Reset-After")
        }
    }

    private typealias Quota = (limit: Int?, remaining: Int?, reset: Int?)

    /// The names at Twitter, at Mastodon, and in the IETF's drafts until 2022.
    private static let names = ["X-Rate-Limit-", "X-RateLimit-", "RateLimit-"].map(Names.init)
    /// The names of further quotas: Twitter's of an application, for all of its users, and of a day, and that of a plan at
    /// RapidAPI and Linear.
    private static let otherNames = [
        "X-App-Rate-Limit-", "X-App-Limit-24Hour-", "X-User-Limit-24Hour-", "X-RateLimit-Requests-",
    ].map(Names.init)
    /// A reset further away than this is implausible: the longest month, because Pirate Weather counts by months
    /// (Pirate-Weather/pirateweather, `docs/API.md`, "Response Headers").
    static let longestReset = 31 * secondsPerDay
    /// A reset that is written as a moment is implausible from a day on without the upstream's Date: two clocks may differ.
    private static let secondsPerDay = 86_400
    /// Unix times from this one on are milliseconds (1973 then, and the year 5138 in seconds).
    private static let leastMilliseconds = 1e11
    /// The longest pause without the reset of a quota that is used up: one window of Twitter's.
    private static let longestPause = 15 * 60

    /// The number of requests allowed between two resets, at least one.
    let limit: Int?
    let remaining: Int?
    /// The seconds until the count starts again: 1 to `longestReset`.
    let reset: Int?
    /// Whether a cache on the way repeats what the upstream has said to somebody else.
    let isRepeated: Bool
    /// The seconds of Retry-After.
    private let demanded: Int?
    /// The seconds to wait after a refusal: those of Retry-After, or else those until the reset.
    var retryAfter: Int? { demanded ?? reset }

    /// Whether the upstream demands a pause without saying that a quota is used up.
    var demandsPauseAlone: Bool { demanded != nil && remaining != 0 }

    /// Reads the header fields of a response that arrived at `now`, in unix seconds.
    ///
    /// Moments are compared with the response's own Date, because either clock may be wrong.
    init(_ headers: HeaderFields, now: Int) {
        // Most responses state none, and would be searched for each of the names.
        let quota = headers.hasName(containing: "limit") ? Self.quota(headers, now) : nil
        isRepeated = quota != nil && headers.age > 0
        (limit, remaining, reset) = quota ?? (nil, nil, nil)
        demanded = headers["Retry-After"].flatMap {
            Self.seconds(inRetryAfter: $0, headers.date(relativeTo: now) ?? now)
        }
    }

    /// Reads the quota that counts: of those that are used up the one with the longest wait, or else the first one that
    /// says what remains, or else the first one; nil if there is none.
    private static func quota(_ headers: HeaderFields, _ now: Int) -> Quota? {
        let others = otherNames.map { statement(headers, $0) }
        let statements = names.map { statement(headers, $0) } + [policy(headers)] + others
        let date = headers.date(relativeTo: now)
        let quotas = statements.compactMap { $0.map { quota($0, date, now) } }
        return quotas.filter { $0.remaining == 0 }.max { $0.reset ?? 0 < $1.reset ?? 0 }
            ?? quotas.first { $0.remaining != nil } ?? quotas.first
    }

    /// Reads a statement; implausible values are nil.
    private static func quota(_ statement: Statement, _ date: Int?, _ now: Int) -> Quota {
        let limit = count(statement.limit, atLeast: 1)
        let remaining = count(statement.remaining, atLeast: 0)
        let isPlausible = remaining ?? 0 <= limit ?? .max
        let reset = statement.reset.flatMap { seconds(untilReset: $0, date, now) }
        return (isPlausible ? limit : nil, isPlausible ? remaining : nil, reset)
    }

    /// Reads the fields with these names; nil if there is none.
    private static func statement(_ headers: HeaderFields, _ names: Names) -> Statement? {
        let reset = headers[names.resetAfter] ?? headers[names.reset]
        let statement = (limit: headers[names.limit], remaining: headers[names.remaining], reset: reset)
        return statement == (nil, nil, nil) ? nil : statement
    }

    /// Reads the field RateLimit of the IETF's drafts: `limit=9, remaining=0, reset=5` in the seventh, and
    /// `"minute";r=0;t=5, "day";r=90;t=7200` since the eighth, of which the policy with the fewest requests counts, and
    /// of several with as few the one with the longest wait.
    private static func policy(_ headers: HeaderFields) -> Statement? {
        guard headers.bytes("RateLimit") != nil else { return nil }
        let elements = parameters(headers, "RateLimit")
        let old = elements.reduce(into: [:]) { $0.merge($1.values) { first, _ in first } }
        if old["limit"] ?? old["remaining"] ?? old["reset"] != nil {
            return (old["limit"], old["remaining"], old["reset"])
        }
        func rank(_ values: [Substring: String]) -> (remaining: Int, untilReset: Int) {
            (count(values["r"], atLeast: 0) ?? .max, -(count(values["t"], atLeast: 0) ?? 0))
        }
        let fewest = elements.min { rank($0.values) < rank($1.values) }
        guard let fewest else { return nil }
        let quota = parameters(headers, "RateLimit-Policy").first { $0.name == fewest.name }?.values["q"]
        return (quota, fewest.values["r"], fewest.values["t"])
    }

    /// Returns the elements of a list: their first parts, and their parameters.
    private static func parameters(
        _ headers: HeaderFields, _ name: String
    ) -> [(name: Substring, values: [Substring: String])] {
        headers.values(name).joined(separator: ",").split(separator: ",").map { element in
            let parts = element.split(separator: ";").map { $0.drop { $0 == " " } }
            let pairs = parts.map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
            return (parts.first ?? "", Dictionary(pairs.map { ($0[0], String($0[1])) }) { first, _ in first })
        }
    }

    /// Returns the seconds without requests that the upstream demands after a response with `status`; nil for none.
    func pause(after status: Int) -> Int? {
        // The reset of a quota that is not used up does not end the refusal of another one.
        if status == 429 { return demanded ?? (remaining ?? 0 == 0 ? reset : nil) }
        if status == 503, let demanded { return demanded }
        return remaining == 0 ? reset : nil
    }

    /// Limits a pause that a response demands to 15 minutes, or to the reset of its quota if that may be used up.
    func limited(pause: Int) -> Int {
        let isUsedUp = remaining ?? 0 == 0
        return min(pause, max(Self.longestPause, isUsedUp ? reset ?? 0 : 0))
    }

    /// Reads a count; in the IETF's draft its quota policies follow it: `100, 100;w=60`.
    private static func count(_ text: String?, atLeast least: Double) -> Int? {
        let number = text?.prefix { $0 != "," && $0 != ";" }
        return number.flatMap { PlainNumber.read($0, in: least...1e9) }.flatMap(Int.init(exactly:))
    }

    /// Reads a reset, rounded up: a duration in seconds, or a moment in ISO 8601, or in seconds or milliseconds since 1970.
    private static func seconds(untilReset text: String, _ date: Int?, _ now: Int) -> Int? {
        let number = PlainNumber.read(text, in: 0...1e14).map { $0 < leastMilliseconds ? $0 : $0 / 1000 }
        let instant = ISO8601Timestamp(text.utf8.span)?.instant
        guard let value = number ?? instant.map({ Double($0.seconds) + $0.fraction }) else { return nil }
        let rounded = Int(value.rounded(.up))
        // A unix time as small as this would be in January 1970.
        let isDuration = number != nil && rounded <= longestReset
        let seconds = isDuration ? rounded : rounded - (date ?? now)
        return (1...(isDuration || date != nil ? longestReset : secondsPerDay)).contains(seconds) ? seconds : nil
    }

    /// Reads a Retry-After: seconds or a date (RFC 9110 §10.2.3).
    private static func seconds(inRetryAfter text: String, _ clock: Int) -> Int? {
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int(UInt32(text) ?? .max) }
        return HTTPDate.parse(text, relativeTo: clock).flatMap { $0 > clock ? min($0 - clock, Int(UInt32.max)) : nil }
    }
}
