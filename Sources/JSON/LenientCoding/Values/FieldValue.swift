public import JSONText
public import Records

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Types of Foundation as fields of records.

/// A date as a field of a record, by the strategy of the decoder or encoder.
///
///     struct Event: Record {
///         var start = Date.distantPast, end: Date?, site: URL?, price: Decimal?, badge: Data?
///         static let schema = Schema<Event> {
///             Field(\.start)
///             Field(\.end)
///             Field(\.site)
///             Field(\.price)
///             Field(\.badge)
///         }
///     }
///     decoder.dateDecodingStrategy = .iso8601
///     let event = try decoder.decode(Event.self, from: bytes)
///
/// Without a decoder of this library it is a number of seconds since 2001, the default strategy. `UnixSeconds` and
/// `FormattedDate` have the same form with every decoder.
extension Date: FieldValue {
    /// A date.
    public static var expectation: String { "a date" }

    /// Reads a date by the strategy of the decoder.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Date? {
        switch reader.configuration.dateDecodingStrategy {
        case .deferredToDate: return Double.read(node, rules, &reader).map(Date.init(timeIntervalSinceReferenceDate:))
        case .secondsSince1970: return Double.read(node, rules, &reader).map(Date.init(timeIntervalSince1970:))
        case .millisecondsSince1970:
            return Double.read(node, rules, &reader).map { Date(timeIntervalSince1970: $0 / 1000) }
        case .format(let format):
            if rules.meanAbsent(node) { return reader.fail(.sentinel) }
            return node.string.flatMap(format.date) ?? reader.fail(.mistyped)
        case .iso8601, .custom: return reader.decode(Date.self, node, rules)
        }
    }

    /// Writes the date by the strategy of the encoder.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        switch style.configuration.dateEncodingStrategy {
        case .deferredToDate: writer.write(timeIntervalSinceReferenceDate)
        case .secondsSince1970: writer.write(timeIntervalSince1970)
        case .millisecondsSince1970: writer.write(timeIntervalSince1970 * 1000)
        case .iso8601, .format, .custom: style.encode(self, to: &writer)
        }
    }
}

/// A URL as a field of a record: a string, which stays as it is.
extension URL: FieldValue {
    /// A URL.
    public static var expectation: String { "a URL" }

    /// The schema of a string.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        ["type": "string", "format": "uri-reference"]
    }

    /// Reads a string that is a URL, absolute or relative.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> URL? {
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        return reader.string(of: node).flatMap { URL(string: $0) } ?? reader.fail(.mistyped)
    }

    /// Writes the URL as a string.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(absoluteString) }
}

/// A decimal number of up to 38 digits as a field of a record; its digits stay as they are.
extension Decimal: FieldValue {
    /// A decimal number.
    public static var expectation: String { "a decimal number" }

    /// The schema of a number.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { ["type": "number"] }

    /// Reads a number or, unless the field is exact, a number in a string.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Decimal? {
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        guard let decimal = JSONValue(scalar: node).flatMap(Decimal.coerced),
            decimal.reason == nil || reader.coerces(rules)
        else { return reader.fail(node.isNumber ? .inexact : .mistyped) }
        if let range = rules.plausible, let value = node.double ?? Double(decimal.value.description),
            !range.contains(value)
        {
            return reader.fail(.implausible)
        }
        if let reason = decimal.reason { reader.noteCoercion(reason, expected: expectation) }
        return decimal.value
    }

    /// Writes the digits; `null` for NaN.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        if isFinite { JSONValue.number(description).write(to: &writer) } else { writer.writeNull() }
    }
}

/// Bytes as a field of a record, by the strategy of the decoder or encoder; in base64 by default.
extension Data: FieldValue {
    /// Bytes in base64.
    public static var expectation: String { "bytes in base64" }

    /// The schema of a string in base64.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        ["type": "string", "contentEncoding": "base64"]
    }

    /// Reads bytes by the strategy of the decoder.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Data? {
        guard case .base64 = reader.configuration.dataDecodingStrategy else {
            return reader.decode(Data.self, node, rules)
        }
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        return node.string.flatMap { Data(base64Encoded: $0) } ?? reader.fail(.mistyped)
    }

    /// Writes the bytes by the strategy of the encoder.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        guard case .base64 = style.configuration.dataEncodingStrategy else { return style.encode(self, to: &writer) }
        writer.write(base64EncodedString())
    }
}

extension WritingStyle {
    /// The encoder's configuration.
    fileprivate var configuration: CompactEncoder { strategies?.encoder as? CompactEncoder ?? CompactEncoder() }

    /// Writes a value as the encoder encodes it, or `null`, and keeps the error for the encoder.
    fileprivate func encode(_ value: some Encodable, to writer: inout JSONWriter) {
        do {
            let bytes: [UInt8] = try configuration.encode(value)
            writer.write(raw: bytes)
        } catch {
            strategies?.fail(error)
            writer.writeNull()
        }
    }
}

extension ValueDecoder {
    /// The rules for records that follow from the decoder's configuration.
    var recordRules: DecoderRules {
        // Without letters, no names are similar.
        let findsSimilar = state.configuration.leniency.contains(.similarKeys)
        let letters = findsSimilar ? SnakeCase.letters : { _ in "" }
        let keys: DecoderRules.KeyConversion =
            switch state.configuration.keyDecodingStrategy {
            case .useDefaultKeys: .none
            case .convertFromSnakeCase: .snakeCase(converted: SnakeCase.camelCased, letters: letters)
            case .custom(let convert): .custom(convert)
            }
        return DecoderRules(
            coerces: state.coerces, toleratesMistyped: state.skipsMistyped,
            readsLoneSurrogates: state.readsLoneSurrogates, keys: keys, decoder: self)
    }
}

extension ValueEncoder {
    /// The strategies of the configuration for dates and data; nil for the default ones.
    var recordStrategies: EncoderStrategies? {
        if case .deferredToDate = branch.state.configuration.dateEncodingStrategy,
            case .base64 = branch.state.configuration.dataEncodingStrategy
        {
            return nil
        }
        return EncoderStrategies(branch.state.configuration)
    }
}

extension RecordReader {
    /// The decoder's configuration; the default one, with all repairs, if the record is read without a decoder.
    var configuration: LenientDecoder {
        if let decoder = rules?.decoder as? ValueDecoder { return decoder.state.configuration }
        var configuration = LenientDecoder()
        configuration.leniency = .all
        return configuration
    }

    /// Decodes the current value with the decoder of the record; returns nil, with a reason, if it does not decode.
    mutating func decode<Value: Decodable>(_ type: Value.Type, _ node: JSONNode, _ rules: FieldRules) -> Value? {
        if rules.meanAbsent(node) { return fail(.sentinel) }
        do {
            if let decoder = self.rules?.decoder as? ValueDecoder {
                let inner = locationKeys.reduce(decoder) { parent, key in
                    let step = key.intValue.map(PathStep.element) ?? .member(key)
                    return ValueDecoder(decoder.state, at: node.position, step, of: parent)
                }
                return try inner.decode(type)
            }
            let state = DecodingState(node, configuration, reportsUnknownMembers: false)
            defer { state.end() }
            return try ValueDecoder(state, at: node.position, .root, of: nil).decode(type)
        } catch DecodingError.typeMismatch {
            return fail(.mistyped)
        } catch {
            // Not `invalid`, which means that something inside of the value is wrong and noted.
            return fail(node.isNumber ? .inexact : .mistyped)
        }
    }
}
