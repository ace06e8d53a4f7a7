import Foundation
import LenientCoding
import Testing

/// Any JSON, read by trying the types one after another, as many projects do.
private enum Probed: Decodable, Equatable {
    case bool(Bool), int(Int), double(Double), date(Date), string(String), null
    case array([Probed]), object([String: Probed])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([Probed].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: Probed].self))
        }
    }
}

/// A value that some documents have as a number and others as text.
private enum Identifier: Decodable, Equatable {
    case number(Int), text(String)

    init(from decoder: any Decoder) throws {
        if let number = try? Int(from: decoder) {
            self = .number(number)
        } else {
            self = .text(try String(from: decoder))
        }
    }
}

/// A member that is tried as several types.
private struct Setting: Decodable, Equatable {
    var flag: Bool?, number: Int?, text: String?
    enum CodingKeys: CodingKey { case value }

    init(flag: Bool? = nil, number: Int? = nil, text: String? = nil) {
        (self.flag, self.number, self.text) = (flag, number, text)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        flag = try? container.decode(Bool.self, forKey: .value)
        if flag != nil { return }
        number = try? container.decode(Int.self, forKey: .value)
        if number != nil { return }
        text = try container.decode(String.self, forKey: .value)
    }
}

@Suite("Values keep their own type")
struct OwnTypeTests {
    @Test("A value that a model reads through a single value container is never converted")
    func singleValues() throws {
        let expected = Probed.object([
            "id": .int(1), "code": .string("42"), "yes": .string("true"), "ratio": .double(0.5), "no": .bool(false),
            "list": .array([.int(0), .string("1"), .null]),
        ])
        let text = #"{"id":1,"code":"42","yes":"true","ratio":0.5,"no":false,"list":[0,"1",null]}"#
        for decoder in decoders { #expect(try decoder.decode(Probed.self, text: text) == expected) }
        for decoder in decoders {
            #expect(
                try decoder.decode([Identifier].self, text: #"[7,"7","seven"]"#)
                    == [.number(7), .text("7"), .text("seven")])
        }
    }

    @Test("Without leniency, a member that a model tries as several types keeps its own")
    func triedMembers() throws {
        for decoder in strictDecoders {
            #expect(try decoder.decode(Setting.self, text: #"{"value":1}"#) == Setting(number: 1))
            #expect(try decoder.decode(Setting.self, text: #"{"value":"1"}"#) == Setting(text: "1"))
            #expect(try decoder.decode(Setting.self, text: #"{"value":true}"#) == Setting(flag: true))
        }
    }

    @Test("A member that was requested in vain as one type is not converted to another")
    func refusedMembers() throws {
        struct Model: Decodable, Equatable {
            var text: String?, number: Int?
            enum CodingKeys: CodingKey { case value }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                if (try? container.decode(Bool.self, forKey: .value)) != nil { return }
                text = try? container.decode(String.self, forKey: .value)
                number = try? container.decode(Int.self, forKey: .value)
            }
        }
        let model = try LenientDecoder.lenient.decode(Model.self, text: #"{"value":42}"#)
        #expect(model.text == nil && model.number == 42)
    }

    @Test("Declared members and elements of every type are converted where the decoder says so")
    func declared() throws {
        struct Model: Decodable, Equatable {
            var a: [Int], b: [Int?], c: [Bool], d: [String: Bool], e: Int64, f: [Float?], g: [[Int]?], h: [Int: String]
        }
        let text = #"{"a":["1"],"b":["1",null],"c":[1],"d":{"k":"0"},"e":"7","f":["0.5"],"g":[["3"],null],"h":{"1":2}}"#
        let decoder = LenientDecoder(leniency: .coercion)
        let expected = Model(
            a: [1], b: [1, nil], c: [true], d: ["k": false], e: 7, f: [0.5], g: [[3], nil], h: [1: "2"])
        let (model, drift) = try repaired(Model.self, text, by: decoder)
        #expect(model == expected)
        #expect(drift.count == 8)
        for decoder in strictDecoders { #expect(result(Model.self, text, by: decoder).hasPrefix("typeMismatch")) }
    }

    @Test("Wrappers of the library declare the type of their value")
    func wrappers() throws {
        struct Model: Decodable {
            @DefaultFalse var flag: Bool
            @Lossy var list: [Int]
            @FallbackNil var count: Int?
        }
        let text = #"{"flag":1,"list":["1",{},2],"count":"3"}"#
        let model = try LenientDecoder.lenient.decode(Model.self, text: text)
        #expect(model.flag && model.list == [1, 2] && model.count == 3)
        let strict = try LenientDecoder.strict.decode(Model.self, text: #"{"flag":true,"list":["1",{},2],"count":"3"}"#)
        #expect(strict.flag && strict.list == [2] && strict.count == nil)
    }

    @Test("An escaped lone surrogate is an error, or is read as U+FFFD and reported")
    func loneSurrogates() throws {
        struct Model: Decodable { var a: String?, b: [String: String] }
        let text = #"{"a":"x\ud800","b":{"\udc00y":"z"}}"#
        for decoder in strictDecoders {
            #expect(result(Model.self, text, by: decoder).hasPrefix("dataCorrupted at "))
            #expect(result([String: Int].self, #"{"\udc00y":1}"#, by: decoder) == "dataCorrupted at ")
            #expect(try decoder.decode([String: [Int]].self, text: #"{"a":[]}"#) == ["a": []])
        }
        let (model, drift) = try repaired(Model.self, text, by: LenientDecoder(leniency: .loneSurrogates))
        #expect(model.a == "x\u{FFFD}" && model.b == ["\u{FFFD}y": "z"])
        #expect(drift == ["coerced a loneSurrogate 1 a", "coerced b.\u{FFFD}y loneSurrogate 1 b.\u{FFFD}y"])
    }

    @Test("A lone surrogate in a value without a type is an error or reported as well")
    func untypedLoneSurrogates() throws {
        struct Model: Decodable { @Lossless var text: String }
        let deep = String(repeating: "[", count: 40) + #"{"\ud800":1}"# + String(repeating: "]", count: 40)
        for text in [#"["\ud800"]"#, #"{"\ud800":1}"#, deep] {
            for decoder in strictDecoders {
                #expect(result(JSONValue.self, text, by: decoder).hasPrefix("dataCorrupted"))
                #expect(result(AnyCodable.self, text, by: decoder).hasPrefix("dataCorrupted"))
            }
            #expect(try repaired(JSONValue.self, text).drift.map { $0.hasPrefix("coerced") } == [true])
        }
        let text = #"{"text":"\udc00"}"#
        #expect(throws: DecodingError.self) { try LenientDecoder().decode(Model.self, text: text) }
        #expect(try repaired(Model.self, text).drift == ["coerced text loneSurrogate 1 text"])
    }

    @Test("A type that needs a configuration is decoded with it")
    func configuration() throws {
        struct Scaled: DecodableWithConfiguration, Equatable {
            var value: Double
            init(from decoder: any Decoder, configuration: Double) throws {
                value = try Double(from: decoder) * configuration
            }
        }
        enum Hundred: DecodingConfigurationProviding { static var decodingConfiguration: Double { 100 } }
        let data = Data("1.5".utf8)
        #expect(try LenientDecoder().decode(Scaled.self, from: data, configuration: 2).value == 3)
        #expect(try LenientDecoder().decode(Scaled.self, from: data, configuration: Hundred.self).value == 150)
        #expect(throws: DecodingError.self) {
            try LenientDecoder().decode(Scaled.self, from: Data("x".utf8), configuration: 2)
        }
    }

    @Test("A report comes from Data as from bytes")
    func driftFromData() throws {
        var drift = DriftReport()
        let data = Data(#"["1"]"#.utf8)
        #expect(try LenientDecoder(leniency: .coercion).decode([Int].self, from: data, drift: &drift) == [1])
        #expect(drift.summary == "coerced=1")
    }
}
