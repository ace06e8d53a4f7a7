import Foundation
import LenientCoding
import Testing

private enum Key: String, CodingKey { case a, b, c, first, second }

/// Encodes with a closure.
private struct Scripted: Encodable {
    let script: @Sendable (any Encoder) throws -> Void
    init(_ script: @escaping @Sendable (any Encoder) throws -> Void) { self.script = script }
    func encode(to encoder: any Encoder) throws { try script(encoder) }
}

private func encoded(
    _ encoder: CompactEncoder = CompactEncoder(), _ script: @escaping @Sendable (any Encoder) throws -> Void
) throws -> String {
    String(decoding: try encoder.encode(Scripted(script)), as: UTF8.self)
}

private class Base: Encodable {
    let name = "base"
    private enum CodingKeys: CodingKey { case name }
}

private final class Shared: Base {
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .a)
        try super.encode(to: encoder)
        try container.encode(2, forKey: .b)
    }
}

private final class Apart: Base {
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try super.encode(to: container.superEncoder())
        try super.encode(to: container.superEncoder(forKey: .b))
        try container.encode(1, forKey: .a)
        _ = container.superEncoder(forKey: .c)
    }
}

@Suite("Encoding containers")
struct ContainerEncodingTests {
    @Test("Nested containers can be written in any order")
    func interleaved() throws {
        let text = try encoded { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            var first = outer.nestedUnkeyedContainer(forKey: .first)
            var second = outer.nestedContainer(keyedBy: Key.self, forKey: .second)
            try first.encode(1)
            try outer.encode("x", forKey: .a)
            var third = first.nestedUnkeyedContainer()
            try second.encode([1, 2], forKey: .a)
            try first.encode(2)
            try third.encode(3)
            try second.encode("y", forKey: .b)
            try outer.encode("z", forKey: .b)
            try third.encodeNil()
            #expect(first.count == 3 && first.codingPath.map(\.stringValue) == ["first"])
            #expect(third.codingPath.map(\.stringValue) == ["first", "Index 1"])
        }
        #expect(text == #"{"first":[1,[3,null],2],"second":{"a":[1,2],"b":"y"},"a":"x","b":"z"}"#)
    }

    @Test("A container without values is encoded as an empty one")
    func empty() throws {
        #expect(try encoded { _ = $0.container(keyedBy: Key.self) } == "{}")
        #expect(try encoded { _ = $0.unkeyedContainer() } == "[]")
        let text = try encoded { encoder in
            var container = encoder.container(keyedBy: Key.self)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            _ = container.nestedUnkeyedContainer(forKey: .b)
            try container.encode(Scripted { _ in }, forKey: .c)
        }
        #expect(text == #"{"a":{},"b":[],"c":{}}"#)
    }

    @Test("A type that encodes no value is an error")
    func noValue() throws {
        #expect(throws: EncodingError.self) { try encoded { _ in } }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Scripted { _ in }) }
    }

    @Test("A subclass can encode its superclass into the same object or into a member")
    func inheritance() throws {
        #expect(
            String(decoding: try CompactEncoder().encode(Shared()), as: UTF8.self) == #"{"a":1,"name":"base","b":2}"#)
        #expect(
            String(decoding: try CompactEncoder().encode(Apart()), as: UTF8.self)
                == #"{"super":{"name":"base"},"b":{"name":"base"},"a":1,"c":{}}"#)
    }

    @Test("The last of two values for one key is encoded")
    func duplicates() throws {
        let text = try encoded { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(["x": 1], forKey: .a)
            try container.encode("y/\u{1}é", forKey: .b)
            try container.encode(2, forKey: .a)
        }
        #expect(text == #"{"b":"y/\u0001é","a":2}"#)
    }

    @Test("A value that throws does not remove the nested container before it")
    func caughtAfterNested() throws {
        struct Refused: Error {}
        let object = try encoded { encoder in
            var container = encoder.container(keyedBy: Key.self)
            var nested = container.nestedUnkeyedContainer(forKey: .a)
            try nested.encode(1)
            try? container.encode(Scripted { _ in throw Refused() }, forKey: .b)
            try container.encode(2, forKey: .c)
        }
        #expect(object == #"{"a":[1],"c":2}"#)
        let array = try encoded { encoder in
            var container = encoder.unkeyedContainer()
            var nested = container.nestedUnkeyedContainer()
            try nested.encode(1)
            try? container.encode(Scripted { _ in throw Refused() })
            try container.encode(2)
        }
        #expect(array == "[[1],2]")
    }

    @Test("A value that throws is not in the output if the error is caught")
    func caughtError() throws {
        struct Refused: Error {}
        let text = try encoded { encoder in
            var container = encoder.container(keyedBy: Key.self)
            let bad = Scripted { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                _ = list.nestedUnkeyedContainer()
                throw Refused()
            }
            #expect(throws: Refused.self) { try container.encode(bad, forKey: .a) }
            try container.encode(1, forKey: .b)
            #expect(throws: Refused.self) { try container.encode(bad, forKey: .c) }
            var list = container.nestedUnkeyedContainer(forKey: .first)
            #expect(throws: Refused.self) { try list.encode(bad) }
            #expect(throws: EncodingError.self) { try list.encode(Double.nan) }
            try list.encode(2)
        }
        #expect(text == #"{"b":1,"first":[2]}"#)
    }

    @Test("Encoding a second value, or after the end, is an error and not a crash")
    func misuse() throws {
        #expect(throws: EncodingError.self) {
            try encoded { encoder in
                _ = encoder.container(keyedBy: Key.self)
                _ = encoder.unkeyedContainer()
            }
        }
        #expect(throws: EncodingError.self) {
            try encoded { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            }
        }
        #expect(throws: EncodingError.self) {
            try encoded { encoder in
                var outer = encoder.container(keyedBy: Key.self)
                nonisolated(unsafe) let kept = encoder
                try outer.encode(
                    Scripted { _ in
                        var late = kept.container(keyedBy: Key.self)
                        try late.encode(1, forKey: .a)
                    }, forKey: .a)
            }
        }
    }

    @Test("An encoder that a model keeps stays at its value while further values are encoded")
    func keptDuringEncode() throws {
        final class Keeper: @unchecked Sendable { var encoders: [any Encoder] = [] }
        let keeper = Keeper()
        let value = Scripted { encoder in
            keeper.encoders.append(encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(keeper.encoders.map { $0.codingPath.map(\.stringValue) }, forKey: .a)
        }
        let text = try encoded { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(value, forKey: .first)
            try container.encodeIfPresent(Optional(value), forKey: .second)
            try container.encode([value], forKey: .b)
        }
        let paths = [#"["first"]"#, #"["second"]"#, #"["b","Index 0"]"#]
        #expect(
            text == """
                {"first":{"a":[\(paths[0])]},"second":{"a":[\(paths[0]),\(paths[1])]},\
                "b":[{"a":[\(paths[0]),\(paths[1]),\(paths[2])]}]}
                """)
    }

    @Test("NaN and the infinities throw with their coding path, or become null or strings")
    func nonConformingFloats() throws {
        do {
            _ = try CompactEncoder().encode(["a": [1, Double.nan]])
            Issue.record("NaN was encoded")
        } catch EncodingError.invalidValue(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
        }
        var encoder = CompactEncoder()
        encoder.nonConformingFloatEncodingStrategy = .null
        let values = [1, Double.nan, .infinity, -.infinity]
        #expect(String(decoding: try encoder.encode(values), as: UTF8.self) == "[1,null,null,null]")
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        #expect(String(decoding: try encoder.encode(values), as: UTF8.self) == #"[1,"?","+","-"]"#)
        #expect(String(decoding: try encoder.encode([Float.infinity, 0.1]), as: UTF8.self) == #"["+",0.1]"#)
    }

    @Test("Strategies for dates, data and keys are applied")
    func strategies() throws {
        struct Model: Encodable { var at = Date(timeIntervalSince1970: 1.5), data = Data([1]) }
        func text(_ configure: (inout CompactEncoder) -> Void) throws -> String {
            var encoder = CompactEncoder()
            configure(&encoder)
            return String(decoding: try encoder.encode(Model()), as: UTF8.self)
        }
        #expect(try text { $0.dateEncodingStrategy = .secondsSince1970 } == #"{"at":1.5,"data":"AQ=="}"#)
        #expect(try text { $0.dateEncodingStrategy = .deferredToDate } == #"{"at":-978307198.5,"data":"AQ=="}"#)
        #expect(
            try text { $0.dateEncodingStrategy = .iso8601 } == #"{"at":"1970-01-01T00:00:01.500Z","data":"AQ=="}"#)
        #expect(try text { $0.dateEncodingStrategy = .format("yyyy MM dd") } == #"{"at":"1970 01 01","data":"AQ=="}"#)
        let custom = try text { encoder in
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(date.timeIntervalSince1970, forKey: .a)
            }
            encoder.dataEncodingStrategy = .deferredToData
            encoder.keyEncodingStrategy = .custom { path in
                Key(rawValue: path.last?.stringValue == "at" ? "first" : path.count == 1 ? "second" : "c") ?? .b
            }
        }
        #expect(custom == #"{"first":{"c":1.5},"second":[1]}"#)
        #expect(try text { $0.dateEncodingStrategy = .millisecondsSince1970 } == #"{"at":1500,"data":"AQ=="}"#)
    }

    @Test("Many keys in one object and many levels of objects are encoded")
    func large() throws {
        struct Dynamic: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        let text = try encoded { encoder in
            var container = encoder.container(keyedBy: Dynamic.self)
            for index in 0..<1000 { try container.encode(index, forKey: Dynamic(stringValue: "a key called \(index)")) }
            try container.encode(-1, forKey: Dynamic(stringValue: "a key called \(700)"))
        }
        let decoded = try LenientDecoder().decode([String: Int].self, from: Array(text.utf8))
        #expect(decoded.count == 1000 && decoded["a key called 700"] == -1)

        final class Link: Codable {
            var next: Link?
            init(_ next: Link?) { self.next = next }
        }
        var link = Link(nil)
        for _ in 0..<400 { link = Link(link) }
        #expect(try CompactEncoder().encode(link).count == 401 * 2 + 400 * #""next":"#.utf8.count)
    }
}
