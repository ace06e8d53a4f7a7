import Foundation
import JSONText
import LenientCoding
import Testing

private struct Inner: Record {
    var userID = 0, isOn: Bool?
    static let schema = Schema<Inner> {
        Field(\.userID)
        Field(\.isOn)
    }
}

private struct Model: Record, Equatable {
    static func == (left: Model, right: Model) -> Bool { "\(left)" == "\(right)" }

    var imageURL: String?, retweetCount: Int?, inner: Inner?, list: [Inner]?, other: OpenMap?
    static let schema = Schema<Model> {
        Field(\.imageURL)
        Field(\.retweetCount, .or("shares"), .absent(-1), .plausible(0...100))
        Field("user.profile", \.inner)
        Field(\.list, .dropInvalid)
        Field(\.other)
    }
}

private struct Types: Record {
    var date: Date?, site: URL?, price: Decimal?, bytes: Data?, dates: [Date]?
    static let schema = Schema<Types> {
        Field(\.date, .absent(""), .absent(-1))
        Field(\.site)
        Field(\.price)
        Field(\.bytes)
        Field(\.dates, .dropInvalid)
    }
}

/// Records do what the decoder is told to do with other types.
@Suite("Records and their decoder")
struct RecordDecoderTests {
    private func decoder(_ set: (inout LenientDecoder) -> Void = { _ in }) -> LenientDecoder {
        var decoder = LenientDecoder()
        decoder.leniency = .all
        set(&decoder)
        return decoder
    }

    private func text(_ record: some Record) -> String {
        var writer = JSONWriter()
        record.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "A field reads the member of its name, or the one whose name is converted to it",
        arguments: [
            (#"{"imageURL":"a"}"#, #"{"imageURL":"a"}"#), (#"{"image_url":"a"}"#, #"{"imageURL":"a"}"#),
            (#"{"image_url":"b","imageURL":"a"}"#, #"{"imageURL":"a"}"#),
            (#"{"retweet_count":3}"#, #"{"retweetCount":3}"#), (#"{"shares":3}"#, #"{"retweetCount":3}"#),
            (#"{"user":{"profile":{"user_id":1,"is_on":true}}}"#, #"{"user":{"profile":{"userID":1,"isOn":true}}}"#),
            (
                #"{"list":[{"user_id":1},{"userId":2},{"user_id":3}]}"#,
                #"{"list":[{"userID":1},{"userID":2},{"userID":3}]}"#
            ),
            (#"{"other":{"a_b":1}}"#, #"{"other":{"a_b":1}}"#), (#"{"unknown_key":1}"#, "{}"),
        ])
    func snakeCase(document: String, becomes: String) throws {
        let decoder = decoder { $0.keyDecodingStrategy = .convertFromSnakeCase }
        #expect(try text(decoder.decode(Model.self, from: Array(document.utf8))) == becomes)
    }

    @Test("A custom strategy gets the path of the member")
    func customKeys() throws {
        let paths = Paths()
        let decoder = decoder {
            $0.keyDecodingStrategy = .custom { path in
                paths.append(path.map(\.stringValue).joined(separator: "."))
                return RawCodingKey(String(path.last?.stringValue.dropFirst(2) ?? ""))
            }
        }
        let document = #"[{"x-imageURL":"a","x-user":{"x-profile":{"x-userID":1}}}]"#
        let models = try decoder.decode([Model].self, from: Array(document.utf8))
        #expect(models.map(text) == [#"{"imageURL":"a","user":{"profile":{"userID":1}}}"#])
        #expect(paths.list.last?.hasSuffix("user.profile.x-userID") == true)
    }

    private final class Paths: @unchecked Sendable {
        private let lock = NSLock()
        private var paths: [String] = []
        var list: [String] { lock.withLock { paths } }
        func append(_ path: String) { lock.withLock { paths.append(path) } }
    }

    @Test(
        "Without leniency a scalar of another type and a wrong optional value are errors",
        arguments: [
            (#"{"retweetCount":"3"}"#, "retweetCount"), (#"{"imageURL":3}"#, "imageURL"),
            (#"{"user":{"profile":{"userID":"1"}}}"#, "user.profile.userID"),
            (#"{"user":{"profile":{"userID":1,"isOn":1}}}"#, "user.profile.isOn"), (#"{"user":5}"#, "user"),
        ])
    func strict(document: String, path: String) throws {
        let bytes = Array(document.utf8)
        #expect(errorPath { try decoder { $0.leniency = [] }.decode(Model.self, from: bytes) } == path)
        #expect(errorPath { try decoder().decode(Model.self, from: bytes) } == nil)
    }

    @Test("Without leniency the rules of the table still apply")
    func rulesOfTheTable() throws {
        let document =
            #"{"imageURL":null,"retweetCount":-1,"list":[{"userID":1},{"userID":"2"},{},{"userID":4,"isOn":"x"}]}"#
        var drift = DriftReport()
        let strict = decoder { $0.leniency = [] }
        let model = try strict.decode(Model.self, from: Array(document.utf8), drift: &drift)
        #expect(text(model) == #"{"list":[{"userID":1}]}"#)
        #expect(drift.summary == "dropped=3, defaulted=1")
        let implausible = try strict.decode(Model.self, from: Array(#"{"retweetCount":101}"#.utf8), drift: &drift)
        #expect(text(implausible) == "{}")
        #expect(drift.summary == "dropped=1")
    }

    @Test("One repair can be allowed without the other")
    func singleRepairs() throws {
        let document = Array(#"{"retweetCount":"3","imageURL":[]}"#.utf8)
        #expect(errorPath { try decoder { $0.leniency = .coercion }.decode(Model.self, from: document) } == "imageURL")
        let tolerant = decoder { $0.leniency = .mistypedOptionals }
        #expect(try text(tolerant.decode(Model.self, from: document)) == "{}")
    }

    @Test("The error has the path of the first wrong value, and the contract error all of them")
    func paths() throws {
        struct List: Decodable { var models: [Strict] }
        struct Strict: Record {
            var list: [Inner] = [], count = 0
            static let schema = Schema<Strict> {
                Field(\.list)
                Field(\.count)
            }
        }
        let document = #"{"models":[{"list":[],"count":1},{"list":[{"userID":1},{"userID":[]}]}]}"#
        #expect(errorPath { try decoder().decode(List.self, from: Array(document.utf8)) } == "models.1.list.1.userID")
        #expect(errorPath { try Coder.foundation.decode(List.self, document) } == "models.1.list.1.userID")
    }

    @Test("A nested record that is left out has the field that fails as its example")
    func innerFields() throws {
        for (document, expected) in [
            (#"{"user":{"profile":{"isOn":true}}}"#, "dropped user.profile invalid user.profile.userID"),
            (#"{"user":{"profile":{"userID":[]}}}"#, "dropped user.profile invalid user.profile.userID"),
            (#"{"user":{"profile":[]}}"#, "dropped user.profile mistyped user.profile"),
        ] {
            var drift = DriftReport()
            _ = try decoder().decode(Model.self, from: Array(document.utf8), drift: &drift)
            #expect(drift.entries.map { "\($0.kind) \($0.path) \($0.reason) \($0.example)" } == [expected])
        }
    }

    @Test(
        "Dates are read and written by the strategies",
        arguments: [
            ("deferred", "5"), ("seconds", "978307205"), ("milliseconds", "978307205000"),
            ("iso8601", #""2001-01-01T00:00:05Z""#), ("format", #""Mon Jan 01 00:00:05 +0000 2001""#),
            ("custom", #"{"t":5}"#),
        ])
    func dates(strategy: String, json: String) throws {
        var decoder = decoder(), encoder = CompactEncoder()
        switch strategy {
        case "seconds":
            (decoder.dateDecodingStrategy, encoder.dateEncodingStrategy) = (.secondsSince1970, .secondsSince1970)
        case "milliseconds":
            (decoder.dateDecodingStrategy, encoder.dateEncodingStrategy) = (
                .millisecondsSince1970, .millisecondsSince1970
            )
        case "iso8601": (decoder.dateDecodingStrategy, encoder.dateEncodingStrategy) = (.iso8601, .iso8601)
        case "format":
            decoder.dateDecodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
            encoder.dateEncodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
        case "custom":
            decoder.dateDecodingStrategy = .custom { decoder in
                let seconds = try decoder.container(keyedBy: RawCodingKey.self).decode(Double.self, forKey: "t")
                return Date(timeIntervalSinceReferenceDate: seconds)
            }
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.container(keyedBy: RawCodingKey.self)
                try container.encode(Int(date.timeIntervalSinceReferenceDate), forKey: "t")
            }
        default: break
        }
        let document = #"{"date":\#(json),"dates":[\#(json),[],\#(json)]}"#
        let types = try decoder.decode(Types.self, from: Array(document.utf8))
        let date = Date(timeIntervalSinceReferenceDate: 5)
        #expect(types.date == date)
        #expect(types.dates == [date, date])
        let written = try encoder.encode(["value": types])
        #expect(String(decoding: written, as: UTF8.self) == #"{"value":{"date":\#(json),"dates":[\#(json),\#(json)]}}"#)
    }

    @Test("An encoder's strategy that throws fails the encoding")
    func failingStrategy() {
        struct Refused: Error {}
        var encoder = CompactEncoder(), types = Types()
        types.date = Date()
        encoder.dateEncodingStrategy = .custom { _, _ in throw Refused() }
        #expect(throws: Refused.self) { try encoder.encode(types) }
    }

    @Test(
        "Fields of Foundation's types are repaired and reported",
        arguments: [
            (
                #"{"site":"https://a.example/b?c=d","price":0.10,"bytes":"AQI="}"#,
                #"{"site":"https://a.example/b?c=d","price":0.1,"bytes":"AQI="}"#, ""
            ),
            (#"{"price":"12345678901234567890.5"}"#, #"{"price":12345678901234567890.5}"#, "coerced=1"),
            (#"{"price":1e200,"site":5,"bytes":"%"}"#, "{}", "dropped=3"),
            (#"{"date":-1,"price":{}}"#, "{}", "dropped=1, defaulted=1"),
            (#"{"date":"5"}"#, #"{"date":5}"#, "coerced=1"), (#"{"date":"tomorrow"}"#, "{}", "dropped=1"),
        ])
    func foundationTypes(document: String, becomes: String, summary: String) throws {
        var drift = DriftReport()
        let types = try decoder().decode(Types.self, from: Array(document.utf8), drift: &drift)
        #expect(text(types) == becomes)
        #expect(drift.summary == summary)
        #expect(try text(Coder.foundation.decode(Types.self, document)) == becomes)
    }

    @Test("Bytes follow the strategies")
    func bytes() throws {
        var encoder = CompactEncoder()
        encoder.dataEncodingStrategy = .deferredToData
        let document = #"{"bytes":[1,2]}"#
        let types = try decoder { $0.dataDecodingStrategy = .deferredToData }.decode(
            Types.self, from: Array(document.utf8))
        #expect(types.bytes == Data([1, 2]))
        #expect(String(decoding: try encoder.encode(types), as: UTF8.self) == document)
    }
}
