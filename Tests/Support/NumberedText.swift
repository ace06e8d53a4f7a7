/// A text that has a number in several places, so that a mixture of two versions is seen.
package struct NumberedText: Sendable {
    private static let digits = 7

    private var bytes: [UInt8]
    private let places: [Int]

    /// The text of `bytes`, whose places have the number `number` as `mark` writes it.
    package init(_ bytes: [UInt8], number: Int = 0) {
        self.bytes = bytes
        let mark = Array(Self.mark(number).utf8)
        var (places, index) = ([Int](), 0)
        while index <= bytes.count - mark.count {
            if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) {
                places.append(index)
                index += mark.count
            } else {
                index += 1
            }
        }
        self.places = places
    }

    /// Returns how a number is written, such as `v0000042`.
    package static func mark(_ number: Int) -> String {
        let text = "\(number)"
        return "v" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// How often the text has its number.
    package var count: Int { places.count }

    /// Returns the text with this number.
    package func with(_ number: Int) -> [UInt8] {
        var bytes = bytes
        let mark = Array(Self.mark(number).utf8)
        for place in places { bytes.replaceSubrange(place..<place + mark.count, with: mark) }
        return bytes
    }

    /// Returns the number of a text that is this one with any number; nil if it is another text, or a mixture.
    package func number(in text: [UInt8]) -> Int? {
        guard let place = places.first, text.count == bytes.count else { return nil }
        let digits = text[place + 1..<place + 1 + Self.digits]
        guard let number = Int(String(decoding: digits, as: UTF8.self)), number >= 0 else { return nil }
        return with(number) == text ? number : nil
    }
}
