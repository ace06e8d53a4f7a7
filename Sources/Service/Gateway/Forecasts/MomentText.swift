import CivilDates
import Forecast

/// The time of a time machine request, as clients write it.
enum MomentText {
    /// The years 0001 to 9999, as seconds since 1970.
    private static let seconds = -62_135_596_800...253_402_300_799

    static let expectation = """
        seconds since 1970 from \(seconds.lowerBound) to \(seconds.upperBound), or YYYY-MM-DDThh:mm:ss, \
        optionally followed by Z, ±hhmm or ±hh:mm
        """

    /// Returns the moment in `text`; nil if the text has another form or the date does not exist.
    static func read(_ text: String) -> ForecastQuery.Moment? {
        if isNumber(text) { return Int(text).flatMap { seconds.contains($0) ? .unix(Int64($0)) : nil } }
        guard hasForm(text), let timestamp = ISO8601Timestamp(text.utf8.span),
            let moment = timestamp.instant?.seconds, seconds.contains(moment)
        else { return nil }
        if timestamp.offset != nil { return .unix(Int64(moment)) }
        // Formatted again, because 23:59:60 is the first second of the next minute.
        return ISO8601Timestamp.format(secondsSinceEpoch: Double(moment)).map { .local(String($0.dropLast())) }
    }

    /// Returns why `read` may have returned nil.
    static func hint(_ text: String) -> String {
        if hasForm(text) { return "; there is no such date" }
        if hasForm(text.replacing(" ", with: "+")) { return "; a + is written %2B in a query" }
        return isNumber(text) ? "; that is too far away" : ""
    }

    private static func isNumber(_ text: String) -> Bool { text.wholeMatch(of: /-?[0-9]+/) != nil }

    private static func hasForm(_ text: String) -> Bool {
        text.wholeMatch(
            of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+\-][0-9]{2}:?[0-9]{2})?/) != nil
    }
}
