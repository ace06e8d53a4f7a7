extension Span<UInt8> {
    /// Whether `byte` occurs: compares every byte without a branch, so that the compiler vectorizes the loop.
    ///
    /// With `contains` of a `UTF8View`, normalizing a search takes 9 % more instructions.
    func contains(_ byte: UInt8) -> Bool {
        var found: UInt8 = 0
        for index in indices { found |= self[index] == byte ? 1 : 0 }
        return found != 0
    }

    /// Returns the index of the first `byte` from `start` on; nil if there is none.
    func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        var index = start
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// Whether `other` is at `start`.
    @inline(__always)
    func holds(_ other: StaticString, at start: Int) -> Bool {
        other.withUTF8Buffer { holds($0.span, at: start) }
    }

    /// Whether `other`, which is in lower case, is at `start`, in either case.
    @inline(__always)
    func holds(_ other: StaticString, at start: Int, ignoringCase: Bool) -> Bool {
        guard start >= 0, other.utf8CodeUnitCount <= count - start else { return false }
        return other.withUTF8Buffer { other in
            for index in other.indices {
                let byte = self[start + index]
                let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                if other[index] != (isUpper && ignoringCase ? byte | 0x20 : byte) { return false }
            }
            return true
        }
    }

    /// Whether `other` is at `start`.
    @inline(__always)
    func holds(_ other: Span<UInt8>, at start: Int) -> Bool {
        guard start >= 0, other.count <= count - start else { return false }
        for index in other.indices where self[start + index] != other[index] { return false }
        return true
    }
}

extension String {
    /// The text of bytes; U+FFFD replaces what is not UTF-8.
    init(repairing bytes: Span<UInt8>) {
        if let valid = try? UTF8Span(validating: bytes) {
            self.init(copying: valid)
        } else {
            self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}
