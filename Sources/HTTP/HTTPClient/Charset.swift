// Unsafe: the converter of glibc. It is opened, used and closed in one call, and gets pointers into the input, to which it does
// not write, and into an array inside of `withUnsafe…` only, with the counts of the same buffers.
import Glibc
public import HTTPCore

/// A charset other than UTF-8 that the Content-Type of a response names.
///
/// JSON is UTF-8 (RFC 8259 §8.1), but old servers send what their database has. Only the charsets of browsers are read (WHATWG
/// Encoding), because the system knows hundreds, and an upstream chooses the name.
public struct Charset: Sendable, Equatable {
    /// The name of the converter.
    public let name: String

    /// Names of converters by the labels of charsets, of which letters and digits count.
    private static let known: [String: String] = {
        let others = [
            ("CP932", "shiftjis sjis xsjis mskanji windows31j cp932 ms932 csshiftjis"), ("EUC-JP", "eucjp xeucjp"),
            ("ISO-2022-JP", "iso2022jp"), ("CP949", "euckr ksc5601 ksc56011987 korean windows949 cp949 uhc"),
            ("GB18030", "gb18030 gb2312 gbk xgbk cp936 gb231280 chinese"), ("BIG5", "big5 xxbig5 cnbig5 big5hkscs"),
            ("KOI8-R", "koi8r koi8 koi"), ("KOI8-U", "koi8u"), ("CP874", "tis620 windows874 cp874 iso885911"),
            ("MACINTOSH", "macintosh mac xmacroman"), ("CP866", "ibm866 cp866 866"),
            ("ISO-8859-1", "latin1 l1 ibm819 cp819"), ("ISO-8859-2", "latin2 l2"), ("ISO-8859-15", "latin9 l9"),
            ("UTF-16", "utf16 unicode ucs2"), ("UTF-16LE", "utf16le"), ("UTF-16BE", "utf16be"), ("UTF-32", "utf32"),
            ("UTF-32LE", "utf32le"), ("UTF-32BE", "utf32be"),
        ]
        var known: [String: String] = [:]
        for (name, labels) in others { for label in labels.split(separator: " ") { known[String(label)] = name } }
        for number in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16] {
            known["iso8859\(number)"] = "ISO-8859-\(number)"
        }
        for number in 1250...1258 {
            for label in ["windows", "cp", "xcp"] { known["\(label)\(number)"] = "CP\(number)" }
        }
        return known
    }()

    /// The charset of a response with these fields; nil for UTF-8, for none and for one that is not known.
    public init?(_ headers: HeaderFields) {
        guard let type = headers.bytes("Content-Type"), type.contains(UInt8(ascii: ";")) else { return nil }
        let parameters = String(decoding: type, as: UTF8.self).lowercased().split(separator: ";").dropFirst()
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " && $0 != "\t" }) == "charset" else { continue }
            // A slash would end the name of a converter.
            guard !parts[1].contains("/") else { return nil }
            let label = parts[1].filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            guard let name = Self.known[label] else { return nil }
            self.name = name
            return
        }
        return nil
    }

    /// The bytes that a text of `count` bytes takes in UTF-8 at most.
    public static func maximumBytes(of count: Int) -> Int { 3 * count }

    /// Returns a text of this charset in UTF-8, with U+FFFD for what is no character of the charset, and how many there are; nil
    /// if the text begins with the mark of UTF-8, or if the system cannot read the charset.
    public func convertedToUTF8(_ text: [UInt8]) -> (text: [UInt8], replaced: Int)? {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { return nil }
        guard let converter = iconv_open("UTF-8", source(of: text)), converter != iconv_t(bitPattern: -1) else {
            return nil
        }
        defer { iconv_close(converter) }
        let unit = name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
        var output: [UInt8] = [], replaced = 0
        output.reserveCapacity(text.count + text.count / 8)
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        text.withUnsafeBytes { text in
            var next = UnsafeMutablePointer(mutating: text.bindMemory(to: CChar.self).baseAddress), left = text.count
            while left > 0 {
                let (written, fault) = buffer.withUnsafeMutableBufferPointer { buffer in
                    var end = buffer.baseAddress, room = buffer.count
                    let fault = iconv(converter, &next, &left, &end, &room) == -1 ? errno : 0
                    return (buffer.count - room, fault)
                }
                output.append(contentsOf: buffer[..<written].lazy.map { UInt8(bitPattern: $0) })
                // A unit that is no character, or the beginning of one at the end.
                guard fault == EILSEQ || fault == EINVAL else { continue }
                output.append(contentsOf: "\u{FFFD}".utf8)
                replaced += 1
                let skipped = min(unit, left)
                next = next.map { $0 + skipped }
                left -= skipped
            }
        }
        if output.starts(with: [0xEF, 0xBB, 0xBF]) { output.removeFirst(3) }
        return (output, replaced)
    }

    /// The name for the converter: a mark of the order of bytes wins over the name, and without one the first character of JSON
    /// tells the order.
    private func source(of text: [UInt8]) -> String {
        guard let first = text.first else { return name }
        if name.hasPrefix("UTF-16") {
            if first >= 0xFE { return "UTF-16" }
            return name == "UTF-16" ? (first == 0 ? "UTF-16BE" : "UTF-16LE") : name
        }
        if name.hasPrefix("UTF-32") {
            if first == 0xFF || text.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
            return name == "UTF-32" ? (first == 0 ? "UTF-32BE" : "UTF-32LE") : name
        }
        return name
    }
}
