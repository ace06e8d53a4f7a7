extension Span<UInt8> {
    /// Whether `text` stands at `start`, where there is room for it.
    @inline(__always)
    func holds(_ text: StaticString, at start: Int) -> Bool {
        text.withUTF8Buffer { text in
            for index in text.indices where self[start + index] != text[index] { return false }
            return true
        }
    }

    /// Whether a byte stands anywhere; all are looked at, without a branch: many at once.
    func holds(_ byte: UInt8) -> Bool {
        var found: UInt8 = 0
        for index in indices { found |= self[index] == byte ? 1 : 0 }
        return found != 0
    }

    /// Where a byte stands first; nil where it does not.
    @inline(__always)
    func firstIndex(of byte: UInt8) -> Int? {
        for index in indices where self[index] == byte { return index }
        return nil
    }
}
