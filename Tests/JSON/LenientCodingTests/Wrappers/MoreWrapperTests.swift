import Foundation
import LenientCoding
import Testing

@Suite("Wrappers for collections, outcomes and alternatives")
struct MoreWrapperTests {
    private struct Lists: Codable, Equatable {
        @LossyEmpty var tags: [String]
        @LossyEmpty var points: [Int: Double]
        @LossyEmpty var names: Set<String>
    }

    @Test(
        "@LossyEmpty removes elements that do not decode, and is empty without a value", arguments: Coder.allCases,
        [
            ("{}", #"{"names":[],"points":{},"tags":[]}"#, [String]()),
            (#"{"tags":null,"points":null,"names":null}"#, #"{"names":[],"points":{},"tags":[]}"#, []),
            (
                #"{"tags":["a",{}],"points":{"1":2,"2":[]},"names":["x",[]]}"#,
                #"{"names":["x"],"points":{"1":2},"tags":["a"]}"#,
                [
                    "dropped names[] mistyped 1 names[1]", "dropped points[] mistyped 1 points[2]",
                    "dropped tags[] mistyped 1 tags[1]",
                ]
            ),
            (
                #"{"points":{"x":1,"01":2,"1":3}}"#, #"{"names":[],"points":{"1":3},"tags":[]}"#,
                ["dropped points[] mistyped 2"]
            ),
        ])
    func lossyEmpty(coder: Coder, example: (document: String, becomes: String, drift: [String])) throws {
        let lists = try coder.decode(Lists.self, example.document)
        #expect(try lists == coder.decode(Lists.self, example.becomes))
        #expect(try coder.decode(Lists.self, coder.encode(lists)) == lists)
        let drift = try coder.drift(of: Lists.self, example.document).sorted()
        #expect(drift.count == example.drift.count)
        for (found, expected) in zip(drift, example.drift) { #expect(found.hasPrefix(expected)) }
        #expect(errorPath { try coder.decode(Lists.self, #"{"tags":{}}"#) } == "tags")
        #expect(errorPath { try coder.decode(Lists.self, #"{"points":[]}"#) } == "points")
    }

    @Test("@Lossy takes dictionaries with integers as keys", arguments: Coder.allCases)
    func integerKeys(coder: Coder) throws {
        struct Table: Codable { @Lossy var names: [Int: String]? }
        #expect(try coder.decode(Table.self, #"{"names":{"1":"a","b":"c","3":[]}}"#).names == [1: "a"])
        #expect(try coder.decode(Table.self, "{}").names == nil)
    }

    private struct Lossless: Codable, Equatable {
        @LenientCoding.Lossless var ids: [String]
        @LenientCoding.Lossless var counts: [Int]
        @LenientCoding.Lossless var rows: [[Double]]?
    }

    @Test("@Lossless reads arrays element by element", arguments: Coder.allCases)
    func losslessArrays(coder: Coder) throws {
        let read = try coder.decode(Lossless.self, #"{"ids":[1,"2",true],"counts":["3",4.0],"rows":[["0.5",1]]}"#)
        #expect(read == Lossless(ids: ["1", "2", "true"], counts: [3, 4], rows: [[0.5, 1]]))
        #expect(try coder.decode(Lossless.self, coder.encode(read)) == read)
        #expect(
            try coder.decode(Lossless.self, #"{"ids":[],"counts":[],"rows":null}"#) == Lossless(ids: [], counts: []))
        #expect(errorPath { try coder.decode(Lossless.self, #"{"ids":[1,{}]}"#) } == "ids.1")
        #expect(errorPath { try coder.decode(Lossless.self, #"{"ids":[],"counts":[1.5]}"#) } == "counts.0")
        #expect(errorPath { try coder.decode(Lossless.self, #"{"ids":1}"#) } == "ids")
        #expect(
            try coder.drift(of: Lossless.self, #"{"ids":["a",1,2],"counts":[]}"#) == [
                "coerced ids[] textOfNumber 2 ids[1]"
            ])
    }

    private struct Outcomes: Codable, Equatable {
        @Fallback<IntegerValue<-1>> var next: Int
        @Default<IntegerValue<20>> var size: Int
    }

    @Test("The $ value of a default tells why it is used", arguments: Coder.allCases)
    func outcomes(coder: Coder) throws {
        let absent = try coder.decode(Outcomes.self, #"{"next":null}"#)
        #expect(absent == Outcomes(next: -1, size: 20))
        #expect(absent.$next.isDefault && absent.$size.isDefault)
        #expect(absent.$next.error == nil)
        let invalid = try coder.decode(Outcomes.self, #"{"next":[],"size":3}"#)
        #expect(invalid.next == -1)
        #expect(invalid.$next.error is DecodingError)
        #expect(!invalid.$size.isDefault)
        var changed = invalid
        changed.next = 5
        #expect(!changed.$next.isDefault)
        // The outcome is no part of the value.
        #expect(try invalid == coder.decode(Outcomes.self, #"{"next":-1,"size":3}"#))
    }

    private enum Shape: Codable, Equatable {
        case circle(Circle), text(String), number(Double)

        struct Circle: Codable, Equatable { var radius: Double }

        init(from decoder: any Decoder) throws {
            self = try decoder.decodeFirst(
                {
                    try $0.decodeTagged("kind") { kind, decoder in
                        kind == "circle" ? .circle(try Circle(from: decoder)) : nil
                    }
                }, { .text(try $0.singleValueContainer().decode(String.self)) },
                { .number(try $0.singleValueContainer().decode(Double.self)) })
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .circle(let circle): try encoder.encodeTagged("kind", as: "circle", circle)
            case .text(let text): try text.encode(to: encoder)
            case .number(let number): try number.encode(to: encoder)
            }
        }
    }

    @Test("Tagged and untagged alternatives are decoded and encoded", arguments: Coder.allCases)
    func alternatives(coder: Coder) throws {
        let document = #"[{"kind":"circle","radius":2},"a"]"#
        let shapes = try coder.decode([Shape].self, document)
        #expect(shapes == [.circle(.init(radius: 2)), .text("a")])
        #expect(try coder.encode(shapes) == document)
        for wrong in [#"{"kind":"square"}"#, #"{"radius":2}"#, #"{"kind":"circle"}"#, "[]"] {
            #expect(errorPath { try coder.decode([Shape].self, "[\(wrong)]") } == "0", "\(wrong)")
        }
    }

    @Test("The error of an unknown tag has its path", arguments: Coder.allCases)
    func unknownTag(coder: Coder) {
        struct Tagged: Decodable {
            init(from decoder: any Decoder) throws {
                self = try decoder.decodeTagged("kind") { _, _ in nil }
            }
        }
        #expect(errorPath { try coder.decode([Tagged].self, #"[{"kind":"x"}]"#) } == "0.kind")
        #expect(errorPath { try coder.decode([Tagged].self, #"[{"kind":7}]"#) } != nil)
        #expect(errorPath { try coder.decode([Tagged].self, "[{}]") } != nil)
    }

    @Test("Bytes in base64 do not depend on the strategy", arguments: Coder.allCases)
    func base64(coder: Coder) throws {
        struct Photo: Codable, Equatable {
            @Coded<Base64> var bytes: Data
            @Coded<Base64?> var other: Data?
        }
        let photo = try coder.decode(Photo.self, #"{"bytes":"AQI="}"#)
        #expect(photo == Photo(bytes: Data([1, 2]), other: nil))
        #expect(try coder.encode(photo) == #"{"bytes":"AQI="}"#)
        #expect(errorPath { try coder.decode(Photo.self, #"{"bytes":"%"}"#) } == "bytes")
    }

    private enum Stamp: FixedDateStrategy {
        static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
    }

    @Test("Errors include the value only if they may, and not all of a long one", arguments: Coder.allCases)
    func quotedValues(coder: Coder) {
        struct Event: Codable { @Coded<Stamp> var at: Date }
        struct Count: Codable { @LenientCoding.Lossless var count: Int }
        func message<Value: Decodable>(_ type: Value.Type, _ text: String, _ quotes: Bool) -> String? {
            let options = Coder.Options(userInfo: [.quotesValues: quotes])
            switch Result(catching: { try coder.decode(type, text, options) }) {
            case .failure(DecodingError.dataCorrupted(let context)),
                .failure(DecodingError.typeMismatch(_, let context)):
                return context.debugDescription
            default: return nil
            }
        }
        let date = #"{"at":"tomorrow"}"#, expected = "Expected a date as EEE MMM dd HH:mm:ss Z yyyy, found "
        #expect(message(Event.self, date, false) == expected + "another string.")
        #expect(message(Event.self, date, true) == expected + #""tomorrow"."#)
        let long = message(Event.self, #"{"at":"\#(String(repeating: "x", count: 100))"}"#, true)
        #expect(long == expected + "\"" + String(repeating: "x", count: 39) + "….")
        #expect(message(Count.self, #"{"count":1.5}"#, false)?.contains("1.5") == false)
        #expect(message(Count.self, #"{"count":1.5}"#, true)?.contains("found 1.5 that") == true)
    }

    @Test("A custom strategy may ask for the error alone", arguments: Coder.allCases)
    func customByError(coder: Coder) throws {
        struct Scores: Decodable {
            var values: [Int]
            init(from decoder: any Decoder) throws {
                values = try decoder.decodeElements(
                    invalidElementStrategy: .custom { error in error is DecodingError ? .fallback(-1) : .fail })
            }
        }
        #expect(try coder.decode(Scores.self, #"[1,{},3]"#).values == [1, -1, 3])
    }
}
