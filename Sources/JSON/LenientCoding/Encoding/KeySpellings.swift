/// The spellings of the coding keys of one type, cached for one encoding.
final class KeySpellings {
    let type: any CodingKey.Type
    @exclusivity(unchecked) private var table = Table()

    init(of type: any CodingKey.Type) { self.type = type }

    /// Begins a member whose coding key is called `name`; returns nil if the key is not known.
    @inline(__always)
    func begin(_ name: String, at depth: Int, in text: inout EncodingText) -> Bool? {
        table.begin(name, at: depth, in: &text)
    }

    /// Begins a member whose coding key is called `name` and caches the key's spelling.
    func begin(
        _ name: String, spelled spelling: String, number: Int, at depth: Int, in text: inout EncodingText
    ) -> Bool {
        table.begin(name, spelled: spelling, number: number, at: depth, in: &text)
    }

    /// The content is one value, which is changed in place: a copy of a property would count a reference.
    private struct Table {
        private var keys = KeyMemo<Spelling>()
        /// The texts of the keys, one after the other, so that writing one counts no reference.
        private var texts: [UInt8] = []

        private struct Spelling {
            let number: Int
            /// The bounds of the text `,"key":`.
            let start: Int
            let end: Int
        }

        @inline(__always)
        mutating func begin(_ name: String, at depth: Int, in text: inout EncodingText) -> Bool? {
            guard let index = keys.index(of: name) else { return nil }
            let spelling = keys[index]
            return text.beginMember(at: depth, spelling.number, texts.span.extracting(spelling.start..<spelling.end))
        }

        mutating func begin(
            _ name: String, spelled spelling: String, number: Int, at depth: Int, in text: inout EncodingText
        ) -> Bool {
            // Further keys are seldom those of a type: they are data.
            if keys.isFull { return text.beginMember(at: depth, number, named: spelling) }
            let start = texts.count
            guard text.beginMember(at: depth, number, named: spelling, copyingTo: &texts) else { return false }
            _ = keys.insert(Spelling(number: number, start: start, end: texts.count), for: name)
            return true
        }
    }
}
