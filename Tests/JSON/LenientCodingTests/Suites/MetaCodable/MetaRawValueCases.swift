import LenientCoding

// The test cases of MetaCodable for enumerations with raw values (RawRepresentableEnumTests).
extension MetaCodableCases {
    private enum Phase: String, Codable, CaseIterable { case waxing, full, waning }
    private enum Size: Int, Codable, CaseIterable { case small = 3, large = 8 }
    private struct Outer<Value: Codable & Equatable & Sendable>: Codable, Equatable {
        struct Inner: Codable, Equatable { let kind: Value }
        let kind: Inner
    }

    /// An enumeration that is a member of its own object.
    private enum Rank: String, Codable, CaseIterable {
        case first, second
        enum CodingKeys: CodingKey { case rank }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let text = try container.decode(String.self, forKey: .rank)
            guard let rank = Rank(rawValue: text) else {
                throw DecodingError.dataCorruptedError(forKey: .rank, in: container, debugDescription: "No rank.")
            }
            self = rank
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(rawValue, forKey: .rank)
        }
    }

    /// An enumeration that is also decoded from other values than its raw ones.
    private protocol Aliased: RawRepresentable, Codable, Equatable, Sendable, CaseIterable where RawValue: Codable {
        static func alias(_ value: JSONValue) -> Self?
    }
    private enum Verb: String, Aliased {
        case fetch, send, delete
        static func alias(_ value: JSONValue) -> Verb? { value.stringValue.flatMap { Verb(rawValue: $0.lowercased()) } }
        init(from decoder: any Decoder) throws { self = try MetaCodableCases.aliased(decoder) }
    }
    private enum Status: Int, Aliased {
        case fine = 200, refused = 400, failed = 500
        static func alias(_ value: JSONValue) -> Status? {
            switch value.intValue {
            case 200?, 201?, 202?: .fine
            case 400?, 403?, 404?: .refused
            case 500?, 503?: .failed
            default: nil
            }
        }
        init(from decoder: any Decoder) throws { self = try MetaCodableCases.aliased(decoder) }
    }
    private enum Level: String, Aliased {
        case info, error
        static func alias(_ value: JSONValue) -> Level? {
            switch value.stringValue {
            case "INFO"?, "NOTE"?: .info
            case "ERROR"?, "FATAL"?: .error
            case let text?: Level(rawValue: text)
            case nil: nil
            }
        }
        init(from decoder: any Decoder) throws { self = try MetaCodableCases.aliased(decoder) }
    }
    private enum Switch: String, Aliased {
        case on, off
        static func alias(_ value: JSONValue) -> Switch? {
            if let truth = value.boolValue { return truth ? .on : .off }
            if let text = value.stringValue { return Switch(rawValue: text) }
            guard let number = value.doubleValue else { return nil }
            if number == 30 || (35...40).contains(number) || number < -2.5 { return .off }
            return number >= -0.5 ? .on : nil
        }
        init(from decoder: any Decoder) throws { self = try MetaCodableCases.aliased(decoder) }
    }
    private static func aliased<Value: Aliased>(_ decoder: any Decoder) throws -> Value {
        let container = try decoder.singleValueContainer()
        if let value = Value.alias(try container.decode(JSONValue.self)) { return value }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "No such value.")
    }

    private enum Code: Int, Codable, CaseIterable {
        case fine = 200, failed = 500
        init(from decoder: any Decoder) throws {
            let number = try Int.decodeLosslessly(from: decoder)
            guard let code = Code(rawValue: number) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "No such code."))
            }
            self = code
        }
    }

    /// Expects a document for each value.
    private static func encodesAll<Value: Encodable & CaseIterable & Sendable & SendableMetatype>(
        _ origin: String, _ behaviour: String, _ type: Value.Type, as text: @escaping @Sendable (Value) -> String
    ) -> SuiteCase {
        SuiteCase(origin, behaviour) { coder in
            for value in type.allCases { try expect(coder.encode(value), is: text(value)) }
        }
    }

    private static func decodesAll<Value: Decodable & Equatable & Sendable>(
        _ origin: String, _ behaviour: String, _ pairs: [(String, Value)]
    ) -> SuiteCase {
        SuiteCase(origin, behaviour) { coder in
            for (text, value) in pairs { try expect(coder.decode(Value.self, text), is: value) }
        }
    }

    private static func survivesAll<Value: Codable & Equatable & CaseIterable & Sendable>(
        _ origin: String, _ behaviour: String, _ type: Value.Type
    ) -> SuiteCase {
        SuiteCase(origin, behaviour) { coder in
            for value in type.allCases { try expect(coder.roundTrip(value), is: value) }
        }
    }

    static let rawValues = SuiteCase.of("RawRepresentableEnumTests", plainValues + aliases + collections + codes)

    private static let plainValues = [
        decodesAll(
            "StringRepresentation.decoding", "A text in an object in an object",
            Phase.allCases.map { (#"{"kind":{"kind":"\#($0)"}}"#, Outer(kind: .init(kind: $0))) }),
        survivesAll("StringRepresentation.allCasesRoundtrip", "Values with text survive", Phase.self),
        .decodes("StringRepresentation.directDecoding", "A text alone", #""full""#, to: Phase.full),
        survivesAll("IntRepresentation.roundtrip", "Values with an integer survive", Size.self),
        encodesAll("IntRepresentation.encoding", "They are encoded as the integer", Size.self) { "\($0.rawValue)" },
        decodesAll(
            "IntRepresentation.decoding", "An integer in an object in an object",
            Size.allCases.map { (#"{"kind":{"kind":\#($0.rawValue)}}"#, Outer(kind: .init(kind: $0))) }),
        survivesAll("WithCodedAt.roundtrip", "Values in an object of their own survive", Rank.self),
        encodesAll("WithCodedAt.encoding", "They are encoded as a member", Rank.self) { #"{"rank":"\#($0)"}"# },
        decodesAll("WithCodedAt.decoding", "A member", Rank.allCases.map { (#"{"rank":"\#($0)"}"#, $0) }),
    ]

    private static let aliases = [
        survivesAll("WithCodedAs.httpMethodRoundtrip", "Values with other spellings survive", Verb.self),
        survivesAll("WithCodedAs.responseCodeRoundtrip", "Values with other numbers survive", Status.self),
        survivesAll("WithCodedAs.logLevelRoundtrip", "Values with several other texts survive", Level.self),
        encodesAll("WithCodedAs.httpMethodEncoding", "They are encoded as their raw text", Verb.self) { #""\#($0)""# },
        encodesAll("WithCodedAs.responseCodeEncoding", "They are encoded as their raw number", Status.self) {
            "\($0.rawValue)"
        },
        decodesAll(
            "WithCodedAs.httpMethodCodedAsDecoding", "Another spelling",
            Verb.allCases.map { (#""\#($0.rawValue.uppercased())""#, $0) }),
        decodesAll(
            "WithCodedAs.responseCodeMultipleValuesDecoding", "Several numbers for one value",
            [
                ("200", Status.fine), ("201", .fine), ("202", .fine), ("400", .refused), ("403", .refused),
                ("404", .refused), ("500", .failed), ("503", .failed),
            ]),
        decodesAll(
            "WithCodedAs.logLevelMultipleStringValuesDecoding", "Several texts for one value",
            [(#""INFO""#, Level.info), (#""NOTE""#, .info), (#""ERROR""#, .error), (#""FATAL""#, .error)]),
        decodesAll(
            "WithCodedAs.httpMethodRawValueFallback", "The raw text", Verb.allCases.map { (#""\#($0.rawValue)""#, $0) }),
        decodesAll(
            "WithCodedAs.responseCodeRawValueFallback", "The raw number", Status.allCases.map { ("\($0.rawValue)", $0) }
        ),
        decodesAll(
            "WithCodedAs.logLevelRawValueFallback", "The raw text of several",
            Level.allCases.map { (#""\#($0.rawValue)""#, $0) }),
        decodesAll(
            "WithCodedAs.commandComplexCodedAsDecoding", "Text, numbers, Booleans and ranges for one value",
            [
                (#""on""#, Switch.on), ("12", .on), ("true", .on), ("2.25", .on), ("15", .on), ("-0.5", .on),
                ("0.0", .on), (#""off""#, .off), ("30", .off), ("false", .off), ("35", .off), ("40", .off),
                ("-3.0", .off), ("-7.5", .off),
            ]),
        .refuses("WithCodedAs.invalidCodedAsValueDecoding", "Another text is an error", Verb.self, #""grab""#),
        .refuses("WithCodedAs.invalidResponseCodeDecoding", "Another number is an error", Status.self, "999"),
    ]

    private static let collections = [
        SuiteCase.decodes(
            "WithCodedAs.httpMethodArrayDecoding", "An array of both spellings", #"["FETCH","send","DELETE"]"#,
            to: [Verb.fetch, .send, .delete]),
        .decodes(
            "WithCodedAs.responseCodeArrayDecoding", "An array of several numbers", "[200,202,404,503]",
            to: [Status.fine, .fine, .refused, .failed]),
    ]

    private static let codes = [
        survivesAll("WithCodedBy.responseCodeRoundtrip", "Values that convert survive", Code.self),
        encodesAll("WithCodedBy.responseCodeEncoding", "They are encoded as the number", Code.self) {
            "\($0.rawValue)"
        },
        decodesAll("WithCodedBy.responseCodeDecoding", "A number", Code.allCases.map { ("\($0.rawValue)", $0) }),
        decodesAll("WithCodedBy.responseCodeStringDecoding", "Text", Code.allCases.map { (#""\#($0.rawValue)""#, $0) }),
        decodesAll(
            "WithCodedBy.responseCodeDoubleDecoding", "A number with zeros after the point",
            Code.allCases.map { ("\($0.rawValue).00", $0) }),
    ]
}
