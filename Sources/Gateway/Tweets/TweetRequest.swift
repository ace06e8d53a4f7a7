import Contracts
import HTTPCore
import LenientCoding

/// What a client asks of the routes of tweets.
struct TweetRequest: Sendable {
    private static let shapes = ["fields", "dates", "explain"]

    let query: TweetQuery
    var shaping = TweetShaping()
    /// Whether the answer says what was repaired, and where it comes from.
    var isExplained = false

    /// One tweet.
    /// - Throws: `Problem` naming everything that is wrong with the parameters, as the others do.
    init(tweet id: String, _ parameters: Query) throws(Problem) {
        var parameters = Parameters(parameters, known: Self.shapes)
        if !TweetText.isID(id) { parameters.fault("id", "must be an id: letters, digits, - and _, at most 64") }
        try self.init(.tweet(id: id), Tweet.self, &parameters)
    }

    /// The tweets of a user.
    init(timeline name: String, _ parameters: Query) throws(Problem) {
        var parameters = Parameters(parameters, known: ["count", "maxId"] + Self.shapes)
        if !TweetText.isName(name) {
            parameters.fault("screenName", "must be a name: letters, digits, _, -, . and one @, at most 100")
        }
        let (count, maxId) = (parameters.count(), parameters.maxId())
        try self.init(.timeline(screenName: name, count: count, maxId: maxId), Tweet.self, &parameters)
    }

    /// What a search finds.
    init(search parameters: Query) throws(Problem) {
        var parameters = Parameters(parameters, known: ["q", "count", "maxId"] + Self.shapes)
        let text = parameters.required("q", "a text of at most 500 characters") { text in
            text.isEmpty || text.count > 500 ? nil : text
        }
        let (count, maxId) = (parameters.count(), parameters.maxId())
        try self.init(.search(text: text ?? "", count: count, maxId: maxId), SearchAnswer.self, &parameters)
    }

    private init<Root: Record>(
        _ query: TweetQuery, _ root: Root.Type, _ parameters: inout Parameters
    ) throws(Problem) {
        self.query = query
        let forms = DateForm.allCases.map(\.rawValue)
        shaping.dates = parameters.choice("dates", among: forms).flatMap(DateForm.init) ?? .iso8601
        shaping.fields = parameters.fields("fields", of: root, example: "id,fullText,user.name")
        isExplained = parameters.flag("explain")
        if !parameters.faults.isEmpty { throw Problem.invalidParameters(parameters.faults) }
    }
}

extension Parameters {
    fileprivate mutating func count() -> Int? {
        value("count", "a whole number from 1 to 200") { text in
            Int(text).flatMap { (1...200).contains($0) && text.allSatisfy(\.isNumber) ? $0 : nil }
        }
    }

    fileprivate mutating func maxId() -> String? {
        value("maxId", "an id: letters, digits, - and _, at most 64") { TweetText.isID($0) ? $0 : nil }
    }
}

/// The texts that paths and parameters of tweets take.
private enum TweetText {
    /// Twitter's are numbers; Mastodon's relatives have others.
    static func isID(_ text: String) -> Bool { `is`(text, atMost: 64, "-_") }

    /// A name, or one at another server: `weir@example.com`.
    static func isName(_ text: String) -> Bool {
        `is`(text, atMost: 100, "_-.@") && text.count { $0 == "@" } <= 1 && !text.hasPrefix("@") && !text.hasSuffix("@")
    }

    private static func `is`(_ text: String, atMost longest: Int, _ others: String) -> Bool {
        !text.isEmpty && text.utf8.count <= longest
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || others.contains($0)) }
    }
}
