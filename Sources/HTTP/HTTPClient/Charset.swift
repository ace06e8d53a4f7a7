// Unsafe: the converter of glibc. It is opened, used and closed in one call, and gets pointers into the input and into an
// array inside of `withUnsafe…` only, with the counts of the same buffers.
import Glibc
public import HTTPCore

/// A charset other than UTF-8 that the Content-Type of a response names.
///
/// JSON is UTF-8 (RFC 8259 §8.1), but old servers send what their database has. Only these charsets are read, because the
/// system knows hundreds, and an upstream chooses the name.
public struct Charset: Sendable, Equatable {
    /// The name in lower case.
    public let name: String

    private static let known: Set<String> = [
        "iso-8859-1", "iso-8859-2", "iso-8859-5", "iso-8859-7", "iso-8859-9", "iso-8859-15", "latin1", "windows-1250",
        "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1257", "koi8-r", "koi8-u", "utf-16",
        "utf-16le", "utf-16be", "utf-32", "utf-32le", "utf-32be", "shift_jis", "euc-jp", "euc-kr", "gb2312", "gbk",
        "gb18030", "big5",
    ]

    /// The charset of a response with these fields; nil for UTF-8, for none and for one that is not known.
    public init?(_ headers: HeaderFields) {
        guard let type = headers.bytes("Content-Type"), type.contains(UInt8(ascii: ";")) else { return nil }
        let parameters = String(decoding: type, as: UTF8.self).lowercased().split(separator: ";").dropFirst()
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { part in
                part.trimming { $0 == " " || $0 == "\t" || $0 == "\"" }
            }
            guard parts.count == 2, parts[0] == "charset" else { continue }
            guard Self.known.contains(parts[1]) else { return nil }
            name = parts[1]
            return
        }
        return nil
    }

    /// The bytes that a text of `count` bytes takes in UTF-8 at most.
    public static func maximumBytes(of count: Int) -> Int { 3 * count }

    /// Returns a text of this charset in UTF-8, with U+FFFD for each byte that the charset does not have; nil if the text
    /// begins with the mark of UTF-8, or if the system cannot read the charset.
    public func convertedToUTF8(_ text: [UInt8]) -> [UInt8]? {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { return nil }
        guard let converter = iconv_open("UTF-8", source(of: text)), converter != iconv_t(bitPattern: -1) else {
            return nil
        }
        defer { iconv_close(converter) }
        var output: [UInt8] = []
        output.reserveCapacity(text.count + text.count / 8)
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        var input = text.map { CChar(bitPattern: $0) }
        input.withUnsafeMutableBufferPointer { input in
            var next = input.baseAddress, left = input.count
            while left > 0 {
                let (written, fault) = buffer.withUnsafeMutableBufferPointer { buffer in
                    var end = buffer.baseAddress, room = buffer.count
                    let fault = iconv(converter, &next, &left, &end, &room) == -1 ? errno : 0
                    return (buffer.count - room, fault)
                }
                output.append(contentsOf: buffer[..<written].lazy.map { UInt8(bitPattern: $0) })
                // A byte that is no character, or the beginning of one at the end.
                guard fault == EILSEQ || fault == EINVAL else { continue }
                output.append(contentsOf: "\u{FFFD}".utf8)
                next = next.map { $0 + 1 }
                left -= 1
            }
        }
        if output.starts(with: [0xEF, 0xBB, 0xBF]) { output.removeFirst(3) }
        return output
    }

    /// The name for the converter: without a mark, the first character of JSON tells the order of the bytes.
    private func source(of text: [UInt8]) -> String {
        guard name == "utf-16" || name == "utf-32", let first = text.first, first < 0xFE else { return name }
        return first == 0 ? name + "be" : name + "le"
    }
}

extension Substring {
    /// Returns the text without the characters at both ends that `isSpare` names.
    fileprivate func trimming(_ isSpare: (Character) -> Bool) -> String {
        var text = drop(while: isSpare)
        while let last = text.last, isSpare(last) { text.removeLast() }
        return String(text)
    }
}
