import CivilDates
import EventLoop
import HTTPCore

/// The rate limit that an upstream's response states; implausible values are nil.
struct RateLimit: Sendable, Equatable {
    private struct Names: Sendable {
        let limit: String, remaining: String, reset: String

        init(_ prefix: String) {
            (limit, remaining, reset) = (prefix + "Limit", prefix + "Remaining", prefix + "Reset")
        }
    }

    /// The names at Twitter, at Mastodon, and in the IETF's draft; the first ones in a response count.
    private static let names = ["X-Rate-Limit-", "X-RateLimit-", "RateLimit-"].map(Names.init)
    /// A reset further away than this is implausible.
    private static let secondsPerDay = 86_400

    /// The number of requests allowed between two resets, at least one.
    let limit: Int?
    let remaining: Int?
    /// The seconds until the count starts again: 1 to a day.
    let reset: Int?
    /// The seconds to wait after a refusal: those of Retry-After, or else those until the reset.
    let retryAfter: Int?

    /// Reads the header fields of a response that arrived at `now`, in unix seconds.
    ///
    /// Moments are compared with the response's own Date, because either clock may be wrong.
    init(_ headers: HeaderFields, now: Int = WallClock.seconds) {
        func clock() -> Int { headers["Date"].flatMap { HTTPDate.parse($0, relativeTo: now) } ?? now }
        let names = Self.names.first { names in
            headers.bytes(names.limit) != nil || headers.bytes(names.remaining) != nil
                || headers.bytes(names.reset) != nil
        }
        let limit = Self.count(names.flatMap { headers[$0.limit] }, atLeast: 1)
        let remaining = Self.count(names.flatMap { headers[$0.remaining] }, atLeast: 0)
        let isPlausible = remaining ?? 0 <= limit ?? .max
        self.limit = isPlausible ? limit : nil
        self.remaining = isPlausible ? remaining : nil
        reset = names.flatMap { headers[$0.reset] }.flatMap { Self.seconds(untilReset: $0, clock()) }
        retryAfter = headers["Retry-After"].flatMap { Self.seconds(inRetryAfter: $0, clock()) } ?? reset
    }

    /// Returns the seconds without requests that the upstream demands after a response with `status`; nil for none.
    func pause(after status: Int) -> Int? {
        if status == 429 { return retryAfter }
        return remaining == 0 ? reset : nil
    }

    /// Reads a count; in the IETF's draft its quota policies follow it: `100, 100;w=60`.
    private static func count(_ text: String?, atLeast least: Double) -> Int? {
        let number = text?.prefix { $0 != "," && $0 != ";" }
        return number.flatMap { PlainNumber.read($0, in: least...1e9) }.flatMap(Int.init(exactly:))
    }

    /// Reads a reset, rounded up: a duration in seconds, or a moment in unix seconds or ISO 8601.
    private static func seconds(untilReset text: String, _ clock: Int) -> Int? {
        let number = PlainNumber.read(text, in: 0...1e12)
        let instant = ISO8601Timestamp(text.utf8.span)?.instant
        guard let value = number ?? instant.map({ Double($0.seconds) + $0.fraction }) else { return nil }
        let rounded = Int(value.rounded(.up))
        // A unix time as small as this would be on 1 January 1970.
        let isDuration = number != nil && rounded <= secondsPerDay
        let seconds = isDuration ? rounded : rounded - clock
        return (1...secondsPerDay).contains(seconds) ? seconds : nil
    }

    /// Reads a Retry-After: seconds or a date (RFC 9110 §10.2.3).
    private static func seconds(inRetryAfter text: String, _ clock: Int) -> Int? {
        if let seconds = UInt32(text) { return Int(seconds) }
        return HTTPDate.parse(text, relativeTo: clock).flatMap { $0 > clock ? $0 - clock : nil }
    }
}
