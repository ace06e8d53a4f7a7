import Foundation
import LenientCoding

/// A decoder and an encoder in their default settings, apart from what a case sets.
struct SuiteCoder: Sendable {
    let isFoundation: Bool
    var convertsSnakeCase = false
    var dates = Dates.deferred

    /// How dates are decoded and encoded.
    enum Dates: Sendable { case deferred, secondsSince1970, milliseconds, twitter }

    static let lenient = SuiteCoder(isFoundation: false)
    static let foundation = SuiteCoder(isFoundation: true)

    /// Returns the coder with keys converted from and to snake_case.
    var snakeCase: SuiteCoder {
        var coder = self
        coder.convertsSnakeCase = true
        return coder
    }

    /// Returns the coder with another strategy for dates.
    func dates(_ dates: Dates) -> SuiteCoder {
        var coder = self
        coder.dates = dates
        return coder
    }

    // MARK: Coding

    func decode<Value: Decodable>(
        _ type: Value.Type, _ text: String, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> Value {
        if isFoundation { return try foundationDecoder(userInfo).decode(type, from: Data(text.utf8)) }
        var decoder = LenientDecoder()
        decoder.userInfo = userInfo
        if convertsSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        switch dates {
        case .deferred: break
        case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
        case .milliseconds: decoder.dateDecodingStrategy = .custom { try ISO8601.decode(from: $0) }
        case .twitter: decoder.dateDecodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
        }
        return try decoder.decode(type, from: Array(text.utf8))
    }

    private func foundationDecoder(_ userInfo: [CodingUserInfoKey: any Sendable]) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        if convertsSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        switch dates {
        case .deferred: break
        case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
        case .milliseconds: decoder.dateDecodingStrategy = .custom { try ISO8601.decode(from: $0) }
        case .twitter: decoder.dateDecodingStrategy = .formatted(Self.twitterFormatter)
        }
        return decoder
    }

    /// Returns the JSON of a value, with sorted keys and plain slashes.
    func encode(_ value: some Encodable) throws -> String {
        if isFoundation {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if convertsSnakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
            switch dates {
            case .deferred: break
            case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
            case .milliseconds: encoder.dateEncodingStrategy = .custom { try Milliseconds.encode($0, to: $1) }
            case .twitter: encoder.dateEncodingStrategy = .formatted(Self.twitterFormatter)
            }
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        var encoder = CompactEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if convertsSnakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
        switch dates {
        case .deferred: break
        case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
        case .milliseconds: encoder.dateEncodingStrategy = .custom { try Milliseconds.encode($0, to: $1) }
        case .twitter: encoder.dateEncodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
        }
        return String(decoding: try encoder.encode(value) as [UInt8], as: UTF8.self)
    }

    private static var twitterFormatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
        return formatter
    }

    /// Encodes a value and decodes it again.
    func roundTrip<Value: Codable>(_ value: Value) throws -> Value { try decode(Value.self, encode(value)) }

    /// Decodes a value and returns it with the report of wrappers and container calls.
    func report<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> (value: Value, drift: DriftReport) {
        let recorder = DriftRecorder()
        let value = try decode(type, text, userInfo: [.driftRecorder: recorder])
        return (value, recorder.report)
    }

    /// Expects the text to be a value that a check accepts, and the same once it is encoded and decoded again.
    func expect<Value: Codable & Equatable>(_ text: String, is expected: Value) throws {
        let value = try decode(Value.self, text)
        try LenientCodingTests.expect(value, is: expected)
        try LenientCodingTests.expect(roundTrip(value), is: expected)
    }
}

/// ISO 8601 with three decimals.
private enum Milliseconds: FixedDateStrategy {
    static let format: FixedDateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
}
