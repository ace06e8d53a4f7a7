import Foundation
import LenientCoding
import Testing

/// Reads any array, with a mark for each element that is not an integer.
private struct Elements: Decodable {
    struct Anything: Decodable { init(from decoder: any Decoder) throws {} }
    var good = 0
    var bad = 0
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            do {
                good += try container.decode(Inner.self).x
            } catch {
                bad += 1
                _ = try container.decode(Anything.self)
            }
        }
    }
    struct Inner: Decodable { var x: Int }
}

/// Tries an object, then an array, then any type.
private indirect enum Tree: Decodable {
    case object([String: Tree])
    case array([Tree])
    case leaf

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var members: [String: Tree] = [:]
            for key in container.allKeys { members[key.stringValue] = try container.decode(Tree.self, forKey: key) }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [Tree] = []
            while !container.isAtEnd { elements.append(try container.decode(Tree.self)) }
            self = .array(elements)
        } else {
            self = .leaf
        }
    }

    var depth: Int {
        switch self {
        case .object(let members): 1 + (members.values.map(\.depth).max() ?? 0)
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .leaf: 0
        }
    }

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

private func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
}

/// Keeps its decoder and containers after `init(from:)`, which types must not do.
private struct Kept: Decodable {
    let decoder: any Decoder
    let keyed: KeyedDecodingContainer<Tree.Key>
    let unkeyed: any UnkeyedDecodingContainer
    init(from decoder: any Decoder) throws {
        self.decoder = decoder
        keyed = try decoder.container(keyedBy: Tree.Key.self)
        unkeyed = try keyed.nestedUnkeyedContainer(forKey: Tree.Key(stringValue: "a"))
    }
}

/// Keeps the decoders and containers of values while the values after them are decoded.
private final class Keeper: @unchecked Sendable {
    static let key = CodingUserInfoKey(rawValue: "keeper")
    var decoders: [any Decoder] = []
    var keyed: [KeyedDecodingContainer<Tree.Key>] = []
    var single: [any SingleValueDecodingContainer] = []

    /// The paths and values that everything kept so far has now.
    func read() throws -> [String] {
        let x = Tree.Key(stringValue: "x")
        return try decoders.map { decoder in
            let value = try decoder.container(keyedBy: Tree.Key.self).decode(Int.self, forKey: x)
            return "\(decoder.codingPath.map(\.stringValue).joined(separator: ".")) \(value)"
        } + keyed.map { "keyed \(try $0.decode(Int.self, forKey: x))" }
            + single.map { "single \(try $0.decode([String: Int].self)["x"] ?? 0)" }
    }
}

/// A value that keeps a different thing each time.
private struct Hoarder: Decodable {
    let seen: [String]
    init(from decoder: any Decoder) throws {
        let keeper = try #require(Keeper.key.flatMap { decoder.userInfo[$0] } as? Keeper)
        switch keeper.decoders.count + keeper.keyed.count + keeper.single.count {
        case 0, 3: keeper.decoders.append(decoder)
        case 1: keeper.keyed.append(try decoder.container(keyedBy: Tree.Key.self))
        default: keeper.single.append(try decoder.singleValueContainer())
        }
        seen = try keeper.read()
    }
}

@Suite("Hostile documents and misuse of decoders")
struct DecodingLimitTests {
    @Test("200,000 elements of the wrong type are decoded")
    func mistypedElements() throws {
        let text = "[" + Array(repeating: #"{"x":[]}"#, count: 200_000).joined(separator: ",") + #",{"x":1}]"#
        let elements = try LenientDecoder().decode(Elements.self, text: text)
        #expect(elements.bad == 200_000 && elements.good == 1)
    }

    @Test("200,000 optional members of the wrong type are decoded")
    func mistypedMembers() throws {
        struct Model: Decodable { var x: Int? }
        let text = "[" + Array(repeating: #"{"x":[]}"#, count: 200_000).joined(separator: ",") + "]"
        let (models, drift) = try repaired([Model].self, text)
        #expect(models.count == 200_000)
        #expect(drift == ["dropped [].x mistyped 200000 [0].x"])
    }

    @Test("512 levels in an ignored, a mistyped and an untyped member are decoded on a small stack")
    func depth() async throws {
        struct Model: Decodable { var a: Int?, b: [String: Int]?, tree: Tree }
        let text = #"{"ignored":\#(nested(511)),"a":\#(nested(511)),"b":\#(nested(511)),"tree":\#(nested(511))}"#
        let depth = await withCheckedContinuation { continuation in
            DispatchQueue(label: "small stack").async {
                continuation.resume(returning: (try? LenientDecoder.lenient.decode(Model.self, text: text))?.tree.depth)
            }
        }
        #expect(depth == 511)
        let objects = String(repeating: #"{"a":"#, count: 512) + "1" + String(repeating: "}", count: 512)
        #expect(try LenientDecoder.strict.decode(Tree.self, text: objects).depth == 512)
        #expect(result(Tree.self, nested(513), by: LenientDecoder()) == "dataCorrupted at ")
    }

    @Test("100,000 members, different or equal, are decoded")
    func manyMembers() throws {
        let different = "{" + (0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try LenientDecoder().decode([String: Int].self, text: different).count == 100_000)
        let same = "{" + Array(repeating: #""k":1"#, count: 100_000).joined(separator: ",") + "}"
        let (dictionary, drift) = try repaired([String: Int].self, same)
        #expect(dictionary == ["k": 1])
        #expect(drift == ["duplicateKey k duplicate 99999 k"])
        struct Model: Decodable { var k99999: Int?, kA: Int? }
        #expect(try LenientDecoder.snakeCase.decode(Model.self, text: different).k99999 == 99_999)
    }

    @Test("A number of a megabyte of digits drops its member and no other")
    func digits() throws {
        struct Model: Decodable, Equatable { var a: Int?, b: Double?, c: Int8?, d: UInt64?, e = 1 }
        let digits = String(repeating: "9", count: 1_000_000)
        let text = #"{"a":\#(digits),"b":\#(digits),"c":\#(digits),"d":1e400,"e":1}"#
        #expect(try LenientDecoder.lenient.decode(Model.self, text: text) == Model())
    }

    @Test("A decoder used after its decode throws and does not crash")
    func keptDecoder() throws {
        let kept = try LenientDecoder().decode(Kept.self, text: #"{"a":[1]}"#)
        // The next decode uses the same memory.
        _ = try LenientDecoder().decode([String: Int].self, text: #"{"b":1}"#)
        let key = Tree.Key(stringValue: "a")
        var unkeyed = kept.unkeyed
        #expect(throws: DecodingError.self) { try kept.decoder.container(keyedBy: Tree.Key.self) }
        #expect(throws: DecodingError.self) { try kept.decoder.unkeyedContainer() }
        #expect(throws: DecodingError.self) { try kept.decoder.singleValueContainer() }
        #expect(throws: DecodingError.self) { try kept.keyed.decode(Int.self, forKey: key) }
        #expect(throws: DecodingError.self) { try kept.keyed.decodeIfPresent(Int.self, forKey: key) }
        #expect(throws: DecodingError.self) { try kept.keyed.decodeIfPresent([Int].self, forKey: key) }
        #expect(throws: DecodingError.self) { try kept.keyed.superDecoder() }
        #expect(throws: DecodingError.self) { try unkeyed.decode(Int.self) }
        #expect(!kept.keyed.contains(key) && kept.keyed.allKeys.isEmpty && kept.decoder.codingPath.isEmpty)
        #expect(unkeyed.isAtEnd && unkeyed.count == 0 && kept.decoder.userInfo.isEmpty)
    }

    @Test("A decoder or container that a model keeps stays at its value while further values are decoded")
    func keptDuringDecode() throws {
        struct Model: Decodable { var a: Hoarder, b: Hoarder, list: [Hoarder] }
        var decoder = LenientDecoder()
        decoder.userInfo[try #require(Keeper.key)] = Keeper()
        let text = #"{"a":{"x":1},"b":{"x":2},"list":[{"x":3},{"x":4}]}"#
        let model = try decoder.decode(Model.self, text: text)
        #expect(model.a.seen == ["a 1"])
        #expect(model.b.seen == ["a 1", "keyed 2"])
        #expect(model.list[0].seen == ["a 1", "keyed 2", "single 3"])
        #expect(model.list[1].seen == ["a 1", "list.Index 1 4", "keyed 2", "single 3"])
    }

    @Test(
        "The first of several values for one key of a dictionary counts, whatever the others are",
        arguments: [
            #"{"a":1,"b":2,"a":[]}"#, #"{"\u0061":1,"b":2,"a":"x"}"#, #"{"a":1,"b":2,"\u0061":"x"}"#,
            "{" + (0..<100).map { "\"k\($0)\":0," }.joined() + #""a":1,"b":2,"a":[]}"#,
        ])
    func dictionaryDuplicates(_ text: String) throws {
        let (values, drift) = try repaired([String: Int].self, text)
        #expect(values["a"] == 1 && values["b"] == 2)
        #expect(drift == ["duplicateKey a duplicate 1 a"])
        for decoder in strictDecoders { #expect(try decoder.decode([String: Int].self, text: text) == values) }
    }

    @Test("Concurrent decodes share no state")
    func concurrent() async throws {
        struct Model: Decodable { var someNumber: Int, list: [String: Int] }
        let decoder = LenientDecoder.snakeCase
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let text = #"{"some_number":"\#(number)","list":{"\#(number)":\#(number)}}"#
                    guard let (model, drift) = try? repaired(Model.self, text, by: decoder) else { return false }
                    return model.someNumber == number && model.list == ["\(number)": number] && drift.count == 1
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("A decode can run inside another decode")
    func reentrant() throws {
        struct Inner: Decodable { var x: Int }
        struct Model: Decodable {
            let x: Int
            let text: String
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Tree.Key.self)
                let json = try container.decode(String.self, forKey: Tree.Key(stringValue: "json"))
                x = try LenientDecoder().decode(Inner.self, text: json).x
                text = try container.decode(String.self, forKey: Tree.Key(stringValue: "text"))
            }
        }
        let models = try LenientDecoder().decode([Model].self, text: #"[{"json":"{\"x\":1}","text":"a"}]"#)
        #expect(models.map(\.x) == [1] && models.map(\.text) == ["a"])
    }
}
