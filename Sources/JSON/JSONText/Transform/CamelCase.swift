/// Keys in camelCase, as every answer of Weir has them.
///
/// `nearest-station`, `nearest_station`, `Nearest Station`, `NEAREST_STATION` and `NearestStation` all become
/// `nearestStation`; `address_1` becomes `address1`, `temperature_2m` `temperature2m`, `image_url` `imageUrl`. Leading
/// underscores stay, and so do keys with letters beyond ASCII.
///
///     CamelCase.convert("NEAREST_STATION")  // "nearestStation"
public enum CamelCase {
    /// Returns `key` in camelCase, or `key` itself if it has nothing to convert.
    ///
    ///     CamelCase.convert("image_url")  // "imageUrl"
    ///     CamelCase.convert("_id")  // "_id"
    public static func convert(_ key: String) -> String { String(decoding: convert(key.utf8.span), as: UTF8.self) }

    /// Returns the UTF-8 text `key` in camelCase, which is at most as long.
    static func convert(_ key: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: key.count) { convert(key, into: &$0) }
    }

    private static func convert(_ key: Span<UInt8>, into name: inout OutputSpan<UInt8>) {
        var start = 0
        while start < key.count, key[start] == UInt8(ascii: "_") { start += 1 }
        let first = word(in: key, from: start)
        guard !first.isEmpty, !key.contains({ $0 >= 0x80 }) else {
            for index in key.indices { name.append(key[index]) }
            return
        }
        var next = word(in: key, from: first.upperBound)
        // A word that begins with a digit is not lowered alone: `1_A` becomes `1A`, which then stays.
        let isLoneNumber = next.isEmpty && isDigit(key[first.lowerBound])
        let isAllCaps = !isLoneNumber && !key.contains(isLower)
        let lowering = isAllCaps ? first.upperBound : endOfCapitals(in: key, first)
        for index in 0..<start { name.append(key[index]) }
        for index in first { name.append(index < lowering ? lowered(key[index]) : key[index]) }
        while !next.isEmpty {
            name.append(raised(key[next.lowerBound]))
            for index in next.dropFirst() { name.append(isAllCaps ? lowered(key[index]) : key[index]) }
            next = word(in: key, from: next.upperBound)
        }
    }

    /// Returns the next run of letters and digits, which is empty at the end.
    private static func word(in key: Span<UInt8>, from index: Int) -> Range<Int> {
        var start = index
        while start < key.count, !isLetter(key[start]), !isDigit(key[start]) { start += 1 }
        var end = start
        while end < key.count, isLetter(key[end]) || isDigit(key[end]) { end += 1 }
        return start..<end
    }

    /// Returns the end of the capitals of the first word that become small: `URLString` becomes `urlString`, `Summary`
    /// `summary`, and `imageURL` stays.
    private static func endOfCapitals(in key: Span<UInt8>, _ word: Range<Int>) -> Int {
        let end = word.first { !isUpper(key[$0]) } ?? word.upperBound
        // The last capital of a run begins the next word if a small letter follows it.
        let isFollowed = end < word.upperBound && isLower(key[end])
        return end - word.lowerBound > 1 && isFollowed ? end - 1 : end
    }

    private static func isUpper(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
    private static func isLower(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { isUpper(byte) || isLower(byte) }
    private static func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
    private static func raised(_ byte: UInt8) -> UInt8 { isLower(byte) ? byte & 0xDF : byte }
}

extension Span<UInt8> {
    fileprivate func contains(_ predicate: (UInt8) -> Bool) -> Bool { indices.contains { predicate(self[$0]) } }
}
