import JSONText
import TestSupport
import Testing

@Suite("Hostile documents")
struct HostileDocumentTests {
    @Test("A hundred thousand equal keys become one member")
    func equalKeys() throws {
        let members = (0..<100_000).map { "\"a_b\":\($0)" }.joined(separator: ",")
        let (text, events) = try transformedWithEvents("{\(members)}")
        #expect(text == "{\"aB\":99999}")
        #expect(events == ["duplicate aB 99999"])
        #expect(try reading("{\(members)}") { $0["a_b"]?.int64 } == 99_999)
    }

    @Test("A hundred thousand keys that differ only in the middle are distinguished, and a repeated key is found")
    func similarKeys() throws {
        let keys = (0..<100_000).map { "beginning\($0 + 100_000)conclusion" }
        let members = (keys + [keys[7]]).map { "\"\($0)\":1" }.joined(separator: ",")
        let expected = keys.map { "\"\($0)\":1" }.joined(separator: ",")
        let (text, events) = try transformedWithEvents("{\(members)}")
        #expect(text == "{\(expected)}")
        // The name of a key that could be data is not told.
        #expect(events == ["duplicate *"])
    }

    @Test("Of a hundred thousand keys with one camelCase name, only the first is renamed")
    func collidingKeys() throws {
        // The binary digits of a number, spelled with two separators.
        let keys = (0..<100_000).map { number in
            "a" + (0..<17).map { number >> $0 & 1 == 0 ? "-b" : "_b" }.joined()
        }
        let (text, events) = try transformedWithEvents("{\(keys.map { "\"\($0)\":1" }.joined(separator: ","))}")
        let name = CamelCase.convert(keys[0])
        #expect(text == "{\"\(name)\":1,\(keys.dropFirst().map { "\"\($0)\":1" }.joined(separator: ","))}")
        #expect(events.count == JSONTransform.maximumEvents)
    }

    @Test("Many small objects with different keys are written completely")
    func differentKeys() throws {
        let objects = (0..<50_000).map { "{\"key_\($0)\":{\"k\($0)_x\":[]}}" }.joined(separator: ",")
        let expected = (0..<50_000).map { "{\"key\($0)\":{\"k\($0)X\":[]}}" }.joined(separator: ",")
        #expect(try transformed("[\(objects)]") == "[\(expected)]")
    }

    @Test("Duplicates and collisions are resolved at every depth")
    func nestedDuplicates() throws {
        let document = (0..<500).reduce("1") { inner, _ in "{\"a_b\":0,\"aB\":\(inner),\"a_b\":2,\"c\":3,\"c\":4}" }
        let expected = (0..<500).reduce("1") { inner, _ in "{\"a_b\":2,\"aB\":\(inner),\"c\":4}" }
        #expect(try transformed(document) == expected)
    }

    @Test("A string of ten megabytes of escapes is read and copied")
    func escapes() throws {
        let document = "\"" + String(repeating: "\\n\\u00e9\\ud83d", count: 10 << 20 / 14) + "\""
        #expect(try reading(document) { $0.string?.unicodeScalars.count } == 10 << 20 / 14 * 3)
        let copy = try transformed(document)
        #expect(copy.utf8.count == document.utf8.count)
        #expect(!copy.contains("\\ud83d"))
    }

    @Test("A string of invalid bytes only is repaired", arguments: [0x00, 0xFF, 0xC2] as [UInt8])
    func invalidBytes(byte: UInt8) throws {
        let document = [0x22] + [UInt8](repeating: byte, count: 1 << 18) + [0x22]
        var parser = JSONParser(options: JSONOptions(leniency: .all))
        let count = try parser.withDocument(document) { $0.string?.unicodeScalars.count }
        #expect(count == 1 << 18)
    }

    @Test("Numbers of a million digits are read exactly")
    func longNumbers() throws {
        let nines = String(repeating: "9", count: 1_000_000)
        let read = try reading("[\(nines),0.\(nines),\(nines)e-1000000,1e400,-1e400,1e-400]") { root in
            root.elements.map { $0.double }
        }
        #expect(read == [nil, 1, 1, nil, nil, 0])
        #expect(try reading(nines) { [$0.int64 == nil, $0.uint64 == nil] } == [true, true])
        #expect(try transformed("[\(nines)]") == "[\(nines)]")
    }

    @Test("No options raise the depth limit above the greatest depth that recursive readers support")
    func depth() {
        let document = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        var options = JSONOptions(maximumDepth: .max)
        #expect(refusal(of: document, options: options)?.reason == .tooDeep(limit: 512))
        options.maximumDepth = 100_000
        #expect(refusal(of: document, options: options)?.reason == .tooDeep(limit: 512))
    }

    @Test("Documents with changed bytes are transformed to valid JSON or refused", arguments: [0, 1])
    func mutated(round: Int) throws {
        let document = Array(
            "{\"a_b\":[1,{\"c-d\":\"é\\ud83d\\n\"}],\"aB\":null,\"+1\":-0.5e3,\"-1\":{},\"a_b\":[[]]}".utf8)
        var random = SplitMix64(seed: UInt64(round))
        var wrong: [String] = []
        for _ in 0..<5000 {
            var changed = document
            for _ in 0...Int.random(in: 0...2, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(
                    in: .min ... .max, using: &random)
            }
            let options = JSONOptions(leniency: round == 0 ? [] : JSONLeniency.all.subtracting(.concatenated))
            guard let text = try? transformed(changed, options) else { continue }
            if refusal(of: text) != nil { wrong.append(text) }
        }
        #expect(wrong == [])
    }
}
