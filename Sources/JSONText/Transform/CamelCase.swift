/// Keys in camelCase, by the rules that every answer of Weir follows.
///
/// `nearest-station`, `nearest_station`, `Nearest Station`, `NEAREST_STATION` and `NearestStation` all become
/// `nearestStation`; `address_1` becomes `address1`, `temperature_2m` `temperature2m`, `image_url` `imageUrl`;
/// leading underscores and keys with letters beyond ASCII stay.
///
///     CamelCase.convert("NEAREST_STATION")  // "nearestStation"
public enum CamelCase {
    /// `key` in camelCase, or `key` itself where it is that already or has nothing to rename.
    ///
    ///     CamelCase.convert("image_url")  // "imageUrl"
    ///     CamelCase.convert("_id")  // "_id"
    public static func convert(_ key: String) -> String {
        var key = key
        return key.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: max(bytes.count, 1)) { room in
                guard let base = bytes.baseAddress, let target = room.baseAddress else { return 0 }
                return convert(base, bytes.count, into: target)
            }
        }
    }

    /// Writes the key of `count` bytes at `key` in camelCase to `target`, which has as much room.
    ///
    /// Returns its length, which is at most `count`.
    static func convert(_ key: UnsafePointer<UInt8>, _ count: Int, into target: UnsafeMutablePointer<UInt8>) -> Int {
        let bytes = UnsafeBufferPointer(start: key, count: count)
        var first = 0
        while first < count, bytes[first] == UInt8(ascii: "_") { first += 1 }
        var length = first
        target.update(from: key, count: first)
        first = start(ofWordIn: bytes, from: first)
        let end = end(ofWordIn: bytes, from: first)
        guard first < count, !bytes.contains(where: { $0 >= 0x80 }) else {
            target.update(from: key, count: count)
            return count
        }
        var next = start(ofWordIn: bytes, from: end)
        // A word that begins with a digit is not lowered alone: `1_A` becomes `1A`, which then stays.
        let isLoneNumber = next == count && isDigit(bytes[first])
        let isAllCaps = !isLoneNumber && !bytes.contains(where: isLower)
        let lowering = isAllCaps ? end : endOfLowering(bytes, first, end)
        for index in first..<end {
            target[length] = index < lowering ? lowered(bytes[index]) : bytes[index]
            length += 1
        }
        while next < count {
            let end = self.end(ofWordIn: bytes, from: next)
            for index in next..<end {
                target[length] = index == next ? raised(bytes[index]) : isAllCaps ? lowered(bytes[index]) : bytes[index]
                length += 1
            }
            next = start(ofWordIn: bytes, from: end)
        }
        return length
    }

    /// Where the capitals end with which the first word begins, and which become small: `URLString` as `urlString`,
    /// `Summary` as `summary`, `imageURL` as it is.
    private static func endOfLowering(_ bytes: UnsafeBufferPointer<UInt8>, _ first: Int, _ end: Int) -> Int {
        var capitals = first
        while capitals < end, isUpper(bytes[capitals]) { capitals += 1 }
        // The last capital of a run begins the next word when a small letter follows it.
        let isFollowed = capitals < end && isLower(bytes[capitals])
        return capitals - first > 1 && isFollowed ? capitals - 1 : capitals
    }

    private static func start(ofWordIn bytes: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
        var index = index
        while index < bytes.count, !isLetter(bytes[index]), !isDigit(bytes[index]) { index += 1 }
        return index
    }

    private static func end(ofWordIn bytes: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
        var index = index
        while index < bytes.count, isLetter(bytes[index]) || isDigit(bytes[index]) { index += 1 }
        return index
    }

    private static func isUpper(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
    private static func isLower(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { isUpper(byte) || isLower(byte) }
    private static func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
    private static func raised(_ byte: UInt8) -> UInt8 { isLower(byte) ? byte & 0xDF : byte }
}
