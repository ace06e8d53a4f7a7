import CScan

extension JSONWriter {
    /// Writes a string with its quotes and the escapes JSON asks for; `/` and text that is not ASCII stay as they are.
    ///
    ///     writer.write("Wind \"Ida\"\n")  // "Wind \"Ida\"\n"
    public mutating func write(_ value: String) {
        // Without a copy of the string, which `withUTF8` needs.
        if value.utf8.withContiguousStorageIfAvailable({ write(string: $0) }) == nil {
            var value = value
            value.withUTF8 { write(string: $0) }
        }
    }

    /// Writes a string that is given as valid UTF-8.
    ///
    ///     bytes.withUnsafeBufferPointer { writer.write(string: $0) }
    public mutating func write(string text: UnsafeBufferPointer<UInt8>) {
        guard var cursor = text.baseAddress else { return write(raw: "\"\"") }
        let end = cursor + text.count
        write(byte: UInt8(ascii: "\""))
        while true {
            let left = end - cursor
            let plain = weir_copy_unescaped(reserve(left + 1), cursor, left)
            advance(by: plain)
            cursor += plain
            if cursor == end { break }
            write(escaped: cursor.pointee)
            cursor += 1
        }
        write(byte: UInt8(ascii: "\""))
    }

    /// Writes a string value that is still on the tape, its escapes copied, without decoding it.
    ///
    /// An escape of a lone surrogate becomes `\ufffd`: no text can hold it.
    ///
    ///     if let title = root["title"] { writer.write(stringOf: title) }
    public mutating func write(stringOf node: JSONNode) {
        let length = node.length &+ 2
        let room = reserve(length + 16)
        // The quotes are copied from the source too.
        weir_copy(room, node.source + (node.offset - 1), length, node.sourceEnd)
        if node.kind == .escapedString { LoneSurrogates.replace(in: room, length) }
        advance(by: length)
    }

    /// A control character as JSON spells it.
    static func escape(of byte: UInt8) -> [UInt8] {
        var writer = JSONWriter(capacity: 8)
        writer.write(escaped: byte)
        return writer.bytes
    }

    private mutating func write(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): write(raw: "\\\"")
        case UInt8(ascii: "\\"): write(raw: "\\\\")
        case 0x08: write(raw: "\\b")
        case 0x09: write(raw: "\\t")
        case 0x0A: write(raw: "\\n")
        case 0x0C: write(raw: "\\f")
        case 0x0D: write(raw: "\\r")
        default:
            write(raw: "\\u00")
            write(byte: Hex.digit(byte >> 4))
            write(byte: Hex.digit(byte & 15))
        }
    }
}

/// Escapes of surrogates that are no pair.
enum LoneSurrogates {
    /// Overwrites each in checked JSON text with `\ufffd`, which is as long.
    static func replace(in text: UnsafeMutablePointer<UInt8>, _ length: Int) {
        let end = UnsafePointer(text + length)
        var cursor = UnsafePointer(text)
        while true {
            cursor = weir_scan_escapes(cursor, end)
            guard cursor < end else { return }
            guard cursor.pointee == UInt8(ascii: "\\") else {
                cursor += 1
                continue
            }
            guard let unit = Hex.unit(at: cursor, end), 0xD800...0xDFFF ~= unit else {
                cursor += 2
                continue
            }
            if unit < 0xDC00, let second = Hex.unit(at: cursor + 6, end), 0xDC00...0xDFFF ~= second {
                cursor += 12
                continue
            }
            let digits = text + (cursor - UnsafePointer(text) + 2)
            (digits[0], digits[1], digits[2], digits[3]) = (0x66, 0x66, 0x66, 0x64)
            cursor += 6
        }
    }
}
