import Foundation
import LenientCoding
import TestSupport
import Testing

@Suite("Migrating from dictionaries")
struct MigrationTests {
    private static let document = """
        {"id":1,"users":[
          {"id":7,"name":"Ada","level":"senior","profiles":[{"type":"web","url":"https://ada.example","username":"ada"}]},
          {"id":8,"name":"Bob","level":"trainee","profiles":[]}
        ]}
        """

    private static let summary = ["1", "7 Ada senior web https://ada.example ada nil", "8 Bob trainee"]

    @Test("Before: models made of dictionaries")
    func dictionaries() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.document.utf8))
        let dictionary = try #require(object as? [String: Any])
        let list = try #require(DictionaryModels.UserList(dictionary: dictionary))
        let users = list.users.map { user in
            let profiles = user.profiles.map { "\($0.type) \($0.url) \($0.username ?? "nil") \($0.name ?? "nil")" }
            return (["\(user.id) \(user.name) \(user.level)"] + profiles).joined(separator: " ")
        }
        #expect(["\(list.id)"] + users == Self.summary)
    }

    @Test("Step 1: JSONDecodable models", arguments: Coder.allCases)
    func jsonModels(coder: Coder) throws {
        let list = try JSONModels.UserList(json: coder.decode(JSONValue.self, Self.document))
        let users = list.users.map { user in
            let profiles = user.profiles.map { "\($0.type) \($0.url) \($0.username ?? "nil") \($0.name ?? "nil")" }
            return (["\(user.id) \(user.name) \(user.level)"] + profiles).joined(separator: " ")
        }
        #expect(["\(list.id)"] + users == Self.summary)
    }

    @Test("Step 2: Codable models inside JSONDecodable models", arguments: Coder.allCases)
    func innerCodable(coder: Coder) throws {
        let list = try InnerCodableModels.UserList(json: coder.decode(JSONValue.self, Self.document))
        let users = list.users.map { user in
            let profiles = user.profiles.map { "\($0.type) \($0.url) \($0.username ?? "nil") \($0.name ?? "nil")" }
            return (["\(user.id) \(user.name) \(user.level)"] + profiles).joined(separator: " ")
        }
        #expect(["\(list.id)"] + users == Self.summary)
    }

    @Test("Step 3: JSONDecodable models inside Codable models", arguments: Coder.allCases)
    func outerCodable(coder: Coder) throws {
        let list = try coder.decode(OuterCodableModels.UserList.self, Self.document)
        let users = list.users.map { user in
            let profiles = user.profiles.map { "\($0.type) \($0.url) \($0.username ?? "nil") \($0.name ?? "nil")" }
            return (["\(user.id) \(user.name) \(user.level)"] + profiles).joined(separator: " ")
        }
        #expect(["\(list.id)"] + users == Self.summary)
    }

    @Test("Step 4: Codable models", arguments: Coder.allCases)
    func codable(coder: Coder) throws {
        let list = try coder.decode(CodableModels.UserList.self, Self.document)
        let users = list.users.map { user in
            let profiles = user.profiles.map { "\($0.type) \($0.url) \($0.username ?? "nil") \($0.name ?? "nil")" }
            return (["\(user.id) \(user.name) \(user.level)"] + profiles).joined(separator: " ")
        }
        #expect(["\(list.id)"] + users == Self.summary)
        let again = try coder.decode(CodableModels.UserList.self, coder.encode(list))
        #expect(again.users.map(\.name) == ["Ada", "Bob"])
        #expect(try coder.decode(CodableModels.UserList.self, #"{"id":1,"users":[{"id":"x"}]}"#).users.isEmpty)
    }

    @Test(
        "An error has its coding path in models of every kind",
        arguments: [
            (
                #"{"id":1,"users":[{"id":7,"name":"Ada","level":"senior","profiles":[{"type":"web"}]}]}"#,
                "users[0].profiles[0].url: "
            ),
            (#"{"id":1,"users":[{"id":7,"name":"Ada","level":"boss"}]}"#, "users[0].level: "),
            (#"{"id":1}"#, "users: missing"),
            (#"{"id":1,"users":[7]}"#, "users[0]: expected an object, found a number"),
            (#"{"id":1,"users":[{"id":7.5}]}"#, "users[0].id: expected an integer, found a number"),
            ("[]", "expected an object, found an array"),
        ])
    func errors(document: String, start: String) throws {
        let json = try Coder.lenient.decode(JSONValue.self, document)
        for make in [{ _ = try JSONModels.UserList(json: json) }, { _ = try InnerCodableModels.UserList(json: json) }] {
            do {
                try make()
                Issue.record("\(document) was read")
            } catch let error as JSONDecodingError {
                #expect(error.description.hasPrefix(start), "\(error)")
            }
        }
    }

    @Test("The coding path continues inside Codable models", arguments: Coder.allCases)
    func codingPath(coder: Coder) {
        let document = #"{"id":1,"users":[{"id":7,"name":"Ada","level":"senior","profiles":[{"type":"web"}]}]}"#
        #expect(
            errorPath { try coder.decode(OuterCodableModels.UserList.self, document) } == "users.0.profiles.0.url")
    }

    @Test("Accessors convert values only if the conversion is exact")
    func accessors() throws {
        let json: JSONValue = ["id": 7, "ratio": 0.5, "null": nil, "list": [1, nil], "table": ["a": 1], "on": true]
        #expect(try json.decode("id", as: Int.self) == 7)
        #expect(try json.decode("id", as: UInt64.self) == 7)
        #expect(try json.decode("id", as: Int64.self) == 7)
        #expect(try json.decode("id", as: Double.self) == 7)
        #expect(try json.decode("ratio", as: Decimal.self) == Decimal(string: "0.5"))
        #expect(try json.decode("on", as: Bool.self))
        #expect(try json.decode("list", as: [Int?].self) == [1, nil])
        #expect(try json.decode("table", as: [String: Int].self) == ["a": 1])
        #expect(try json.decode("null", as: Int?.self) == nil)
        #expect(try json.decode("absent", as: Int?.self) == nil)
        #expect(try json.decodeIfPresent("null", as: Int.self) == nil)
        #expect(try json.decode("absent", default: 3) == 3)
        #expect(try json["list"]?[0]?.decode(as: Int.self) == 1)
        #expect(throws: JSONDecodingError("expected an integer, found a number", at: [.key("ratio")])) {
            try json.decode("ratio", as: Int.self)
        }
        #expect(throws: JSONDecodingError("expected an integer, found null", at: [.key("list"), .index(1)])) {
            try json.decode("list", as: [Int].self)
        }
        #expect(throws: JSONDecodingError("missing", at: [.key("absent")])) { try json.decode("absent", as: Int.self) }
    }

    @Test("The code in the article is the code of these tests")
    func article() throws {
        let article = "Sources/JSON/LenientCoding/LenientCoding.docc/MigratingFromDictionaries.md"
        let source = try Checkout.text("Tests/JSON/LenientCodingTests/Migration/MigrationSteps.swift")
        let blocks = try Checkout.text(article).components(separatedBy: "```swift\n").dropFirst()
        #expect(blocks.count == 9)
        for block in blocks {
            let code = try #require(block.components(separatedBy: "\n```").first)
            let indented = code.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
            #expect(source.contains(indented), "\(code)")
        }
    }
}
