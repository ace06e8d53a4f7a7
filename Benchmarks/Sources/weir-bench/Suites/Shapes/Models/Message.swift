/// Strings with escapes and beyond ASCII.
struct Message: Codable {
    var subject: String
    var body: String
    var path: String
    var quote: String?
    var words: [String]

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 39)
        // As their JSON: with escapes that a writer need not make.
        let parts = [
            "plain words of some length ", "Größe \\u00fc\\u00e4 ", "\\\"quoted\\\" ", "line\\nline\\ttab ", "日本語のテキスト",
            "C:\\\\Temp\\\\file ", "https:\\/\\/example.org\\/a ", "\\ud83d\\ude00 ", "naïve café ", "\\u0001 ",
        ]
        func text(_ count: ClosedRange<Int>) -> GeneratedValue {
            .scalar("\"" + (0..<random.number(count)).map { _ in random.pick(parts) }.joined() + "\"")
        }
        return .array(
            (0..<500).map { _ in
                [
                    "subject": text(1...3), "body": text(5...20), "path": text(1...2),
                    "quote": random.happens(40) ? text(1...6) : nil,
                    "words": .array((0..<random.number(0...6)).map { _ in text(1...1) }),
                ]
            })
    }
}
