import LenientCoding

/// Puts the entities of a text where they stand in it once its character references are resolved.
struct EntityPlacing {
    private let unescaped: UnescapedText
    private var finder: EntityFinder
    private let key: StaticString

    /// The entities of a text as it was sent; they have their indices, or the first of them, under `key`.
    init(_ sent: String, indicesAt key: StaticString = "indices") {
        unescaped = UnescapedText(sent)
        finder = EntityFinder(unescaped.text)
        self.key = key
    }

    /// The text without character references.
    var text: String { unescaped.text }

    /// A part of the text; nil, and reported, where it is none.
    func place(_ reader: inout RecordReader, _ range: CodePointRange) -> CodePointRange? {
        let range = unescaped.position(of: range)
        if finder.contains(range) { return range }
        reader.note(.dropped, .misplaced)
        return nil
    }

    /// Where an entity stands that is sent with these indices and has one of these spellings.
    ///
    /// Indices that do not cut it out are replaced by where it stands once, or left out; both are reported.
    mutating func place(
        _ reader: inout RecordReader, _ sent: SentIndices?, of spellings: [String]
    ) -> CodePointRange? {
        guard let sent else { return nil }
        if let range = sent.range.map(unescaped.position(of:)), finder.holds(spellings, at: range) { return range }
        let found = finder.find(spellings)
        reader.at(key) { $0.note(found == nil ? .dropped : .coerced, .misplaced) }
        return found
    }
}
