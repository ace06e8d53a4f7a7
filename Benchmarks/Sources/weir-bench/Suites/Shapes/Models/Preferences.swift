/// An object with any keys, which a loop over `allKeys` reads and a loop over a dictionary writes.
struct Preferences: Codable {
    /// A key with any name.
    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var values: [String: Int]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        values = [:]
        for key in container.allKeys { values[key.stringValue] = try container.decode(Int.self, forKey: key) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in values { try container.encode(value, forKey: Key(stringValue: name)) }
    }

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 35)
        func name() -> String {
            let words = ["window", "font", "size", "color", "margin", "recent", "file", "auto", "save", "tab"]
            return (0..<3).map { _ in random.pick(words) }.joined(separator: "_")
        }
        return .array(
            (0..<100).map { _ in
                .object((0..<40).map { ("\(name())_\($0)", GeneratedValue(random.number(0...999))) })
            })
    }
}
