/// The spellings of the coding keys of one type, cached for one encoding.
struct KeySpellings {
    private struct Spelling {
        let number: Int
        /// The bounds of the text `"key":`.
        let start: Int
        let end: Int
    }

    let type: any CodingKey.Type
    private var keys = KeyMemo<Spelling>()
    /// The texts of the keys, one after the other, so that writing one counts no reference.
    private var texts: [UInt8] = []

    init(of type: any CodingKey.Type) { self.type = type }

    /// Begins a member whose coding key is called `name`; returns nil if the key is not known.
    mutating func begin(_ name: String, at depth: Int, in text: inout EncodingText) -> Bool? {
        guard let index = keys.index(of: name) else { return nil }
        let spelling = keys[index]
        return text.beginMember(at: depth, spelling.number, texts, spelling.start..<spelling.end)
    }

    /// Begins a member whose coding key is called `name` and caches the key's spelling.
    mutating func begin(
        _ name: String, spelled spelling: String, number: Int, at depth: Int, in text: inout EncodingText
    ) -> Bool {
        let start = texts.count
        guard text.beginMember(at: depth, number, named: spelling, copyingTo: &texts) else { return false }
        _ = keys.insert(Spelling(number: number, start: start, end: texts.count), for: name)
        return true
    }
}
