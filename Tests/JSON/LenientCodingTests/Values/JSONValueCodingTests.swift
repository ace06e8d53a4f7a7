import Foundation
import LenientCoding
import Testing

@Suite("JSONValue with any decoder and encoder")
struct JSONValueCodingTests {
    @Test("A document is decoded and encoded with its keys unchanged", arguments: Coder.allCases)
    func roundTrip(coder: Coder) throws {
        let document = #"{"aZ":[1,-2,"x",true,false,null,{"k":{}},[]],"a_b":0.1}"#
        let json = try coder.decode(JSONValue.self, document, .init(convertsSnakeCase: true))
        #expect(json["aZ"]?[2]?.stringValue == "x")
        #expect(json["a_b"]?.doubleValue == 0.1)
        #expect(try coder.encode(json, convertsSnakeCase: true) == document)
    }

    @Test(
        "Numbers keep the precision that the decoder provides", arguments: Coder.allCases,
        [
            "0", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "12345678901234567890",
            "12345678901234567890123456789012345678", "0.1", "-1.25", "0.30000000000000004",
        ])
    func numbers(coder: Coder, text: String) throws {
        let json = try coder.decode(JSONValue.self, "[\(text)]")
        #expect(json == [.number(text)])
        #expect(try coder.encode(json) == "[\(text)]")
    }

    @Test("LenientDecoder and CompactEncoder keep the text of numbers and the order of members")
    func exact() throws {
        let document = #"{"b":1.50,"a":[1E+2,-0.0,1e999,123456789012345678901234567890123456789012345.0],"b":null}"#
        #expect(try Coder.lenient.encode(Coder.lenient.decode(JSONValue.self, document)) == document)
    }

    @Test("Property lists are decoded too")
    func propertyList() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        let json: JSONValue = ["a": [1, 2.5, "x", true], "b": [:]]
        #expect(try PropertyListDecoder().decode(JSONValue.self, from: encoder.encode(json)) == json)
        let any: AnyCodable = ["a": [1, 2.5, "x", true], "b": [:]]
        #expect(try PropertyListDecoder().decode(AnyCodable.self, from: encoder.encode(any)) == any)
    }

    @Test("A number with an invalid text is not encoded", arguments: Coder.allCases)
    func invalidNumber(coder: Coder) {
        for text in ["", "abc", "01", "1.", ".5", "+1", "0x10", "NaN", "1e", "-", "1]"] {
            #expect(throws: EncodingError.self) { try coder.encode([JSONValue.number(text)]) }
        }
    }

    @Test("Literals, subscripts and accessors give the values")
    func access() {
        var json: JSONValue = ["user": ["id": 7, "tags": ["a", "b"]], "quoted": nil, "score": 0.5, "on": true]
        #expect(json["user"]?["tags"]?[1]?.stringValue == "b")
        #expect(json["user"]?["tags"]?[2] == nil)
        #expect(json["user"]?[0] == nil)
        #expect(json["quoted"]?.isNull == true)
        #expect(json["on"]?.boolValue == true)
        #expect(json["score"]?.doubleValue == 0.5)
        #expect(json["score"]?.intValue == nil)
        json["lang"] = "en"
        json["score"] = nil
        json["user"]?["id"] = 8
        #expect("\(json)" == #"{"user":{"id":8,"tags":["a","b"]},"quoted":null,"on":true,"lang":"en"}"#)
        #expect(JSONValue.number("10.0").intValue == 10)
        #expect(JSONValue.number("1e1").int64Value == 10)
        #expect(JSONValue.number("1e400").doubleValue == nil)
        #expect(JSONValue.number("1e99999999999").intValue == nil)
        #expect(JSONValue.number("0.1").decimalValue == Decimal(string: "0.1"))
        #expect(JSONValue.number("18446744073709551615").uint64Value == .max)
    }
}

@Suite("Raw coding keys and methods without types")
struct RawCodingKeyTests {
    private struct Object: Decodable {
        let int: Int?
        let bool: Bool
        let absent: Int?
        let standard: String
        let nested: Double
        let list: [Int]
        let third: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            int = try container.decodeIfPresent("int")
            bool = try container.decode("bool")
            absent = try container.decodeIfPresent("absent")
            standard = try container.decode("standard", default: "none")
            nested = try container.nestedContainer("nested").decode("value")
            var unkeyed = try container.nestedUnkeyedContainer("list")
            list = [
                try unkeyed.decode(), try unkeyed.decodeIfPresent() ?? -1, try unkeyed.decode(),
                try unkeyed.decodeIfPresent() ?? -2,
            ]
            third = try container.decode(3)
        }
    }

    @Test("Values are decoded with literals as keys", arguments: Coder.allCases)
    func literals(coder: Coder) throws {
        let object = try coder.decode(
            Object.self, #"{"int":1,"bool":true,"standard":null,"nested":{"value":0.5},"list":[1,null,3],"3":4}"#)
        #expect(object.int == 1)
        #expect(object.bool)
        #expect(object.absent == nil)
        #expect(object.standard == "none")
        #expect(object.nested == 0.5)
        #expect(object.list == [1, -1, 3, -2])
        #expect(object.third == 4)
        #expect(errorPath { try coder.decode(Object.self, #"{"bool":true,"standard":[]}"#) } == "standard")
    }

    @Test("A raw coding key keeps its spelling")
    func spelling() {
        let number: RawCodingKey = 3
        #expect(number.stringValue == "3")
        #expect(number.intValue == 3)
        #expect(RawCodingKey(stringValue: "3").intValue == nil)
        #expect("\(RawCodingKey("a.b"))" == "a.b")
    }
}

@Suite("Hexadecimal colours")
struct HexColorTests {
    @Test(
        "Texts of three, six or eight digits are colours, with or without #",
        arguments: [
            ("C0DEED", "#C0DEED"), ("#C0DEED", "#C0DEED"), ("#c0deed", "#C0DEED"), ("#fA0", "#FFAA00"),
            ("000", "#000000"),
            ("#C0DEED80", "#C0DEED80"), ("C0DEEDff", "#C0DEED"),
        ])
    func read(text: String, written: String) throws {
        #expect(try #require(HexColor(text)).description == written)
    }

    @Test(
        "Any other text is refused",
        arguments: [
            "", "#", "##FFF", "FF", "FFFF", "FFFFF", "FFFFFFF", "FFFFFFFFF", "GGG", "#C0DEEG", "0xC0DE", "white",
            " FFF", "+12", "１２３",
        ])
    func refused(text: String) { #expect(HexColor(text) == nil) }

    @Test("The components of a colour are between 0 and 1", arguments: Coder.allCases)
    func components(coder: Coder) throws {
        let color = try coder.decode([HexColor].self, ##"["#FF0033"]"##)[0]
        #expect(color == HexColor(red: 1, green: 0, blue: 0.2))
        #expect(
            try coder.encode([color, HexColor(red: 2, green: -1, blue: .nan, alpha: 0.5)])
                == ##"["#FF0033","#FF000080"]"##)
        #expect(errorPath { try coder.decode([HexColor].self, #"["red"]"#) } == "0")
    }
}
