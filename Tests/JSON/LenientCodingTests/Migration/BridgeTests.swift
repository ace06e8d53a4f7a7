import Foundation
import LenientCoding
import Testing

/// `Codable` models inside hand-written ones inside `Codable` ones.
@Suite("Bridges between models")
struct BridgeTests {
    private struct Profile: Codable, CodableToJSONDecodable {
        var imageURL: String
        var since: Date
        @Lossy var tags: [String]
        @FallbackNil var age: Int?
    }

    private struct Warning: Record, CodableToJSONDecodable {
        var title = "", regions: [String]?
        static let schema = Schema<Warning> {
            Field(\.title)
            Field(\.regions, .dropInvalid)
        }
    }

    private struct User: JSONToCodableDecodable {
        let id: Int, profiles: [Profile], warning: Warning?

        init(json: JSONValue) throws {
            id = try json.decode("user_id")
            profiles = try json.decode("profiles", default: [])
            warning = try json.decodeIfPresent("warning")
        }
    }

    private struct List: Decodable {
        let userList: [User]
    }

    private static let document = """
        {"user_list":[{"user_id":1},{"user_id":2,"profiles":[
          {"image_url":"a","since":"2016-03-28T14:39:13Z","tags":["x",{}],"age":[]}],
          "warning":{"title":"t","regions":["a",[]]}}]}
        """

    private func decoder() -> LenientDecoder {
        var decoder = LenientDecoder()
        decoder.leniency = .all
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    @Test("Inner models are decoded with the outer strategies, and their repairs have the whole path")
    func strategiesAndDrift() throws {
        var drift = DriftReport()
        let list = try decoder().decode(List.self, from: Array(Self.document.utf8), drift: &drift)
        let profile = try #require(list.userList.last?.profiles.first)
        #expect(profile.imageURL == "a")
        #expect(profile.since == Date(timeIntervalSince1970: 1_459_175_953))
        #expect(profile.tags == ["x"])
        #expect(list.userList.last?.warning?.regions == ["a"])
        #expect(
            Set(drift.entries.map { "\($0.kind) \($0.path) \($0.example)" }) == [
                "dropped userList[].profiles[].tags[] userList[1].profiles[0].tags[1]",
                "defaulted userList[].profiles[].age userList[1].profiles[0].age",
                "dropped userList[].warning.regions[] userList[1].warning.regions[1]",
            ])
    }

    @Test("Repairs of inner models are noted in the recorder of any decoder", arguments: Coder.allCases)
    func recorder(coder: Coder) throws {
        struct Outer: Decodable { let users: [Inner] }
        struct Inner: JSONToCodableDecodable {
            let tags: Tags
            init(json: JSONValue) throws { tags = try json.decode("tags") }
        }
        struct Tags: Codable, CodableToJSONDecodable { @Lossy var list: [Int] }
        #expect(
            try coder.drift(of: Outer.self, #"{"users":[{"tags":{"list":[1,"x"]}}]}"#)
                == ["dropped users[].tags.list[] mistyped 1 users[0].tags.list[1]"])
    }

    @Test(
        "An error has the whole path",
        arguments: [
            (
                #"{"user_list":[{"user_id":1,"profiles":[{"image_url":"a","since":"x","tags":[]}]}]}"#,
                "userList.0.profiles.0.since"
            ),
            (#"{"user_list":[{"user_id":1,"profiles":[{}]}]}"#, "userList.0.profiles.0.imageURL"),
            (#"{"user_list":[{"user_id":1,"warning":{"regions":[]}}]}"#, "userList.0.warning.title"),
            (#"{"user_list":[{"user_id":"x"}]}"#, "userList.0.user_id"),
        ])
    func paths(document: String, path: String) {
        #expect(errorPath { try decoder().decode(List.self, from: Array(document.utf8)) } == path)
    }

    @Test("A model with a decoder of its own keeps it, and its errors and repairs have the path to it")
    func ownDecoder() throws {
        struct Plain: Codable, CodableToJSONDecodable {
            var imageURL: String
            @Lossy var tags: [Int]
            static let recorder = DriftRecorder()
            static var jsonDecoder: LenientDecoder {
                var decoder = LenientDecoder()
                decoder.userInfo[.driftRecorder] = recorder
                return decoder
            }
        }
        struct Holder: JSONDecodable {
            let plain: [Plain]
            init(json: JSONValue) throws { plain = try json.decode("plain") }
        }
        _ = try Holder(json: ["plain": [["imageURL": "a", "tags": [1, "x"]]]])
        #expect(Plain.recorder.report.entries.map(\.path) == ["tags[]"])
        #expect(throws: JSONDecodingError("missing", at: [.key("plain"), .index(0), .key("imageURL")])) {
            try Holder(json: ["plain": [["image_url": "a", "tags": []]]])
        }
    }

    @Test("A decoding error of a hand-written model gets the path to the model")
    func decodingErrors() {
        struct Own: JSONDecodable {
            init(json: JSONValue) throws {
                _ = try LenientDecoder().decode([String: Int].self, from: Array(json.description.utf8))
            }
        }
        let json: JSONValue = ["list": [["a": 1], ["a": [:]]]]
        let error = #expect(throws: JSONDecodingError.self) { try json.decode("list", as: [Own].self) }
        #expect(error?.path == [.key("list"), .index(1), .key("a")])
    }
}
