import API
import JSONText
import Records

/// Finds the entities of a text by an upstream's indices, which count code points of Twitter's escaped texts, or units of a
/// mapping's text.
struct EntityLocator {
    private enum Source {
        case escaped(UnescapedText)
        case counted(CountedText)
    }

    private var source: Source
    let text: String
    /// Whether the entities have the names of Twitter v2, for reports.
    private let isOfVersion2: Bool
    /// Made for the first entity, since most texts have none.
    private lazy var searched = CodePointText(text)

    /// Makes the locator of an escaped text.
    init(_ escaped: String, ofVersion2: Bool = false) {
        let unescaped = UnescapedText(escaped)
        (source, text, isOfVersion2) = (.escaped(unescaped), unescaped.text, ofVersion2)
    }

    /// Makes the locator of a text that is as it is shown.
    init(_ text: String, counting unit: TextUnit) {
        (source, self.text, isOfVersion2) = (.counted(CountedText(text, unit)), text, false)
    }

    private var isOfMapping: Bool { if case .counted = source { true } else { false } }

    /// Returns the part of the text that indices mean; nil if they do not stand at code points of it.
    private mutating func position(of sent: CodePointRange) -> CodePointRange? {
        switch source {
        case .escaped(let unescaped): return unescaped.position(of: sent)
        case .counted(var counted):
            defer { source = .counted(counted) }
            return counted.position(of: sent)
        }
    }

    /// Returns the position of a part of the text; nil, and reported, if it ends after the text.
    mutating func range(_ sent: CodePointRange?, _ reader: inout RecordReader) -> CodePointRange? {
        if let range = sent.flatMap({ position(of: $0) }), searched.contains(range) { return range }
        reader.note(.dropped, .misplaced)
        return nil
    }

    /// Returns the word of a mapping's entity at indices, without the sign; nil without one of `signs` or without a word.
    private mutating func word(at indices: WireIndices?, behind signs: [String]) -> String? {
        guard isOfMapping, let range = indices?.range.flatMap({ position(of: $0) }) else { return nil }
        // By code points: a mark behind the sign would be one character with it.
        let text = searched.text(at: range).unicodeScalars
        guard let sign = signs.first(where: { text.starts(with: $0.unicodeScalars) }) else { return nil }
        let word = String(text.dropFirst(sign.unicodeScalars.count))
        return word.isEmpty ? nil : word
    }

    /// Returns the position of an entity, a `word` after one of `signs`, for which the upstream gave `indices`.
    ///
    /// Indices that cut out neither the word nor the form that is `displayed` in its place are replaced by the only
    /// occurrence of the word, or dropped; both are reported.
    mutating func range(
        of word: String?, behind signs: [String], sentAt indices: WireIndices?, displayed: String? = nil,
        _ reader: inout RecordReader
    ) -> CodePointRange? {
        // Other mappings than those with indices name the entities alone.
        guard let indices else { return isOfMapping ? word.flatMap { only($0, behind: signs) } : nil }
        if let range = indices.range.flatMap({ position(of: $0) }) {
            if let word, searched.holds(word, behind: signs, at: range) { return range }
            if let displayed, displayed != "", searched.holds(displayed, behind: [""], at: range) { return range }
        }
        let found = word.flatMap { only($0, behind: signs) }
        reader.at(isOfVersion2 ? "start" : "indices") { $0.note(found == nil ? .dropped : .coerced, .misplaced) }
        return found
    }

    /// Returns the only place of a word after one of `signs`.
    private mutating func only(_ word: String, behind signs: [String]) -> CodePointRange? {
        searched.uniqueRange(of: signs.map { $0 + word })
    }

    /// Converts Twitter's entities, with their indices in the unescaped text.
    mutating func entities(_ wire: WireEntities, _ reader: inout RecordReader) -> Entities {
        let (symbols, mentions): (StaticString, StaticString) =
            isOfVersion2 ? ("cashtags", "mentions") : ("symbols", "user_mentions")
        var model = Entities()
        model.hashtags = entities(wire.hashtags, at: "hashtags", behind: ["#", "＃"], &reader) { ($0.text, $1) }
        model.symbols = entities(wire.symbols, at: symbols, behind: ["$"], &reader) { ($0.text, $1) }
        model.urls = entities(wire.urls, at: "urls", behind: [""], &reader) { link, _ in
            // Old links are escaped like their text.
            link.url = link.url.map { UnescapedText($0).text }
            return link.hasAddress ? (link.url, link.displayUrl) : nil
        }
        model.userMentions = entities(wire.mentions, at: mentions, behind: ["@", "＠"], &reader) { ($0.screenName, $1) }
        return model
    }

    /// Converts the entities in the member `key`; `words` completes an entity, by what a mapping's text has at the indices,
    /// and returns the word that follows one of `signs` in the text, and the form that may be displayed in its place; nil
    /// drops the entity.
    mutating func entities<Wire: WireEntity>(
        _ wires: [Wire]?, at key: StaticString, behind signs: [String], _ reader: inout RecordReader,
        words: (inout Wire.Entity, _ placed: String?) -> (String?, displayed: String?)?
    ) -> [Wire.Entity]? {
        guard let wires else { return nil }
        return reader.at(key) { reader in
            reader.mapElements(wires) { wire, reader in
                var entity = wire.entity
                let placed = word(at: wire.range, behind: signs)
                guard let (word, displayed) = words(&entity, placed) else {
                    reader.note(.dropped, .invalid)
                    return nil
                }
                entity.indices = range(
                    of: word, behind: signs, sentAt: wire.range, displayed: displayed, &reader)
                return entity
            }
        }
    }
}

/// An entity as Twitter sends it: v1.1 has its indices in one member, v2 in two.
protocol WireEntity<Entity>: Record {
    associatedtype Entity: TextEntity
    /// The entity without its indices.
    var entity: Entity { get }
    var indices: WireIndices? { get }
    var start: Int? { get }
    var end: Int? { get }
}

extension WireEntity {
    var start: Int? { nil }
    var end: Int? { nil }
    fileprivate var range: WireIndices? { indices ?? (start ?? end).map { _ in WireIndices(start, end) } }
}

/// The indices of an entity as Twitter sends them.
struct WireIndices: WireValue {
    /// The range; nil if the indices are not two integers in order.
    let range: CodePointRange?

    init(_ start: Int?, _ end: Int?) {
        if let start, let end, start >= 0, end >= start { range = CodePointRange(start, end) } else { range = nil }
    }

    static func schema(in components: inout SchemaComponents) -> JSONValue { CodePointRange.schema(in: &components) }

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> WireIndices? {
        guard node.count == 2 else { return nil }
        var elements = node.elements.makeIterator()
        guard let start = elements.next()?.int64, let end = elements.next()?.int64 else { return nil }
        return WireIndices(Int(start), Int(end))
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireIndices? {
        guard node.kind == .array else { return reader.fail(.mistyped) }
        var elements = node.elements.makeIterator()
        let start = elements.next().flatMap { Int.read($0, rules, &reader) }
        let end = elements.next().flatMap { Int.read($0, rules, &reader) }
        return node.count == 2 ? WireIndices(start, end) : WireIndices(nil, nil)
    }
}

/// The entities of a text; v1.1 has media and polls among them.
struct WireEntities: Record {
    var hashtags: [WireHashtag]?, symbols: [WireHashtag]?, urls: [WireLink]?, mentions: [WireMention]?
    var media: [TwitterV1.WireMedia]?, polls: [WirePoll]?

    static let schema = Schema<WireEntities>(.dropInvalid, .entityLimit) {
        Field("hashtags", \.hashtags)
        Field("symbols", \.symbols)
        Field("cashtags", \.symbols)
        Field("urls", \.urls)
        Field("user_mentions", \.mentions)
        Field("mentions", \.mentions)
        Field("media", \.media)
        Field("polls", \.polls)
        Ignored("annotations", "description", "url")
    }
}

/// A hashtag or a ticker symbol.
struct WireHashtag: WireEntity {
    var entity = Hashtag(), indices: WireIndices?, start: Int?, end: Int?

    static let schema = Schema<WireHashtag> {
        Field("text", \.entity.text, .or("tag"))
        Field("indices", \.indices)
        Field("start", \.start)
        Field("end", \.end)
    }
}

/// A link in a text; of v2, a link to attached media has the key of the media.
struct WireLink: WireEntity {
    var entity = Link(), mediaKey: String?, indices: WireIndices?, start: Int?, end: Int?

    static let schema = Schema<WireLink> {
        Field("url", \.entity.url, .address)
        Field("expanded_url", \.entity.expandedUrl, .address)
        Field("display_url", \.entity.displayUrl, .address)
        Field("media_key", \.mediaKey)
        Field("indices", \.indices)
        Field("start", \.start)
        Field("end", \.end)
        Ignored("description", "images", "status", "title", "unwound", "unwound_url")
    }
}

/// A mentioned user; Mastodon sends no indices, but the address and the page of the account.
struct WireMention: WireEntity {
    var mention = UserMention(), id: WireID?, idString: WireID?, indices: WireIndices?, start: Int?, end: Int?
    var address: String?, url: String?

    static let schema = Schema<WireMention> {
        Field("id", \.id)
        Field("id_str", \.idString)
        Field("name", \.mention.name)
        Field("screen_name", \.mention.screenName, .or("username"))
        Field("acct", \.address)
        Field("url", \.url, .address)
        Field("indices", \.indices)
        Field("start", \.start)
        Field("end", \.end)
        Ignored(
            "created_at", "description", "entities", "location", "pinned_tweet", "pinned_tweet_id",
            "profile_image_url", "protected", "public_metrics", "verified", "verified_type", "withheld")
    }

    var entity: UserMention {
        var mention = mention
        mention.id = (idString ?? id)?.text
        return mention
    }
}
