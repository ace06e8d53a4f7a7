import Foundation
import LenientCoding

// The test cases of BetterCodable for bytes, dates and Booleans.
extension BetterCodableCases {
    // MARK: Bytes

    private struct Letter: Codable { @Coded<Base64> var text: Data }
    private struct Bytes: Codable { @Coded<Base64Bytes> var text: [UInt8] }

    static let data = SuiteCase.of(
        "DataValueTests",
        [
            SuiteCase("testDecodingAndEncodingBase64String", "Base64 is decoded to Data and encoded again") { coder in
                let letter = try coder.decode(Letter.self, #"{"text":"aGVsbG8gd29ybGQ="}"#)
                try expect(letter.text, is: Data("hello world".utf8))
                try expect(coder.encode(letter), is: #"{"text":"aGVsbG8gd29ybGQ="}"#)
            },
            SuiteCase("testDecodingMalformedBase64Fails", "Text that is not base64 is an error") { coder in
                try expectDecodingError { try coder.decode(Letter.self, #"{"text":"not base64?"}"#) }
            },
            SuiteCase(
                "testDecodingAndEncodingBase64StringToArray", "Base64 is decoded to an array of bytes and encoded again"
            ) { coder in
                let bytes = try coder.decode(Bytes.self, #"{"text":"aGVsbG8gd29ybGQ="}"#)
                try expect(bytes.text, is: Array("hello world".utf8))
                try expect(coder.encode(bytes), is: #"{"text":"aGVsbG8gd29ybGQ="}"#)
            },
        ])

    // MARK: Dates

    private struct Event<Strategy: CodingStrategy>: Codable where Strategy.Value == Date {
        @Coded<Strategy> var start: Date
    }
    private enum Mail: FixedDateStrategy { static let format: FixedDateFormat = "EEE, dd MMM yyyy HH:mm:ss Z" }
    private enum Day: FixedDateStrategy { static let format: FixedDateFormat = "yyyy-MM-dd" }
    private struct Stamp: Codable { @Coded<UnixSeconds> var startTime: Date }

    private static func start<Strategy: CodingStrategy>(
        _ value: String, _ strategy: Strategy.Type, _ coder: SuiteCoder
    ) throws -> Double where Strategy.Value == Date {
        try coder.decode(Event<Strategy>.self, #"{"start":\#(value)}"#).start.timeIntervalSince1970
    }

    static let dates = SuiteCase.of(
        "CustomDateCodableValueTests",
        [
            SuiteCase("testDecodingAndEncodingISO8601DateString", "A date in ISO 8601 with an offset") { coder in
                try expect(start(#""2001-09-09T04:46:40+03:00""#, ISO8601.self, coder), is: 1_000_000_000)
            },
            SuiteCase(
                "testDecodingAndEncodingISO8601DateStringWithFractionalSeconds",
                "Six decimals are read as three, and text after the zone is ignored",
                differs: "All decimals count, and text after the zone is an error."
            ) { coder in
                try expect(start(#""2001-09-09T01:46:40.250625Z""#, ISO8601.self, coder), is: 1_000_000_000.25)
                try expect(start(#""2001-09-09T01:46:40.000Z+03:00""#, ISO8601.self, coder), is: 1_000_000_000)
            },
            SuiteCase("testDecodingAndEncodingRFC3339DateString", "A date of RFC 3339 with an offset") { coder in
                try expect(start(#""2001-09-08T19:46:40-06:00""#, ISO8601.self, coder), is: 1_000_000_000)
            },
            SuiteCase("testDecodingAndEncodingRFC2822DateString", "A date of RFC 2822") { coder in
                try expect(start(#""Sun, 09 Sep 2001 01:46:40 -0000""#, Mail.self, coder), is: 1_000_000_000)
            },
            SuiteCase("testDecodingAndEncodingUTCTimestamp", "A number of seconds since 1970") { coder in
                try expect(start("1000000000.0", UnixSeconds.self, coder), is: 1_000_000_000)
            },
            SuiteCase("testDecodingAndEncodingYearMonthDateString", "A date without a time") { coder in
                try expect(start(#""2001-09-09""#, Day.self, coder), is: 999_993_600)
            },
            SuiteCase(
                "testDecodingAndEncodingWithCustomStrategies",
                "The strategy of a property counts beside the coder's strategies for keys and dates"
            ) { coder in
                let coder = coder.snakeCase.dates(.milliseconds)
                let stamp = try coder.decode(Stamp.self, #"{"start_time":1000000000.0}"#)
                try expect(stamp.startTime.timeIntervalSince1970, is: 1_000_000_000)
                try expect(coder.roundTrip(stamp).startTime, is: stamp.startTime)
            },
        ])

    // MARK: Booleans with defaults

    private struct Doubtful: Codable { @FallbackFalse @Lossless var isOpen: Bool }
    private struct Hopeful: Codable { @FallbackTrue @Lossless var isOpen: Bool }

    static let booleans =
        SuiteCase.of("DefaultFalseTests", booleans(Doubtful.self, \.isOpen, false))
        + SuiteCase.of("DefaultTrueTests", booleans(Hopeful.self, \.isOpen, true))

    private static func booleans<Model: Codable & Sendable>(
        _ type: Model.Type, _ isOpen: any WritableKeyPath<Model, Bool> & Sendable, _ standard: Bool
    ) -> [SuiteCase] {
        @Sendable func value(_ text: String, _ coder: SuiteCoder) throws -> Bool {
            try coder.decode(type, text)[keyPath: isOpen]
        }
        return [
            SuiteCase("testDecodingFailableArrayDefaultsToFalse", "Null is the default") {
                try expect(value(#"{"isOpen":null}"#, $0), is: standard)
            },
            SuiteCase("testDecodingKeyNotPresentDefaultsToFalse", "A missing key is the default") {
                try expect(value("{}", $0), is: standard)
            },
            SuiteCase("testEncodingDecodedFailableArrayDefaultsToFalse", "A changed default is encoded") { coder in
                var model = try coder.decode(type, #"{"isOpen":null}"#)
                model[keyPath: isOpen] = !standard
                try expect(coder.roundTrip(model)[keyPath: isOpen], is: !standard)
            },
            SuiteCase("testEncodingDecodedFulfillableBoolRetainsValue", "A Boolean survives a round trip") { coder in
                let model = try coder.decode(type, #"{"isOpen":true}"#)
                try expect(coder.roundTrip(model)[keyPath: isOpen], is: true)
            },
            SuiteCase("testDecodingMisalignedBoolIntValueDecodesCorrectBoolValue", "1 and 0 are Booleans") {
                try expect(value(#"{"isOpen":1}"#, $0), is: true)
                try expect(value(#"{"isOpen":0}"#, $0), is: false)
            },
            SuiteCase("testDecodingMisalignedBoolStringValueDecodesCorrectBoolValue", "Text is a Boolean") {
                try expect(value(#"{"isOpen":"true"}"#, $0), is: true)
                try expect(value(#"{"isOpen":"false"}"#, $0), is: false)
            },
            SuiteCase("testDecodingInvalidValueDecodesToDefaultValue", "Other text is the default") {
                try expect(value(#"{"isOpen":"perhaps"}"#, $0), is: standard)
            },
        ]
    }
}
