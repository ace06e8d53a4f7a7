import Foundation
import JSONText
import Records
import Testing

private enum Level: String, CaseIterable { case low, high }

private struct Leaf: Record {
    var name = "", weight: Double?
    static let schema = Schema<Leaf> {
        Field(\.name)
        Field(\.weight, .plausible(0...2.5), .dimension(.depth), .note("What it weighs."))
    }
}

private struct Tree: Record {
    var leaf = Leaf(), leaves: [Leaf]?, branches: [Tree]?, level: OpenEnum<Level>?, height = 3, planted: UnixSeconds?
    var tags: JSONValue?, alive: Bool?, others = JSONValue.object([])
    static let schema = Schema<Tree> {
        Field(\.leaf)
        Field(\.leaves)
        Field(\.branches)
        Field(\.level)
        Field(\.height, .defaulted)
        Field(\.planted, .or("planted_at"))
        Field(\.tags)
        Field(\.alive, .required)
        OtherFields(\.others)
    }
}

@Suite("OpenAPI schemas of tables")
struct SchemaTests {
    @Test("Each record becomes a component with its fields, required fields, ranges, notes and defaults")
    func components() throws {
        var components = SchemaComponents()
        components.add(Tree.self)
        var writer = JSONWriter()
        components.write(to: &writer)
        let written = try #require(String(bytes: writer.bytes, encoding: .utf8))
        let tree = """
            "Tree":{"type":"object","properties":{"leaf":{"$ref":"#/components/schemas/Leaf"},\
            "leaves":{"type":"array","items":{"$ref":"#/components/schemas/Leaf"}},\
            "branches":{"type":"array","items":{"$ref":"#/components/schemas/Tree"}},\
            "level":{"type":"string","examples":["low","high"]},"height":{"type":"integer","default":3},\
            "planted":{"type":"number"},"tags":{},"alive":{"type":"boolean"}},"required":["leaf","alive"],\
            "additionalProperties":true}
            """
        let leaf = """
            "Leaf":{"type":"object","properties":{"name":{"type":"string"},\
            "weight":{"type":"number","description":"What it weighs.","minimum":0,"maximum":2.5,\
            "x-dimension":"depth"}},"required":["name"],"additionalProperties":false}
            """
        #expect(written == "{\(tree),\(leaf)}")
    }

    @Test("A record that several records contain is described once")
    func sharedRecord() {
        var components = SchemaComponents()
        components.add(Leaf.self)
        components.add(Tree.self)
        components.add(Leaf.self)
        guard case .object(let members) = components.value else {
            Issue.record("components are an object")
            return
        }
        #expect(members.map(\.key) == ["Leaf", "Tree"])
    }
}
