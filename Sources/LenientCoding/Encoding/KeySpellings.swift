import JSONText

/// The spellings of the coding keys of one type, cached for one encoding.
final class KeySpellings {
    private struct Spelling {
        let number: Int
        /// The bounds of the text `"key":`.
        let start: Int
        let end: Int
    }

    /// One value, so that its parts are accessed in place, without counting references.
    private struct Table {
        var keys = KeyMemo<Spelling>()
        /// The texts of the keys, one after the other.
        var texts: [UInt8] = []

        mutating func begin(_ name: String, at depth: Int, in text: inout EncodingText) -> Bool? {
            guard let index = keys.index(of: name) else { return nil }
            let spelling = keys[index]
            return text.beginMember(at: depth, spelling.number, texts, spelling.start..<spelling.end)
        }
    }

    @exclusivity(unchecked) private var table = Table()

    /// Begins a member whose coding key is called `name`; returns nil if the key is not known.
    func begin(_ name: String, at depth: Int, in text: inout EncodingText) -> Bool? {
        table.begin(name, at: depth, in: &text)
    }

    /// Begins a member whose coding key is called `name` and caches the key's spelling.
    func begin(
        _ name: String, spelled spelling: String, number: Int, at depth: Int, in text: inout EncodingText
    ) -> Bool {
        let start = table.texts.count
        guard text.beginMember(at: depth, number, named: spelling, copyingTo: &table.texts) else { return false }
        _ = table.keys.insert(Spelling(number: number, start: start, end: table.texts.count), for: name)
        return true
    }
}
