import CivilDates
import EventLoop
import FoundationEssentials
import HTTPClient
import HTTPCore
import LenientCoding

/// How often an upstream may be asked, and when again, as its answer says: what makes no sense is not there.
struct RateLimit: Sendable, Equatable {
    /// What is farther away is not believed.
    private static let secondsPerDay = 86_400

    /// How many requests are let through between two resets, at least one.
    let limit: Int?
    /// How many of them are left.
    let remaining: Int?
    /// In how many seconds the count begins anew: 1 to a day.
    let reset: Int?
    /// In how many seconds to ask again after a refusal: the Retry-After, or else the reset.
    let retryAfter: Int?

    /// What `response` says, at `now` in unix seconds.
    ///
    /// Moments are compared with the answer's own Date, as either side's clock may be wrong.
    init(_ response: IncomingResponse, now: Int = WallClock.seconds) {
        let clock = response.date.flatMap { HTTPDate.parse($0, relativeTo: now) } ?? now
        self.init(response.rateLimit, retryAfter: response.retryAfter, clock: clock)
    }

    /// What the fields say, at `clock` in unix seconds.
    init(_ fields: RateLimitFields, retryAfter: String?, clock: Int) {
        let (limit, remaining) = (Self.count(fields.limit, from: 1), Self.count(fields.remaining, from: 0))
        let isSensible = remaining ?? 0 <= limit ?? .max
        self.limit = isSensible ? limit : nil
        self.remaining = isSensible ? remaining : nil
        reset = fields.reset.flatMap { Self.seconds(until: $0, clock) }
        self.retryAfter = retryAfter.flatMap { Self.seconds(of: $0, clock) } ?? reset
    }

    /// For how many seconds nothing more is to be asked after an answer with `status`; nil when there is no need to wait.
    func pause(after status: Int) -> Int? {
        if status == 429 { return retryAfter }
        return remaining == 0 ? reset : nil
    }

    /// A count of at least `fewest`; in the draft of the IETF its quotas follow it: `100, 100;w=60`.
    private static func count(_ text: String?, from fewest: Double) -> Int? {
        let number = text?.prefix { $0 != "," && $0 != ";" }
        return number.flatMap { PlainNumber.read($0, in: fewest...1e9) }.flatMap(Int.init(exactly:))
    }

    /// The seconds until a reset, rounded up: sent as such, or as a moment in unix seconds or ISO 8601.
    private static func seconds(until reset: String, _ clock: Int) -> Int? {
        let number = PlainNumber.read(reset, in: 0...1e12)
        guard let value = number ?? ISO8601.date(from: reset)?.timeIntervalSince1970 else { return nil }
        let rounded = Int(value.rounded(.up))
        // No moment of today is such a small number.
        let isDuration = number != nil && rounded <= secondsPerDay
        let seconds = isDuration ? rounded : rounded - clock
        return (1...secondsPerDay).contains(seconds) ? seconds : nil
    }

    /// What a Retry-After says, seconds or a date (RFC 9110 §10.2.3).
    private static func seconds(of retryAfter: String, _ clock: Int) -> Int? {
        if let seconds = UInt32(retryAfter) { return Int(seconds) }
        return HTTPDate.parse(retryAfter, relativeTo: clock).flatMap { $0 > clock ? $0 - clock : nil }
    }
}
