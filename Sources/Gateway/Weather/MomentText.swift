import Contracts
import FoundationEssentials
import LenientCoding

/// The moment of a time machine's question, as clients write it.
enum MomentText {
    /// The years 0001 to 9999, as seconds since 1970.
    static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    /// What `read` takes.
    static let expectation = """
        whole seconds since 1970 from \(seconds.lowerBound) to \(seconds.upperBound), or YYYY-MM-DDThh:mm:ss with \
        nothing, Z, ±hhmm or ±hh:mm behind it
        """

    /// A digit stands for any, and ± for either sign.
    private static let forms = ["", "Z", "±0000", "±00:00"].map { "0000-00-00T00:00:00" + $0 }

    /// The moment that `text` writes; nil when it writes none, or one that there is not.
    static func read(_ text: String) -> ForecastQuery.Moment? {
        if isNumber(text) { return Int64(text).flatMap { seconds.contains($0) ? .unix($0) : nil } }
        guard hasForm(text), let date = ISO8601.date(from: text) else { return nil }
        let moment = Int64(date.timeIntervalSince1970)
        guard seconds.contains(moment) else { return nil }
        if text.utf8.count > forms[0].utf8.count { return .unix(moment) }
        // Written anew, as 23:59:60 is the next minute's first second.
        return ISO8601.string(from: date).map { .local(String($0.dropLast())) }
    }

    /// What may be wrong with a text that `read` makes nothing of.
    static func hint(_ text: String) -> String {
        if hasForm(text) { return "; there is no such date" }
        if hasForm(text.replacing(" ", with: "+")) { return "; a + is written %2B in a query" }
        return isNumber(text) ? "; that is too far away" : ""
    }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    private static func hasForm(_ text: String) -> Bool {
        forms.contains { form in
            text.utf8.count == form.replacing("±", with: "+").utf8.count
                && zip(text, form).allSatisfy { letter, expected in
                    switch expected {
                    case "0": letter.isASCII && letter.isWholeNumber
                    case "±": letter == "+" || letter == "-"
                    default: letter == expected
                    }
                }
        }
    }
}
