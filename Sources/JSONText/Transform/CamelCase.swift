/// Keys in camelCase, by the rules that every answer of Weir follows.
///
/// `nearest-station`, `nearest_station`, `Nearest Station`, `NEAREST_STATION` and `NearestStation` all become
/// `nearestStation`; `address_1` becomes `address1`, `temperature_2m` `temperature2m`, `image_url` `imageUrl`;
/// leading underscores and keys with letters beyond ASCII stay.
public enum CamelCase {
    /// `key` in camelCase, or `key` itself where it is that already or has nothing to rename.
    public static func convert(_ key: String) -> String {
        let bytes = Array(key.utf8)
        if bytes.contains(where: { $0 >= 0x80 }) { return key }
        let underscores = bytes.prefix { $0 == UInt8(ascii: "_") }
        let words = bytes.dropFirst(underscores.count).split { !isLetter($0) && !isDigit($0) }
        guard let first = words.first else { return key }
        // A word that begins with a digit is not lowered alone: `1_A` becomes `1A`, which then stays.
        let isLoneNumber = words.count == 1 && first.prefix(1).contains(where: isDigit)
        let isAllCaps = !bytes.contains(where: isLower) && !isLoneNumber
        var result = Array(underscores)
        result += isAllCaps ? first.map(lowered) : loweringStart(of: first)
        for word in words.dropFirst() {
            let rest = word.dropFirst()
            result += word.prefix(1).map(raised)
            result += isAllCaps ? rest.map(lowered) : Array(rest)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// `URLString` as `urlString`, `Summary` as `summary`, `imageURL` as it is.
    private static func loweringStart(of word: ArraySlice<UInt8>) -> [UInt8] {
        let capitals = word.prefix(while: isUpper).count
        let following = word.dropFirst(capitals).first
        // The last capital of a run begins the next word when a small letter follows it.
        let lowering = capitals > 1 && following.map(isLower) == true ? capitals - 1 : capitals
        return word.prefix(lowering).map(lowered) + word.dropFirst(lowering)
    }

    private static func isUpper(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
    private static func isLower(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { isUpper(byte) || isLower(byte) }
    private static func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
    private static func raised(_ byte: UInt8) -> UInt8 { isLower(byte) ? byte & 0xDF : byte }
}
