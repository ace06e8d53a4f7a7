import Foundation
import LenientCoding
import Testing

/// The code of the article LenientByDegrees.
enum LenientByDegrees {
    enum First {
        struct Station: Codable {
            var id: Int
            var name: String?
            var gusts: [Double]
        }

        static func read(_ data: Data) throws -> Station {
            let decoder = LenientDecoder()
            let station = try decoder.decode(Station.self, from: data)
            return station
        }
    }

    enum Second {
        struct Station: Codable {
            @Lossless var id: Int
            @FallbackNil var name: String?
            @Lossy var gusts: [Double]
        }
    }

    enum Third {
        struct Station: Decodable {
            var id: Int
            var gusts: [Double]

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: RawCodingKey.self)
                id = try container.decode("id")
                gusts = try container.decodeElements(
                    "gusts",
                    invalidElementStrategy: .custom { error, path in path.last?.intValue == 0 ? .fail : .fallback(0) })
            }
        }
    }

    enum Fourth {
        static func read(_ data: Data) throws -> First.Station {
            let decoder = LenientDecoder(leniency: [.coercion, .mistypedOptionals])
            let station = try decoder.decode(First.Station.self, from: data)
            return station
        }
    }

    enum Fifth {
        struct Station: Record {
            var id = 0, name: String?, gusts: [Double]?
            static let schema = Schema<Station> {
                Field(\.id)
                Field(\.name, .or("title"), .absent("", "none"))
                Field(\.gusts, .dropInvalid, .plausible(0...120))
            }
        }
    }
}

@Suite("Lenient by degrees")
struct LenientByDegreesTests {
    private let untidy = #"{"id":"7","name":[],"gusts":[3.5,"4",{}]}"#

    @Test("The first degree reads what JSONDecoder reads")
    func strict() throws {
        #expect(try LenientByDegrees.First.read(Data(#"{"id":7,"gusts":[3.5]}"#.utf8)).gusts == [3.5])
        #expect(throws: DecodingError.self) { try LenientByDegrees.First.read(Data(untidy.utf8)) }
    }

    @Test("The second degree repairs declared properties", arguments: Coder.allCases)
    func wrappers(coder: Coder) throws {
        let station = try coder.decode(LenientByDegrees.Second.Station.self, untidy)
        #expect(station.id == 7 && station.name == nil && station.gusts == [3.5])
    }

    @Test("The third degree decides for each element", arguments: Coder.allCases)
    func elements(coder: Coder) throws {
        let station = try coder.decode(LenientByDegrees.Third.Station.self, #"{"id":7,"gusts":[1,"x",3]}"#)
        #expect(station.gusts == [1, 0, 3])
        #expect(errorPath { try coder.decode(LenientByDegrees.Third.Station.self, #"{"id":7,"gusts":["x"]}"#) } != nil)
    }

    @Test("The fourth degree repairs all members")
    func decoder() throws {
        let station = try LenientByDegrees.Fourth.read(Data(#"{"id":"7","name":[],"gusts":[3.5,"4"]}"#.utf8))
        #expect(station.id == 7 && station.name == nil && station.gusts == [3.5, 4])
        #expect(throws: DecodingError.self) { try LenientByDegrees.Fourth.read(Data(untidy.utf8)) }
    }

    @Test("The fifth degree knows what values mean")
    func record() throws {
        let decoder = LenientDecoder(leniency: .all)
        let station = try decoder.decode(
            LenientByDegrees.Fifth.Station.self, text: #"{"id":"7","title":"none","gusts":[3.5,"4",{},999]}"#)
        #expect(station.id == 7 && station.name == nil && station.gusts == [3.5, 4])
    }
}
