import Foundation
import LenientCoding
import Testing

/// The code of the article ComingFromMetaCodable.
enum ComingFromMetaCodable {
    struct Landmark: Record {
        var name = ""
        var founded: Int?
        var language = "und"
        var elevation: Double?
        var opened: UnixSeconds?
        var photos: [URL]?
        static let schema = Schema<Landmark> {
            Field("title", \.name, .or("name"))
            Field("founding_date", \.founded)
            Field(\.language, .defaulted)
            Field("additionalInfo.elevation", \.elevation)
            Field(\.opened)
            Field(\.photos, .dropInvalid)
        }
    }

    enum Command: Codable, Equatable {
        case load(Load), store(Store)

        struct Load: Codable, Equatable { var key: String }
        struct Store: Codable, Equatable { var key: String, value: Int }

        init(from decoder: any Decoder) throws {
            self = try decoder.decodeTagged("type") { type, decoder in
                switch type {
                case "load": .load(try Load(from: decoder))
                case "store": .store(try Store(from: decoder))
                default: nil
                }
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .load(let load): try encoder.encodeTagged("type", as: "load", load)
            case .store(let store): try encoder.encodeTagged("type", as: "store", store)
            }
        }
    }

    enum Value: Decodable, Equatable {
        case flag(Bool), number(Double), text(String), list([Value])

        init(from decoder: any Decoder) throws {
            self = try decoder.decodeFirst(
                { .flag(try Bool(from: $0)) }, { .number(try Double(from: $0)) }, { .text(try String(from: $0)) },
                { .list(try [Value](from: $0)) })
        }
    }
}

@Suite("Coming from MetaCodable")
struct ComingFromMetaCodableTests {
    @Test("The record has the keys, paths and defaults of the article", arguments: Coder.allCases)
    func record(coder: Coder) throws {
        let landmark = try coder.decode(
            ComingFromMetaCodable.Landmark.self,
            """
            {"name": "Tower", "founding_date": 1889, "additionalInfo": {"elevation": 35.5}, "opened": 7,
             "photos": ["https://a.example", 7]}
            """)
        let written = try coder.decode(AnyCodable.self, coder.encode(landmark))
        let expected: AnyCodable = [
            "title": "Tower", "founding_date": 1889, "language": "und", "additionalInfo": ["elevation": 35.5],
            "opened": 7, "photos": ["https://a.example"],
        ]
        #expect(written == expected)
    }

    @Test("Tagged and untagged enumerations are read and written", arguments: Coder.allCases)
    func enumerations(coder: Coder) throws {
        let document = #"[{"type":"load","key":"a"},{"type":"store","key":"b","value":42}]"#
        let commands = try coder.decode([ComingFromMetaCodable.Command].self, document)
        #expect(commands == [.load(.init(key: "a")), .store(.init(key: "b", value: 42))])
        #expect(try coder.decode([ComingFromMetaCodable.Command].self, coder.encode(commands)) == commands)
        let values = try coder.decode([ComingFromMetaCodable.Value].self, #"[true,1,"1",[0]]"#)
        #expect(values == [.flag(true), .number(1), .text("1"), .list([.number(0)])])
    }
}
