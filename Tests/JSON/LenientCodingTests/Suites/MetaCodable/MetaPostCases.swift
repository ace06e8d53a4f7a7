import Foundation
import LenientCoding

// The test cases of MetaCodable for protocols whose types a member names (DynamicCodableTests).
extension MetaCodableCases {
    private protocol Post {
        var id: UUID { get }
        var likes: Int { get }
    }
    private struct Text: Post, Decodable { let id: UUID, likes: Int, text: String }
    private struct Picture: Post, Decodable { let id: UUID, likes: Int, url: URL, caption: String }
    private struct Audio: Post, Decodable { let id: UUID, likes: Int, url: URL, seconds: Int }
    private struct Video: Post, Decodable { let id: UUID, likes: Int, url: URL, seconds: Int, preview: URL }
    private enum Folder {
        struct Link: Post, Decodable { let id: UUID, likes: Int }
    }

    private static func post(_ kind: String, from decoder: any Decoder) throws -> (any Post)? {
        switch kind {
        case "text": try Text(from: decoder)
        case "picture", "photo": try Picture(from: decoder)
        case "audio": try Audio(from: decoder)
        case "video": try Video(from: decoder)
        case "link": try Folder.Link(from: decoder)
        default: nil
        }
    }

    /// A post whose type is the key of its object.
    private struct KeyedPost: Decodable {
        let post: any Post
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            guard let key = container.allKeys.first,
                let post = try MetaCodableCases.post(key.stringValue, from: container.superDecoder(forKey: key))
            else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "No post."))
            }
            self.post = post
        }
    }
    /// A post whose type is a member.
    private struct TaggedPost: Decodable {
        let post: any Post
        init(from decoder: any Decoder) throws {
            post = try decoder.decodeTagged("kind") { try MetaCodableCases.post($0, from: $1) }
        }
    }
    /// A post whose type is beside an object with its members.
    private struct EnclosedPost: Decodable {
        let post: any Post
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            post = try decoder.decodeTagged("kind") { kind, _ in
                try MetaCodableCases.post(kind, from: container.superDecoder(forKey: "content"))
            }
        }
    }
    private struct Page<Item: Decodable>: Decodable {
        let content: [Item], next: URL
    }

    private static let kinds = ["text", "picture", "photo", "audio", "video", "link"]
    private static let members = """
        "id":"0F0E0D0C-0B0A-4908-8706-050403020100","likes":7,"text":"a","url":"https://a.example/b.c","caption":"d",
        "seconds":60,"preview":"https://a.example/e"
        """

    private static func checkPage<Item: Decodable>(
        _ coder: SuiteCoder, _ item: (String) -> String, _ post: KeyPath<Item, any Post>
    ) throws {
        let content = kinds.map(item).joined(separator: ",")
        let page = try coder.decode(Page<Item>.self, #"{"content":[\#(content)],"next":"https://a.example/2"}"#)
        let types = page.content.map { "\(type(of: $0[keyPath: post]))" }
        try expect(types, is: ["Text", "Picture", "Picture", "Audio", "Video", "Link"])
        try expect(page.content.map { $0[keyPath: post].likes }, is: Array(repeating: 7, count: 6))
    }

    private struct Answer: Decodable {
        enum Details {
            case registration(status: String), verification(expires: UInt)
        }
        let id: String, details: Details

        enum CodingKeys: CodingKey { case data }
        enum DataKeys: CodingKey { case id, details }
        enum DetailKeys: String, CodingKey { case operation, status = "status-code", expires }

        init(from decoder: any Decoder) throws {
            let data = try decoder.container(keyedBy: CodingKeys.self)
                .nestedContainer(keyedBy: DataKeys.self, forKey: .data)
            id = try data.decode(String.self, forKey: .id)
            let values = try data.nestedContainer(keyedBy: DetailKeys.self, forKey: .details)
            if try values.decodeIfPresent(String.self, forKey: .operation) == "REGISTER" {
                details = .registration(status: try values.decode(String.self, forKey: .status))
            } else {
                details = .verification(expires: try values.decode(UInt.self, forKey: .expires))
            }
        }
    }

    static let posts = SuiteCase.of(
        "DynamicCodableTests",
        [
            SuiteCase("pageWithExtPost", "The key of an object selects the type of a protocol's value") {
                try checkPage($0, { #"{"\#($0)":{\#(members)}}"# }, \KeyedPost.post)
            },
            SuiteCase("pageWithIntPost", "A member selects the type of a protocol's value") {
                try checkPage($0, { #"{"kind":"\#($0)",\#(members)}"# }, \TaggedPost.post)
            },
            SuiteCase("pageWithAdjPost", "A member selects the type of the object beside it") {
                try checkPage($0, { #"{"kind":"\#($0)","content":{\#(members)}}"# }, \EnclosedPost.post)
            },
            SuiteCase("response", "A member that may be missing selects the type") { coder in
                let registered = try coder.decode(
                    Answer.self, #"{"data":{"id":"a","details":{"operation":"REGISTER","status-code":"200"}}}"#)
                guard case .registration("200") = registered.details else {
                    throw UnmetExpectation(description: "\(registered)")
                }
                let verified = try coder.decode(Answer.self, #"{"data":{"id":"b","details":{"expires":3600}}}"#)
                guard case .verification(3600) = verified.details else {
                    throw UnmetExpectation(description: "\(verified)")
                }
            },
        ])
}
