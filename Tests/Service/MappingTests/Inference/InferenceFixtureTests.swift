import Foundation
import Records
import TestSupport
import Testing

@Suite("Routes from recorded answers")
struct InferenceFixtureTests {
    private static let folder = "Tests/Fixtures/inference"

    @Test("Each case gives the expected route, which loses nothing of its documents")
    func cases() throws {
        let files = try Checkout.names(in: Self.folder).filter { $0.hasSuffix(".in.json") }.sorted()
        #expect(files.count >= 5)
        for file in files {
            let name = String(file.dropLast(".in.json".count))
            let path = "\(Checkout.root)/\(Self.folder)/\(name)"
            var documents = [try Checkout.read("\(path).in.json")]
            if let more = try? Checkout.read("\(path).more.json") { documents.append(more) }
            let route = try InferredRoute(documents)
            let expected = try Checkout.text("\(Self.folder)/\(name).route.json")
            #expect(route.text + "\n" == expected, "\(name)")
            for document in documents { #expect(try route.losses(of: document) == [], "\(name)") }
        }
    }

    @Test(
        "The route of a recorded document loses nothing of the document",
        arguments: ["other", "darksky", "mastodon", "twitter-v1.1", "twitter-v2", "bluesky"])
    func corpus(_ folder: String) throws {
        for path in Checkout.corpus(folder) {
            let document = try Checkout.read(path)
            let name = URL(fileURLWithPath: path).lastPathComponent
            do {
                #expect(try InferredRoute([document]).losses(of: document) == [], "\(name)")
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
    }

    @Test("A member that is renamed in another document is missing in the answer")
    func renamedMembers() throws {
        let route = try InferredRoute([Array(#"{"list": [{"id": 1, "wind_speed": 2.5}], "cod": "200"}"#.utf8)])
        let (_, drift) = try route.normalize(Array(#"{"list": [{"id": 2, "speed": 2.5}], "cod": "200"}"#.utf8))
        #expect(drift.entries.filter { $0.kind == .missing }.map(\.from) == ["wind_speed"])
    }
}
