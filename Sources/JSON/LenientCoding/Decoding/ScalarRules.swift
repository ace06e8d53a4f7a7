import JSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The types that are not decoded by their own `init(from:)`, nor encoded by their own `encode(to:)`.
enum ScalarRules {
    /// Returns whether values of a type are decoded and encoded by the rules of this module.
    ///
    /// The first three types and `UUID` only take a shorter way; the others have strategies or rules of their own.
    @inline(__always)
    static func apply(to type: Any.Type) -> Bool {
        type == String.self || type == Int.self || type == Double.self || type == Date.self || type == URL.self
            || type == Decimal.self || type == Data.self || type == UUID.self
    }
}

extension DecodingState {
    // Specialized, so that the casts take no time: 4 % of decoding a forecast, 2 % of tweets, 0 % of events and builds.
    @specialized(where Value == String)
    @specialized(where Value == Int)
    @specialized(where Value == Double)
    @specialized(where Value == Date)
    @specialized(where Value == URL)
    @inline(never)
    func decodeByRules<Value: Decodable>(
        _ type: Value.Type, _ node: JSONNode, isDeclared: Bool, _ decoder: () -> ValueDecoder
    ) throws -> Value {
        if type == String.self { return try cast(scalar(String.self, node, isDeclared, decoder), node, decoder) }
        if type == Int.self { return try cast(scalar(Int.self, node, isDeclared, decoder), node, decoder) }
        if type == Double.self { return try cast(scalar(Double.self, node, isDeclared, decoder), node, decoder) }
        if type == Date.self { return try cast(date(node, isDeclared, decoder), node, decoder) }
        if type == URL.self { return try cast(url(node, isDeclared, decoder), node, decoder) }
        if type == Decimal.self { return try cast(decimal(node, isDeclared, decoder), node, decoder) }
        if type == UUID.self { return try cast(uuid(node, decoder), node, decoder) }
        if type == Data.self { return try cast(data(node, isDeclared, decoder), node, decoder) }
        throw failure(type, node, at: decoder())
    }

    /// Casts a value to its dynamic type, which is `Value`.
    @inline(never)
    private func cast<Source, Value>(_ value: Source, _ node: JSONNode, _ decoder: () -> ValueDecoder) throws -> Value {
        guard let value = value as? Value else { throw failure(Value.self, node, at: decoder()) }
        return value
    }
}

// MARK: Types that do not use their own init(from:)

extension DecodingState {
    @inline(__always)
    private func scalar<Value: Scalar>(
        _ type: Value.Type, _ node: JSONNode, _ isDeclared: Bool, _ decoder: () -> ValueDecoder
    ) throws -> Value {
        if let value = Value.read(node) { return value }
        return try convert(node, at: decoder(), isDeclared: isDeclared)
    }

    private func date(_ node: JSONNode, _ isDeclared: Bool, _ decoder: () -> ValueDecoder) throws -> Date {
        switch configuration.dateDecodingStrategy {
        case .deferredToDate: Date(timeIntervalSinceReferenceDate: try scalar(Double.self, node, isDeclared, decoder))
        case .secondsSince1970: Date(timeIntervalSince1970: try scalar(Double.self, node, isDeclared, decoder))
        case .millisecondsSince1970:
            Date(timeIntervalSince1970: try scalar(Double.self, node, isDeclared, decoder) / 1000)
        case .iso8601: try date(node, isDeclared, decoder, ISO8601.expectation, readISO8601)
        case .format(let format): try date(node, isDeclared, decoder, format.expectation, format.date)
        case .custom(let read): try date(decoder(), read)
        }
    }

    private func date(_ decoder: consuming ValueDecoder, _ read: (any Decoder) throws -> Date) throws -> Date {
        let date = try read(decoder)
        ValueDecoder.recycle(consume decoder)
        return date
    }

    private func date(
        _ node: JSONNode, _ isDeclared: Bool, _ decoder: () -> ValueDecoder, _ expectation: @autoclosure () -> String,
        _ parse: (String) -> Date?
    ) throws -> Date {
        guard node.isString else { throw failure(String.self, node, at: decoder()) }
        guard let date = parse(try scalar(String.self, node, isDeclared, decoder)) else {
            throw unreadable(expectation(), node, at: decoder())
        }
        return date
    }

    private func url(_ node: JSONNode, _ isDeclared: Bool, _ decoder: () -> ValueDecoder) throws -> URL {
        guard let url = URL(string: try scalar(String.self, node, isDeclared, decoder)) else {
            throw unreadable("a URL", node, at: decoder())
        }
        return url
    }

    private func uuid(_ node: JSONNode, _ decoder: () -> ValueDecoder) throws -> UUID {
        if node.isString, let uuid = UUID(text: node.text) { return uuid }
        return try UUID(from: decoder())
    }

    private func decimal(_ node: JSONNode, _ isDeclared: Bool, _ decoder: () -> ValueDecoder) throws -> Decimal {
        if node.isNumber, let value = Decimal(plain: node.text) { return value }
        if node.isNumber, let value = Decimal(string: String(decoding: node.text, as: UTF8.self)), value.isFinite {
            return value
        }
        guard coerces, isDeclared, node.isString, let value = JSONValue(scalar: node).flatMap(Decimal.coerced)?.value
        else { throw failure(Decimal.self, node, at: decoder()) }
        note(.coerced, .numericString, at: decoder())
        return value
    }

    private func data(_ node: JSONNode, _ isDeclared: Bool, _ decoder: () -> ValueDecoder) throws -> Data {
        switch configuration.dataDecodingStrategy {
        case .deferredToData: return try Data(from: decoder())
        case .custom(let read): return try read(decoder())
        case .base64:
            guard let data = Data(base64Encoded: try scalar(String.self, node, isDeclared, decoder)) else {
                throw unreadable("bytes in base64", node, at: decoder())
            }
            return data
        }
    }
}

extension DecodingState {
    /// Returns the date of a string for the strategy `iso8601`; nil if it has another form.
    func readISO8601(_ text: String) -> Date? {
        if configuration.leniency.contains(.dateForms), let date = ISO8601.date(from: text) { return date }
        return FoundationDate.date(from: text)
    }
}

/// The dates that `JSONDecoder` reads with `iso8601`.
enum FoundationDate {
    /// Returns the date of `text`; nil if Foundation does not read it.
    static func date(from text: String) -> Date? {
        if isPlain(text.utf8.span), let date = ISO8601.date(from: text) { return date }
        return try? Date.ISO8601FormatStyle().parse(text)
    }

    /// Whether a date that `ISO8601` reads has a form of which Foundation makes the same date, 30 times as slowly.
    ///
    /// Foundation's calendar is Julian before 1582, and it has no zones beyond 18 hours.
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        guard text.count == 20 || text.count == 25, text[10] == UInt8(ascii: "T"), text[16] == UInt8(ascii: ":"),
            text[0] > UInt8(ascii: "1") || text[1] > UInt8(ascii: "5")
        else { return false }
        if text.count == 20 { return text[19] == UInt8(ascii: "Z") }
        return text[22] == UInt8(ascii: ":") && (text[20], text[21]) < (UInt8(ascii: "1"), UInt8(ascii: "8"))
    }
}
