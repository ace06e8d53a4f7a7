import JSONText

/// The text of a coding key.
struct KeySpelling {
    /// A number that is the same for equal texts.
    let number: Int
    /// The text with quotes and colon: `"key":`.
    let text: [UInt8]
}

/// The spellings of the coding keys of one type, cached for one encoding.
final class KeySpellings {
    private var known = KeyMemo<KeySpelling>()

    /// Returns the spelling of a coding key of the object at `path`.
    func spelling(of key: some CodingKey, in path: CodingPath, _ state: EncodingState) -> KeySpelling {
        let name = key.stringValue
        if let spelling = known.value(of: name) { return spelling }
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
