/// An encoding of documents other than UTF-8, which RFC 8259 section 8.1 requires: UTF-16 or UTF-32.
///
/// Unsafe: reads the parser's bytes by index, each one below their count.
struct DocumentEncoding {
    /// The number of bytes of a code unit: 2 or 4.
    private let width: Int
    private let isBigEndian: Bool
    /// The number of bytes of the byte order mark, if there is one.
    private let mark: Int

    /// The encoding of a document, or nil if it is UTF-8.
    ///
    /// The first two characters of a document are ASCII, so the zeros among their bytes tell the encoding (RFC 4627
    /// section 3).
    init?(of bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 1 else { return nil }
        switch (bytes[0], bytes[1], bytes.count > 3 ? bytes[2] : 1, bytes.count > 3 ? bytes[3] : 1) {
        case (0, 0, 0xFE, 0xFF): (width, isBigEndian, mark) = (4, true, 4)
        case (0xFF, 0xFE, 0, 0): (width, isBigEndian, mark) = (4, false, 4)
        case (0xFE, 0xFF, _, _): (width, isBigEndian, mark) = (2, true, 2)
        case (0xFF, 0xFE, _, _): (width, isBigEndian, mark) = (2, false, 2)
        case (0, 0, 0, _): (width, isBigEndian, mark) = (4, true, 0)
        case (_, 0, 0, 0): (width, isBigEndian, mark) = (4, false, 0)
        case (0, _, _, _): (width, isBigEndian, mark) = (2, true, 0)
        case (_, 0, _, _): (width, isBigEndian, mark) = (2, false, 0)
        default: return nil
        }
    }

    /// Returns a document in UTF-8, or nil if it is ill-formed.
    func convertedToUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let text: String? =
            if width == 2 {
                units(bytes).flatMap { String(validating: $0, as: UTF16.self) }
            } else {
                units(bytes).flatMap { String(validating: $0, as: UTF32.self) }
            }
        return text.map { Array($0.utf8) }
    }

    /// Returns the offset in the document of the character at an offset of its conversion.
    func offset(of offset: Int, inConverted bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var units = 0
        for byte in bytes.prefix(offset) where byte & 0xC0 != 0x80 {
            // Four bytes of UTF-8 are a pair of surrogates in UTF-16.
            units += width == 2 && byte >= 0xF0 ? 2 : 1
        }
        return mark + units * width
    }

    /// Returns the code units behind the mark; nil if the last one is incomplete.
    private func units<Unit: FixedWidthInteger>(_ bytes: UnsafeBufferPointer<UInt8>) -> [Unit]? {
        guard (bytes.count - mark) % width == 0 else { return nil }
        return stride(from: mark, to: bytes.count, by: width).map { start in
            (0..<width).reduce(0) { unit, offset in
                unit << 8 | Unit(bytes[start + (isBigEndian ? offset : width - 1 - offset)])
            }
        }
    }
}
