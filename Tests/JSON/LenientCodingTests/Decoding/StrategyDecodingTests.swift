import Foundation
import LenientCoding
import Testing

@Suite("Decoding strategies for dates and data")
struct StrategyDecodingTests {
    private struct Model: Decodable, Equatable { var at: Date?, all: [Date]?, data: Data? }

    private func decode(_ text: String, _ strategy: LenientDecoder.DateDecodingStrategy) throws -> Model {
        var decoder = LenientDecoder.strict
        decoder.dateDecodingStrategy = strategy
        return try decoder.decode(Model.self, text: text)
    }

    @Test("Dates decode from seconds and milliseconds")
    func numbers() throws {
        #expect(try decode(#"{"at":1.5,"all":[0]}"#, .secondsSince1970).at == Date(timeIntervalSince1970: 1.5))
        #expect(try decode(#"{"all":[1500,2]}"#, .millisecondsSince1970).all?.first == Date(timeIntervalSince1970: 1.5))
        #expect(try decode(#"{"at":1}"#, .deferredToDate).at == Date(timeIntervalSinceReferenceDate: 1))
        #expect(throws: DecodingError.self) { try decode(#"{"at":"1"}"#, .secondsSince1970) }
        #expect(try LenientDecoder.lenient.decode(Date.self, text: #""1""#) == Date(timeIntervalSinceReferenceDate: 1))
    }

    @Test("Dates decode from ISO 8601 with any fraction and zone, and from fixed formats")
    func texts() throws {
        let texts = ["1970-01-01T01:00:00.25Z", "1970-01-01T02:00:00.250000+01:00", "1970-01-01T00:00:00.25-0100"]
        for text in texts {
            #expect(try decode("{\"at\":\"\(text)\"}", .iso8601).at == Date(timeIntervalSince1970: 3600.25))
        }
        let format = LenientDecoder.DateDecodingStrategy.format("EEE MMM dd HH:mm:ss Z yyyy")
        let tweet = try decode(#"{"all":["Thu Jan 01 01:00:01 +0000 1970"]}"#, format)
        #expect(tweet.all == [Date(timeIntervalSince1970: 3601)])
        #expect(throws: DecodingError.self) { try decode(#"{"at":"1970-01-01"}"#, format) }
        #expect(throws: DecodingError.self) { try decode(#"{"at":"yesterday"}"#, .iso8601) }
        #expect(throws: DecodingError.self) { try decode(#"{"at":1}"#, .iso8601) }
    }

    @Test("A custom date strategy gets a decoder at the value")
    func custom() throws {
        struct Unreadable: Error {}
        let strategy = LenientDecoder.DateDecodingStrategy.custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let year = Double(text) else { throw Unreadable() }
            return Date(timeIntervalSince1970: year + Double(decoder.codingPath.count))
        }
        let model = try decode(#"{"at":"10","all":["20"]}"#, strategy)
        #expect(model.at == Date(timeIntervalSince1970: 11) && model.all == [Date(timeIntervalSince1970: 22)])
        #expect(throws: Unreadable.self) { try decode(#"{"at":"x"}"#, strategy) }
    }

    @Test("Data decodes from bytes and with a custom strategy")
    func data() throws {
        var decoder = LenientDecoder()
        decoder.dataDecodingStrategy = .deferredToData
        #expect(try decoder.decode(Model.self, text: #"{"data":[1,255]}"#).data == Data([1, 255]))
        decoder.dataDecodingStrategy = .custom { try Data($0.singleValueContainer().decode(String.self).utf8) }
        #expect(try decoder.decode(Data.self, text: #""ab""#) == Data("ab".utf8))
    }
}
