import JSONText

/// The text of a coding key.
final class KeySpelling {
    /// A number that is the same for equal texts.
    let number: Int
    /// The text with quotes and colon: `"key":`.
    let text: [UInt8]

    init(number: Int, text: [UInt8]) {
        self.number = number
        self.text = text
    }
}

/// The spellings of the coding keys of one type, cached for one encoding.
final class KeySpellings {
    @exclusivity(unchecked) private var known = KeyMemo<KeySpelling>()

    /// Returns the cached spelling of the coding key called `name`.
    func spelling(of name: String) -> KeySpelling? { known.value(of: name) }

    /// Returns the spelling of a coding key of the object at `path`, and caches it.
    func makeSpelling(of key: some CodingKey, in path: CodingPath, _ state: EncodingState) -> KeySpelling {
        let name = key.stringValue
        switch state.configuration.keyEncodingStrategy {
        case .useDefaultKeys: return remember(state.spelling(name), of: name)
        case .convertToSnakeCase: return remember(state.spelling(SnakeCase.snakeCased(name)), of: name)
        // Not cached: the closure may convert a key differently at another path.
        case .custom(let convert): return state.spelling(convert(path.keys + [key]).stringValue)
        }
    }

    private func remember(_ spelling: KeySpelling, of name: String) -> KeySpelling {
        known.insert(spelling, for: name)
        return spelling
    }
}
