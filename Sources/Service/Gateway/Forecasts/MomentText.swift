import CivilDates
import Contracts
import Records
import API

/// The time of a time machine request, as clients write it.
enum MomentText {
    /// The years 0001 to 9999, as seconds since 1970.
    private static let seconds = -62_135_596_800...253_402_300_799

    static let type = ParameterType(
        expectation,
        schema: [
            "type": "string",
            "pattern":
                "^(-?[0-9]{1,12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:?[0-9]{2})?)$",
        ], hint: hint, convert: read)

    private static let expectation = """
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
    private static func hint(_ text: String) -> String {
        if isNumber(text) { return "; that is too far away" }
        guard text.utf8.count <= longestDate else { return "" }
        if hasForm(text) { return "; there is no such date" }
        return hasForm(text.replacing(" ", with: "+")) ? "; a + is written %2B in a query" : ""
    }

    /// The bytes of `YYYY-MM-DDThh:mm:ss±hh:mm`.
    private static let longestDate = 25

    private static func isNumber(_ text: String) -> Bool {
        PlainNumber.isDigits(text.first == "-" ? text.dropFirst() : text[...])
    }

    private static func hasForm(_ text: String) -> Bool {
        // First, because a regular expression takes 100 ns a byte.
        text.utf8.count <= longestDate
            && text.wholeMatch(
                of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+\-][0-9]{2}:?[0-9]{2})?/) != nil
    }
}
