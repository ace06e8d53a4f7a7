/// A text whose character references have become characters, and where its code points stood before.
struct UnescapedText {
    let text: String
    /// The code points behind which the text became shorter, as they were counted before, and by how many in all.
    private var shifts: [(end: Int, removed: Int)] = []

    /// Resolves the character references in `text`, each once: `&amp;lt;` is `&lt;`.
    init(_ text: String) {
        guard text.utf8.span.holds(UInt8(ascii: "&")) else {
            self.text = text
            return
        }
        let bytes = Array(text.utf8)
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0, codePoints = 0, removed = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "&"), let reference = CharacterReference(startOf: bytes[index...]) {
                plain += Array(String(reference.character).utf8)
                index += reference.length
                codePoints += reference.length
                removed += reference.length - 1
                shifts.append((codePoints, removed))
                continue
            }
            if bytes[index] & 0xC0 != 0x80 { codePoints += 1 }
            plain.append(bytes[index])
            index += 1
        }
        self.text = String(decoding: plain, as: UTF8.self)
    }

    /// Where the code point that was the `index`th stands now.
    ///
    /// One inside of a reference is the character that the reference became.
    func position(of index: Int) -> Int {
        let next = firstShift(after: index)
        let removed = next == 0 ? 0 : shifts[next - 1].removed
        guard next < shifts.count else { return index - removed }
        let start = shifts[next].end - (shifts[next].removed - removed) - 1
        return min(index, start) - removed
    }

    /// The number of shifts that end at `index` or before.
    private func firstShift(after index: Int) -> Int {
        var low = 0, high = shifts.count
        while low < high {
            let middle = (low + high) / 2
            if shifts[middle].end <= index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where a part of the text stands now.
    func position(of range: CodePointRange) -> CodePointRange {
        CodePointRange(position(of: range.start), position(of: range.end))
    }
}
