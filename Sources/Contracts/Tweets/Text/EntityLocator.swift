import LenientCoding

/// Puts the entities of a text where they stand in it once its character references are resolved.
struct EntityPlacing {
    private let unescaped: UnescapedText
    private let key: StaticString
    /// Made for the first entity: most texts have none.
    private var finder: EntityFinder?

    /// The entities of a text as it was sent; they have their indices, or the first of them, under `key`.
    init(_ sent: String, indicesAt key: StaticString = "indices") {
        unescaped = UnescapedText(sent)
        self.key = key
    }

    /// The text without character references.
    var text: String { unescaped.text }

    /// A part of the text; nil, and reported, where it is none.
    mutating func place(_ reader: inout RecordReader, _ range: CodePointRange) -> CodePointRange? {
        let range = unescaped.position(of: range)
        if withFinder({ $0.contains(range) }) { return range }
        reader.note(.dropped, .misplaced)
        return nil
    }

    /// Where an entity stands that is sent with these indices and is spelled in this way.
    ///
    /// Indices that do not cut it out are replaced by where it stands once, or left out; both are reported.
    mutating func place(
        _ reader: inout RecordReader, _ sent: SentIndices?, of spelling: EntitySpelling
    ) -> CodePointRange? {
        guard let sent else { return nil }
        if let range = sent.range.map(unescaped.position(of:)), withFinder({ $0.holds(spelling, at: range) }) {
            return range
        }
        let found = withFinder { $0.find(spelling.all) }
        reader.at(key) { $0.note(found == nil ? .dropped : .coerced, .misplaced) }
        return found
    }

    private mutating func withFinder<Result>(_ body: (inout EntityFinder) -> Result) -> Result {
        var finder = finder.take() ?? EntityFinder(unescaped.text)
        defer { self.finder = finder }
        return body(&finder)
    }
}
