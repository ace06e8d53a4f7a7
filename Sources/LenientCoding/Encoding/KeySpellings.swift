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

    /// Caches the spelling of the coding key called `name`.
    func insert(_ spelling: String, number: Int, of name: String) {
        let start = table.texts.count
        table.texts += JSONWriter.bytes(expecting: 64) { writer in
            writer.write(spelling)
            writer.write(byte: UInt8(ascii: ":"))
        }
        _ = table.keys.insert(Spelling(number: number, start: start, end: table.texts.count), for: name)
    }
}
