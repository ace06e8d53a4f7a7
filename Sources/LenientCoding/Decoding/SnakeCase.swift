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

    /// The letters and digits of `name` in lower case.
    static func canonical(_ name: String) -> String {
        var name = name
        let isASCII = name.withUTF8 { !$0.contains { $0 >= 0x80 } }
        if !isASCII { name = name.lowercased() }
        return name.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { canonical in
                var count = 0
                for byte in bytes {
                    let lowered = byte | 0x20
                    let isLetter = lowered &- UInt8(ascii: "a") < 26
                    guard isLetter || byte &- UInt8(ascii: "0") < 10 || byte >= 0x80 else { continue }
                    canonical[count] = isLetter ? lowered : byte
                    count += 1
                }
                return count
            }
        }
    }
}

/// The members of an object by the letters and digits of their names.
struct SnakeCaseIndex {
    private let names: [String]
    private let canonical: NameIndex

    init(_ names: [String]) {
        self.names = names
        canonical = NameIndex(names.map(SnakeCase.canonical))
    }

    /// The first member whose conversion is `name`, else the first that has its letters and digits.
    func ordinal(of name: String) -> Int? {
        let sought = SnakeCase.canonical(name)
        guard !sought.isEmpty, let last = canonical.lastOrdinal(of: sought) else { return nil }
        guard canonical.hasDuplicates else { return last }
        let similar = names.indices.filter { NameIndex.areEqual(canonical.names[$0], sought) }
        return similar.first { NameIndex.areEqual(SnakeCase.converted(names[$0]), name) } ?? similar.first
    }
}

extension SnakeCase {
    /// `name` in snake_case as Foundation makes it: `myURLValue` as `my_url_value`.
    static func unconverted(_ name: String) -> String {
        let letters = Array(name)
        var words: [ArraySlice<Character>] = []
        var start = 0
        var behind = min(1, letters.count)
        while let capital = letters[behind...].firstIndex(where: \.isUppercase) {
            words.append(letters[start..<capital])
            start = capital
            guard let small = letters[capital...].firstIndex(where: \.isLowercase) else { break }
            if small > capital + 1 {
                // The last of several capitals begins the next word.
                words.append(letters[capital..<(small - 1)])
                start = small - 1
            }
            behind = small + 1
        }
        words.append(letters[start...])
        return words.map { String($0).lowercased() }.joined(separator: "_")
    }
}
