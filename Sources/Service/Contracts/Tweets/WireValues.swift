import API
import CivilDates
import JSONText
import Records

/// An id in a string or a number, kept digit for digit; -1 and an empty string are none.
enum WireID: WireValue {
    case text(String)
    case number(Int64)

    var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }

    static var expectation: String { "an id" }

    static func schema(in components: inout SchemaComponents) -> JSONValue { ["type": ["string", "integer"]] }

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> WireID? {
        switch node.kind {
        // A shorter text or number may be none, and takes the slow path.
        case .string: node.text.count > 2 ? node.string.map(WireID.text) : nil
        case .integer where node.text.count > 1 && node.text.first != UInt8(ascii: "-"): node.int64.map(WireID.number)
        default: nil
        }
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireID? {
        if FieldRules.ofID.meanAbsent(node) || rules.meanAbsent(node) { return reader.fail(.sentinel) }
        if let text = node.string { return .text(text) }
        guard node.isNumber else { return reader.fail(.mistyped) }
        // A number with a fraction or an exponent has lost digits.
        guard node.kind == .integer, node.text.first != UInt8(ascii: "-") else { return reader.fail(.inexact) }
        return node.int64.map(WireID.number) ?? .text(String(decoding: node.text, as: UTF8.self))
    }
}

/// Twitter's ids since November 2010 (snowflakes): the upper bits count milliseconds.
extension WireID {
    /// The first millisecond that snowflakes count, in unix time.
    private static let epoch: UInt64 = 1_288_834_974_657

    /// Below all snowflakes, and above the last sequential id, which is about 29 billion.
    private static let firstSnowflake: UInt64 = 1 << 40

    /// When the tweet with this id was created, to the second; nil if the id is not a snowflake.
    var snowflakeTime: UnixSeconds? {
        guard let number = UInt64(text), number >= Self.firstSnowflake else { return nil }
        return UnixSeconds(Double(((number >> 22) + Self.epoch) / 1000))
    }
}

/// The application that published a tweet, in Twitter's form: a link to its web page, or its name alone.
struct WireSource: WireValue {
    let source: TweetSource

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> WireSource? {
        guard node.kind == .escapedString, let source = plainLink(node.text.span) else { return nil }
        return WireSource(source: source)
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireSource? {
        String.read(node, rules, &reader).map { WireSource(source: source(html: $0)) }
    }

    /// Some answers escape the link like a text.
    private static func source(html: String) -> TweetSource {
        let plain = PlainText(html: html.hasPrefix("&lt;a ") ? UnescapedText(html).text : html)
        var source = TweetSource()
        source.name = plain.text
        source.url = plain.anchors.first?.target
        return source
    }

    private static let linkStart: StaticString = #"<a href=\""#
    private static let linkMiddle: StaticString = #"\" rel=\"nofollow\">"#
    private static let linkEnd: StaticString = "</a>"

    /// Reads `<a href="http://example.com" rel="nofollow">Name</a>` with escaped quotes, the form of nearly all sources;
    /// nil for any other.
    ///
    /// Without this, normalizing a search takes 57 % more instructions.
    private static func plainLink(_ text: Span<UInt8>) -> TweetSource? {
        let end = text.count - linkEnd.utf8CodeUnitCount
        guard text.holds(linkStart, at: 0), text.holds(linkEnd, at: end) else { return nil }
        let link = text.extracting(linkStart.utf8CodeUnitCount..<end)
        guard !link.contains(UInt8(ascii: "<")), !link.contains(UInt8(ascii: "&")),
            let urlEnd = link.firstIndex(of: UInt8(ascii: "\\")), urlEnd > 0, link.holds(linkMiddle, at: urlEnd)
        else { return nil }
        let name = link.extracting((urlEnd + linkMiddle.utf8CodeUnitCount)...)
        guard !name.isEmpty, !name.contains(UInt8(ascii: "\\")), let name = try? UTF8Span(validating: name),
            let url = try? UTF8Span(validating: link.extracting(..<urlEnd))
        else { return nil }
        var source = TweetSource()
        source.name = String(copying: name)
        source.url = String(copying: url)
        return source
    }
}

/// The target of the website of one of Twitter's users: of `entities`, which has it at `url.urls[0].expanded_url`.
///
/// The user's own `url` is a link of t.co, which leads there.
struct WireProfileLink: WireValue {
    /// The address; nil if the user has no website, or if it is not known.
    let target: String?

    static var expectation: String { "an object" }

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> WireProfileLink? {
        guard node.kind == .object else { return nil }
        let links = node["url"]?["urls"]?.elements
        let target = links?.first { _ in true }?["expanded_url"]?.string
        return WireProfileLink(target: target?.allSatisfy(\.isWhitespace) == true ? nil : target)
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireProfileLink? {
        readPlain(node, rules) ?? reader.fail(.mistyped)
    }
}

/// A date of a post or an account, in any form that an upstream, an archive or a compatible server writes.
///
/// The forms are Twitter v1.1's (`Wed Aug 27 13:08:45 +0000 2008`), ISO 8601 with `T` or a space and any fraction or zone,
/// those of mail and HTTP, and unix seconds or milliseconds in a number or a string, each with or without spaces around.
struct WireDate: WireValue {
    let time: UnixSeconds

    static func schema(in components: inout SchemaComponents) -> JSONValue { UnixSeconds.schema(in: &components) }

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> WireDate? {
        // The form of nearly all dates of Twitter v1.1; all others begin with a digit.
        if node.kind == .string, node.text.first?.isASCIILetter == true, let seconds = TwitterDate.parse(node.text.span)
        {
            return WireDate(time: UnixSeconds(Double(seconds)))
        }
        guard let seconds = seconds(of: node), ISODate.writable.contains(seconds) else { return nil }
        return WireDate(time: UnixSeconds(seconds))
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireDate? {
        readPlain(node, rules) ?? reader.fail(seconds(of: node) == nil ? .mistyped : .implausible)
    }

    /// The least number of milliseconds, in 1973; as seconds, it is in the year 5138.
    private static let firstMilliseconds = 1e11

    private static func seconds(of node: JSONNode) -> Double? {
        if let seconds = ISODate.instant(of: node) { return seconds }
        if let epoch = node.double ?? node.numericStringAsDouble {
            return abs(epoch) < firstMilliseconds ? epoch : epoch / 1000
        }
        guard let string = node.string else { return nil }
        let text = string.utf8.span.extracting(string.utf8.span.boundsWithoutSpace)
        return (TwitterDate.parse(text) ?? MailDate.parse(text) ?? HTTPDate.parse(String(repairing: text)))
            .map(Double.init)
    }
}
