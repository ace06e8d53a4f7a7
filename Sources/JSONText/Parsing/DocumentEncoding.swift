/// The encodings of documents other than UTF-8, which RFC 8259 section 8.1 requires.
///
/// Unsafe: reads the parser's bytes by index, each one below their count.
enum DocumentEncoding {
    /// Returns a document in UTF-16 or UTF-32 in UTF-8, if the options allow that.
    ///
    /// Returns nil for UTF-8, and for text that is ill-formed, on which the parser then reports an error. The first two
    /// characters of a document are ASCII, so the zeros among their bytes tell the encoding (RFC 4627 section 3).
    static func convertedToUTF8(_ bytes: UnsafeBufferPointer<UInt8>, _ options: JSONOptions) -> [UInt8]? {
        guard options.leniency.contains(.otherEncodings), bytes.count > 1, bytes.count <= options.maximumBytes
        else { return nil }
        let start = (bytes[0], bytes[1], bytes.count > 3 ? bytes[2] : 1, bytes.count > 3 ? bytes[3] : 1)
        let text: String? =
            switch start {
            case (0, 0, 0xFE, 0xFF): utf32(bytes, 4, isBigEndian: true)
            case (0xFF, 0xFE, 0, 0): utf32(bytes, 4, isBigEndian: false)
            case (0xFE, 0xFF, _, _): utf16(bytes, 2, isBigEndian: true)
            case (0xFF, 0xFE, _, _): utf16(bytes, 2, isBigEndian: false)
            case (0, 0, 0, _): utf32(bytes, 0, isBigEndian: true)
            case (_, 0, 0, 0): utf32(bytes, 0, isBigEndian: false)
            case (0, _, _, _): utf16(bytes, 0, isBigEndian: true)
            case (_, 0, _, _): utf16(bytes, 0, isBigEndian: false)
            default: nil
            }
        return text.map { Array($0.utf8) }
    }

    private static func utf16(_ bytes: UnsafeBufferPointer<UInt8>, _ first: Int, isBigEndian: Bool) -> String? {
        let units: [UInt16]? = units(bytes, first, isBigEndian: isBigEndian)
        return units.flatMap { String(validating: $0, as: UTF16.self) }
    }

    private static func utf32(_ bytes: UnsafeBufferPointer<UInt8>, _ first: Int, isBigEndian: Bool) -> String? {
        let units: [UInt32]? = units(bytes, first, isBigEndian: isBigEndian)
        return units.flatMap { String(validating: $0, as: UTF32.self) }
    }

    /// Returns the code units of the bytes from `first` on; nil if the last one is incomplete.
    private static func units<Unit: FixedWidthInteger>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ first: Int, isBigEndian: Bool
    ) -> [Unit]? {
        let width = Unit.bitWidth / 8
        guard (bytes.count - first) % width == 0 else { return nil }
        return stride(from: first, to: bytes.count, by: width).map { start in
            (0..<width).reduce(0) { unit, offset in
                unit << 8 | Unit(bytes[start + (isBigEndian ? offset : width - 1 - offset)])
            }
        }
    }
}
