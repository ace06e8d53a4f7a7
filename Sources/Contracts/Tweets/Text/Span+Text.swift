extension Span<UInt8> {
    /// Whether `text` stands at `start`, where there is room for it.
    @inline(__always)
    func holds(_ text: StaticString, at start: Int) -> Bool {
        text.withUTF8Buffer { text in
            for index in text.indices where self[start + index] != text[index] { return false }
            return true
        }
    }

    /// Where a byte stands first; nil where it does not.
    @inline(__always)
    func firstIndex(of byte: UInt8) -> Int? {
        for index in indices where self[index] == byte { return index }
        return nil
    }
}
