import FoundationEssentials

/// Spellings of a name: in snake_case, in camelCase, and bare of both.
enum SnakeCase {
    /// `name` in camelCase as Foundation makes it: underscores inside go and the words behind them are capitalized.
    static func converted(_ name: String) -> String {
        let core = name.drop { $0 == "_" }
        let trailing = core.reversed().prefix { $0 == "_" }.count
        let words = core.dropLast(trailing).split(separator: "_")
        guard let first = words.first, words.count > 1 else { return name }
        let leading = name.count - core.count
        return String(repeating: "_", count: leading) + first.lowercased()
            + words.dropFirst().map { String($0).capitalized }.joined() + String(repeating: "_", count: trailing)
    }

    /// The letters and digits of `name` in lower case; nil when it has none.
    static func canonical(_ name: String) -> String? {
        let bytes = name.lowercased().utf8.filter { byte in
            byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

/// The members of an object by the letters and digits of their names.
struct SnakeCaseIndex {
    private let names: [String]
    private var ordinals: [String: [Int]] = [:]

    init(_ names: [String]) {
        self.names = names
        for (ordinal, name) in names.enumerated() {
            if let canonical = SnakeCase.canonical(name) { ordinals[canonical, default: []].append(ordinal) }
        }
    }

    /// The first member whose conversion is `name`, else the first that has its letters and digits.
    func ordinal(of name: String) -> Int? {
        guard let canonical = SnakeCase.canonical(name), let similar = ordinals[canonical] else { return nil }
        return similar.first { SnakeCase.converted(names[$0]) == name } ?? similar.first
    }
}

extension SnakeCase {
    /// `name` in snake_case as Foundation makes it: `myURLValue` as `my_url_value`.
    static func unconverted(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            if index > 0, character.isUppercase {
                let followsSmall = !characters[index - 1].isUppercase
                let precedesSmall = index + 1 < characters.count && characters[index + 1].isLowercase
                if followsSmall || precedesSmall { result += "_" }
            }
            result += character.lowercased()
        }
        return result
    }
}
