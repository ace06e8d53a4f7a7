import Foundation
import LenientCoding
import Testing

/// Models as the articles write them decode equally with both decoders and default settings, from tidy and untidy documents.
@Suite("The articles' own models with both decoders")
struct SeedModelTests {
    @Test(
        "A forecast, flat and in a struct for each level",
        arguments: [
            #"{"latitude":37.8,"longitude":-122.4,"currently":{"summary":"Fog","temperature":53.72,"windSpeed":6.11,"uvIndex":4}}"#,
            #"{"latitude":37.8,"longitude":-122.4,"currently":{"summary":"Fog","temperature":53,"windSpeed":6.11,"uvIndex":null}}"#,
            #"{"latitude":"37.8","longitude":-122.4,"currently":{"summary":"Fog","temperature":53.72,"windSpeed":6.11}}"#,
            #"{"latitude":37.8,"longitude":-122.4,"currently":{"summary":7,"temperature":53.72,"windSpeed":6.11}}"#,
            #"{"latitude":37.8,"longitude":-122.4,"currently":{"summary":"Fog","temperature":53,"windSpeed":6,"uvIndex":"4"}}"#,
            #"{"latitude":37.8,"longitude":-122.4,"currently":{"summary":"Fog","temperature":53,"windSpeed":6,"uvIndex":4.5}}"#,
            #"{"latitude":37.8,"currently":{}}"#, #"{"latitude":1,"latitude":2,"longitude":3,"currently":[]}"#,
        ])
    func forecasts(text: String) {
        expectSame(FlatWeather.self, text)
        expectSame(Weather.self, text)
    }

    @Test(
        "A tweet with the keys of the document, and with keys converted from snake_case",
        arguments: [
            #"{"full_text":"a","id":1134737590098059264,"in_reply_to_user_id":null,"quoted_status":{"full_text":"b","id":2,"user":{"profile_link_color":"1B95E0"}},"user":{"profile_link_color":"C0DEED"},"favorited":false}"#,
            #"{"full_text":"a","id":"1","user":{"profile_link_color":"C0DEED"},"favorited":false}"#,
            #"{"full_text":"a","id":1,"user":{"profile_link_color":123456},"favorited":0}"#,
            #"{"full_text":"a","id":1,"in_reply_to_user_id":"7","user":{"profile_link_color":"C0DEED"},"favorited":true}"#,
            #"{"full_text":"\ud800","id":1,"user":{"profile_link_color":"C0DEED"},"favorited":true}"#,
            #"{"fullText":"a","full_text":"b","id":1,"user":{"profileLinkColor":"C0DEED"},"favorited":true}"#,
        ])
    func tweets(text: String) {
        expectSame(SnakeCaseTweet.self, text)
        expectSame(SnakeCaseTweet.self, text, isSnakeCase: true)
        expectSame(Tweet.self, text, isSnakeCase: true)
    }

    @Test("A library's own enumeration of JSON, and models that it builds, inside of Codable models")
    func bridges() {
        for text in [
            #"{"id":1,"code":"42","yes":"true"}"#, #"[0,1,"0","1","true",true,1.0,1.5,"1.5",null,{},[]]"#,
            #"{"a":{"b":[true,"false",12345678901]}}"#, #"["\ud800"]"#,
        ] {
            expectSame(JSON.self, text)
        }
        expectSame(UserList.self, #"{"id":7,"users":[{"id":1,"code":"42"},{"id":2,"code":"true"}]}"#)
        expectSame(UserList.self, #"{"id":7,"users":[{"id":"1","code":"42"}]}"#)
        expectSame(UserList.self, #"{"id":"7","users":[]}"#)
    }

    @Test("Collections with invalid elements, mixed values and raw keys")
    func collections() {
        for text in [
            #"{"array":[1,"two",3],"dictionary":{"one":1,"two":"two","three":3},"mixed":[1,"1",true,null,{"a":1.5}],"int":1}"#,
            #"{"array":[1,"2",3.0],"dictionary":{"one":"1"},"mixed":["0"],"int":1,"bool":true}"#,
            #"{"array":[1,"2",3.0],"dictionary":{"one":"1"},"mixed":["0"],"int":1,"bool":1}"#,
            #"{"array":7,"dictionary":{},"mixed":[],"int":1}"#,
        ] {
            expectSame(Collections.self, text)
        }
    }

    private func expectSame<Value: Decodable>(_ type: Value.Type, _ text: String, isSnakeCase: Bool = false) {
        let ours = result(type, text, by: isSnakeCase ? LenientDecoder.strictSnakeCase : LenientDecoder())
        let foundation = result(type, text, by: FoundationDecoder(isSnakeCase: isSnakeCase))
        // Foundation's errors for text that is not Unicode have no path.
        let isCorrupt = ours.hasPrefix("dataCorrupted") && foundation.hasPrefix("dataCorrupted")
        #expect(ours == foundation || isCorrupt, "\(text)")
    }
}

// MARK: Forecasts

private struct FlatWeather: Decodable {
    var latitude: Double, longitude: Double, summaryDescription: String, temperature: Double, windspeed: Double

    enum CodingKeys: String, CodingKey { case latitude, longitude, currently }
    enum CurrentlyKeys: String, CodingKey { case summary, temperature, windspeed = "windSpeed" }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        latitude = try values.decode(Double.self, forKey: .latitude)
        longitude = try values.decode(Double.self, forKey: .longitude)
        let currently = try values.nestedContainer(keyedBy: CurrentlyKeys.self, forKey: .currently)
        summaryDescription = try currently.decode(String.self, forKey: .summary)
        temperature = try currently.decode(Double.self, forKey: .temperature)
        windspeed = try currently.decode(Double.self, forKey: .windspeed)
    }
}

private struct Weather: Decodable {
    var latitude: Double, longitude: Double, currentWeather: Current

    private enum CodingKeys: String, CodingKey { case latitude, longitude, currentWeather = "currently" }

    struct Current: Decodable {
        var summary: String, temperature: Double, windspeed: Double, uvIndex: Int?
        private enum CodingKeys: String, CodingKey { case summary, temperature, windspeed = "windSpeed", uvIndex }
    }
}

// MARK: Tweets

private struct SnakeCaseTweet: Codable {
    let full_text: String, id: Int, in_reply_to_user_id: Int?, user: User, quoted_status: Quoted?, favorited: Bool

    struct Quoted: Codable { let full_text: String, id: Int, user: User }
    struct User: Codable { let profile_link_color: Color }
}

private struct Tweet: Codable {
    let fullText: String, id: Int, inReplyToUserId: Int?, user: User, quotedStatus: Quoted?, favorited: Bool

    struct Quoted: Codable { let fullText: String, id: Int, user: User }
    struct User: Codable { let profileLinkColor: Color }
}

private struct Color: Codable {
    let hexadecimal: UInt32

    init(from decoder: any Decoder) throws {
        hexadecimal = UInt32(try decoder.singleValueContainer().decode(String.self), radix: 16) ?? 0
    }
}

// MARK: Bridges

private enum JSON: Decodable {
    case null, bool(Bool), number(Double), string(String), array([JSON]), object([(String, JSON)])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([String: JSON].self) {
            self = .object(value.sorted { $0.key < $1.key })
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else if container.decodeNil() {
            self = .null
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no JSON")
        }
    }
}

/// A model of the other library inside of a Codable model.
private struct UserList: Decodable {
    let id: Int, users: [User]

    struct User: Decodable {
        let id: Double, code: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard case .object(let members) = try container.decode(JSON.self),
                case .number(let id) = members.first(where: { $0.0 == "id" })?.1,
                case .string(let code) = members.first(where: { $0.0 == "code" })?.1
            else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "no user") }
            (self.id, self.code) = (id, code)
        }
    }
}

// MARK: Collections

private struct Collections: Decodable {
    let array: [Int], dictionary: [(String, Int)], mixed: String, int: Int?, bool: Bool?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RawCodingKey.self)
        array = try container.decodeElements([Int].self, forKey: "array", invalidElementStrategy: .fallback(0))
        dictionary = try container.decodeValues(
            [String: Int].self, forKey: "dictionary", invalidElementStrategy: .remove
        ).sorted { $0.key < $1.key }
        mixed = "\(try container.decode([JSON].self, forKey: "mixed"))"
        int = try container.decodeIfPresent("int")
        bool = try container.decodeIfPresent("bool")
    }
}
