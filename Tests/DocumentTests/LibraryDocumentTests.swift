import Foundation
import LenientCoding
import TestSupport
import Testing

// The examples of docs/library.md. The last test compares them with the document.

struct Warning: Record {
    var title = "", regions: [String]?, expires: UnixSeconds?
    static let schema = Schema<Warning> {
        Field(\.title)
        Field(\.regions, .dropInvalid)
        Field(\.expires, .or("expiry"), .absent(-999))
    }
}

struct Profile: Codable {
    @Lossless var id: String
    @Lossy var tags: [String]
    @DefaultFalse var isVerified: Bool
    @FallbackNil var website: URL?
    @Coded<CreationDate> var createdAt: Date
}

enum CreationDate: FixedDateStrategy {
    static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
}

enum Direction: String, FieldValue { case north, south }

struct Station: Record {
    var id = 0, city: String?, latitude: Double?, faces: Direction?, readings: [Int: Double]?
    static let schema = Schema<Station> {
        Field(\.id)
        Field("location.city", \.city)
        Field("location.position.lat", \.latitude)
        Field(\.faces)
        Field(\.readings, .dropInvalid)
    }
}

@Suite("docs/library.md")
struct LibraryDocumentTests {
    @Test("The record example repairs a document and reports it")
    func record() throws {
        let document = #"[{"title":"Wind","regions":["Coast",5,{}],"expiry":-999},{"title":"Rain","expiry":7}]"#
        let bytes = Array(document.utf8)
        var drift = DriftReport()
        let warnings = try LenientDecoder(leniency: .all).decode([Warning].self, from: bytes, drift: &drift)
        let json = try CompactEncoder().encode(warnings)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"[{"title":"Wind","regions":["Coast","5"]},{"title":"Rain","expires":7}]"#)
        #expect(drift.summary == "dropped=1, defaulted=1, coerced=1")
    }

    @Test("The example with paths reads and writes inner objects")
    func paths() throws {
        let document = #"{"id":7,"location":{"city":"Ulm","position":{"lat":48.4}}}"#
        let station = try LenientDecoder().decode(Station.self, from: Array(document.utf8))
        #expect(String(decoding: try CompactEncoder().encode(station), as: UTF8.self) == document)
    }

    @Test("The Codable example repairs a document")
    func codable() throws {
        let document = """
            {"id": 12345678901234567890, "tags": ["swift", 7, null], "website": ["none"],
             "created_at": "Sun Aug 31 00:29:15 +0000 2014"}
            """
        let bytes = Array(document.utf8)
        let decoder = LenientDecoder(leniency: .all) { $0.keyDecodingStrategy = .convertFromSnakeCase }
        let profile = try decoder.decode(Profile.self, from: bytes)
        #expect(profile.id == "12345678901234567890")
        #expect(profile.tags == ["swift", "7"])
        #expect(!profile.isVerified)
        #expect(profile.website == nil)
        #expect(profile.createdAt.timeIntervalSince1970 == 1_409_444_955)
    }

    @Test("The example of the encoder gives formatted data")
    func formatting() throws {
        let profile = ["b": "x/y", "a": "1"]
        var encoder = CompactEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data: Data = try encoder.encode(profile)
        #expect(data == Data("{\n  \"a\" : \"1\",\n  \"b\" : \"x/y\"\n}".utf8))
    }

    @Test("The example of leniency has the options that it names")
    func leniency() throws {
        var decoder = LenientDecoder(leniency: [.coercion, .mistypedOptionals])
        #expect(try decoder.decode([Int].self, from: Array(#"["1"]"#.utf8)) == [1])
        decoder.leniency = []
        #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: Array(#"["1"]"#.utf8)) }
    }

    @Test("The untyped example keeps numbers as their text")
    func untyped() throws {
        let bytes = Array(#"{"price":0.10,"tags":["a","b"]}"#.utf8)
        let json = try LenientDecoder().decode(JSONValue.self, from: bytes)
        let price = json["price"]?.decimalValue
        let tag = json["tags"]?[1]?.stringValue
        #expect(price == 0.1)
        #expect(tag == "b")
        #expect(json["price"] == .number("0.10"))
    }

    @Test("The element example decodes what it can")
    func elements() throws {
        struct Scores: Decodable {
            var values: [Int]
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: RawCodingKey.self)
                values = try container.decodeElements(
                    [Int].self, forKey: "values", invalidElementStrategy: .fallback(0))
            }
        }
        #expect(try JSONDecoder().decode(Scores.self, from: Data(#"{"values":[1,"x",3]}"#.utf8)).values == [1, 0, 3])
    }

    @Test("Every line of Swift in the documents stands in this file", arguments: Document.all)
    func lines(of document: Document) throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let lines = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        for line in document.blocks.filter({ $0.language == "swift" }).flatMap(\.lines) where !line.isEmpty {
            // The product is imported by another line in a package manifest.
            let isManifest = line.contains(".package(") || line.contains(".product(")
            #expect(isManifest || lines.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
        }
    }
}
