// Texts of generated tweets.
extension SplitMix64 {
    /// Returns the name of an account.
    mutating func name() -> String {
        (0..<number(2...4)).map { _ in pick(["ka", "to", "mi", "ren", "yu", "so", "_", "77", "no"]) }
            .joined()
    }

    /// Returns ten letters and digits, as in a shortened link.
    mutating func code() -> String {
        let letters = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String((0..<10).map { _ in pick(letters) })
    }

    /// Returns a time in ISO 8601 with milliseconds.
    mutating func timestamp(year: Int) -> String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let date = [number(1...12), number(1...28)].map(two).joined(separator: "-")
        let time = [number(0...23), number(0...59), number(0...59)].map(two).joined(separator: ":")
        return "\(year)-\(date)T\(time).000Z"
    }

    /// Returns a text of that many short words.
    mutating func sentence(words: ClosedRange<Int>) -> String {
        let parts = [
            "今日は", "いい天気", "ですね", "雨の音", "が好き", "、", "。", "カメラ", "と", "散歩", "した", "☂️", "😊", "山まで",
            "…", "ありがとう", "！", "また", "明日", "\n", "sora", "12時", "「朝」",
        ]
        return (0..<number(words)).map { _ in pick(parts) }.joined()
    }
}
