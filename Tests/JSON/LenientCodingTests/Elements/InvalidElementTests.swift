import Foundation
import LenientCoding
import Testing

@Suite("Invalid elements of arrays and dictionaries")
struct InvalidElementTests {
    @TaskLocal private static var strategy: InvalidElementStrategy<Int>?

    /// The integers of an array or a dictionary in `list`, decoded with the test's strategy.
    private struct Numbers: Decodable {
        let list: [Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            list = try container.decodeElements("list", invalidElementStrategy: strategy)
        }
    }

    private struct Table: Decodable {
        let table: [String: Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            table = try container.decodeValues("table", invalidElementStrategy: strategy)
        }
    }

    private func numbers(_ coder: Coder, _ list: String, _ strategy: InvalidElementStrategy<Int>?) throws -> [Int] {
        try Self.$strategy.withValue(strategy) { try coder.decode(Numbers.self, "{\"list\":\(list)}").list }
    }

    private func table(
        _ coder: Coder, _ table: String, _ strategy: InvalidElementStrategy<Int>?
    ) throws -> [String: Int] {
        try Self.$strategy.withValue(strategy) { try coder.decode(Table.self, "{\"table\":\(table)}").table }
    }

    @Test("remove leaves out elements that do not decode, at any position", arguments: Coder.allCases)
    func remove(coder: Coder) throws {
        for (list, expected) in [
            (#"[1,"two",3]"#, [1, 3]), (#"["x",1,2]"#, [1, 2]), (#"[1,2,"x"]"#, [1, 2]), (#"[1,"x",[],{},2]"#, [1, 2]),
            (#"["x","y"]"#, []), ("[]", []), ("[null,1]", [1]), ("[1e999,1]", [1]), ("[1.5,1]", [1]),
            ("[9223372036854775808,1]", [1]), (#"[[1],{"a":[1]},4]"#, [4]),
        ] {
            #expect(try numbers(coder, list, .remove) == expected, "\(list)")
        }
        #expect(try table(coder, #"{"a":1,"b":"two","c":3}"#, .remove) == ["a": 1, "c": 3])
        #expect(try table(coder, #"{"a":"x"}"#, .remove) == [:])
    }

    @Test("fail throws the element's error with its coding path", arguments: Coder.allCases)
    func fail(coder: Coder) throws {
        #expect(errorPath { try numbers(coder, #"[1,"two",3]"#, .fail) } == "list.1")
        #expect(errorPath { try numbers(coder, "[1e999,1]", .fail) } == "list.0")
        #expect(errorPath { try table(coder, #"{"a":1,"b":"two"}"#, .fail) } == "table.b")
        #expect(try numbers(coder, "[1,2]", .fail) == [1, 2])
        #expect(errorPath { try numbers(coder, #"[1,"two",3]"#, nil) } == "list.1")
    }

    @Test("fallback replaces the element with a value", arguments: Coder.allCases)
    func fallback(coder: Coder) throws {
        #expect(try numbers(coder, #"[1,"two",3]"#, .fallback(0)) == [1, 0, 3])
        #expect(try numbers(coder, #"["x","y"]"#, .fallback(7)) == [7, 7])
        #expect(try table(coder, #"{"a":1,"b":"two"}"#, .fallback(-1)) == ["a": 1, "b": -1])
    }

    @Test("custom decides for each element from its error and its coding path", arguments: Coder.allCases)
    func custom(coder: Coder) throws {
        let strategy = InvalidElementStrategy<Int>.custom { error, path in
            guard case DecodingError.typeMismatch = error else { return .fallback(-2) }
            return path.last?.intValue == 1 ? .fallback(-1) : .remove
        }
        #expect(try numbers(coder, #"[1,"two","three",4,null]"#, strategy) == [1, -1, 4, -2])
        #expect(try table(coder, #"{"a":"x","b":2}"#, strategy) == ["b": 2])
        let never = Self.endless()
        #expect(errorPath { try numbers(coder, #"["x"]"#, never) } == "list.0")
    }

    private static func endless() -> InvalidElementStrategy<Int> { .custom { _, _ in endless() } }

    @Test("The strategy in userInfo applies to calls without a strategy", arguments: Coder.allCases)
    func userInfoStrategy(coder: Coder) throws {
        func decode(_ standard: any Sendable) throws -> [Int] {
            let userInfo: [CodingUserInfoKey: any Sendable] = [.invalidElementStrategy: standard]
            return try coder.decode(Numbers.self, #"{"list":[1,"two",3]}"#, .init(userInfo: userInfo)).list
        }
        #expect(try decode(InvalidElementStrategy<Any>.remove) == [1, 3])
        #expect(try decode(InvalidElementStrategy<Any>.fallback(5)) == [1, 5, 3])
        #expect(try decode(InvalidElementStrategy<Int>.fallback(6)) == [1, 6, 3])
        #expect(try decode(InvalidElementStrategy<Any>.custom { _, _ in .fallback(8) }) == [1, 8, 3])
        #expect(errorPath { try decode(InvalidElementStrategy<Any>.fallback("five")) } == "list.1")
        #expect(errorPath { try decode(InvalidElementStrategy<Any>.fail) } == "list.1")
        #expect(errorPath { try decode("no strategy") } == "list.1")
    }

    private struct Forms: Decodable {
        let keyed: [Int]?
        let keyedTable: [String: Int]?
        let unkeyed: [Int]
        let unkeyedTable: [String: Int]
        let nothing: [Int]?
        let rest: [Int]?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            keyed = try container.decodeElementsIfPresent([Int].self, forKey: "array", invalidElementStrategy: .remove)
            keyedTable = try container.decodeValuesIfPresent("table", invalidElementStrategy: .remove)
            var list = try container.nestedUnkeyedContainer("list")
            unkeyed = try list.decodeElements(invalidElementStrategy: .remove)
            unkeyedTable = try list.decodeValues(invalidElementStrategy: .remove)
            nothing = try list.decodeElementsIfPresent()
            rest = try list.decodeElementsIfPresent([Int].self)
        }
    }

    @Test("Every container type has the methods; the IfPresent forms return nil for null", arguments: Coder.allCases)
    func containerForms(coder: Coder) throws {
        let full = try coder.decode(
            Forms.self, #"{"array":[1,"x"],"table":{"a":"x","b":2},"list":[["x",3],{"c":4,"d":[]},null,[5]]}"#)
        #expect(full.keyed == [1])
        #expect(full.keyedTable == ["b": 2])
        #expect(full.unkeyed == [3])
        #expect(full.unkeyedTable == ["c": 4])
        #expect(full.nothing == nil)
        #expect(full.rest == [5])
        let empty = try coder.decode(Forms.self, #"{"array":null,"list":[[],{}]}"#)
        #expect(empty.keyed == nil)
        #expect(empty.keyedTable == nil)
        #expect(empty.rest == nil)
    }

    @Test("A missing or mistyped array is an error, as without a strategy", arguments: Coder.allCases)
    func invalidArray(coder: Coder) throws {
        #expect(errorPath { try coder.decode(Numbers.self, "{}") } == "list")
        #expect(errorPath { try coder.decode(Numbers.self, #"{"list":{}}"#) } == "list")
        #expect(errorPath { try coder.decode(Numbers.self, #"{"list":null}"#) } == "list")
        #expect(errorPath { try coder.decode(Table.self, #"{"table":[]}"#) } == "table")
    }

    @Test("No strategy changes the keys of a dictionary", arguments: Coder.allCases)
    func keys(coder: Coder) throws {
        let document = #"{"table":{"aZ":1,"a_b":2,"_c_d_":"x"}}"#
        let read = try Self.$strategy.withValue(.fallback(0)) {
            try coder.decode(Table.self, document, .init(convertsSnakeCase: true)).table
        }
        #expect(read == ["aZ": 1, "a_b": 2, "_c_d_": 0])
    }

    private struct Dated: Decodable {
        let days: [Date]

        init(from decoder: any Decoder) throws { days = try decoder.decodeElements(invalidElementStrategy: .remove) }
    }

    @Test("Elements are decoded with the decoder's own strategies")
    func decoderStrategies() throws {
        let foundation = JSONDecoder()
        foundation.dateDecodingStrategy = .secondsSince1970
        #expect(
            try foundation.decode(Dated.self, from: Data(#"[1,"x",2]"#.utf8)).days.map(\.timeIntervalSince1970) == [
                1, 2,
            ])
        var lenient = LenientDecoder()
        lenient.dateDecodingStrategy = .secondsSince1970
        #expect(
            try lenient.decode(Dated.self, from: Array(#"[1,"x",2]"#.utf8)).days.map(\.timeIntervalSince1970) == [1, 2])
    }

    @Test("Dropped and replaced elements are reported once for each path and reason", arguments: Coder.allCases)
    func drift(coder: Coder) throws {
        struct Models: Decodable {
            @Lossy var list: [Int]
            @Lossy var table: [String: [Int]]
        }
        #expect(
            try coder.drift(of: Models.self, #"{"list":[1,"a","b"],"table":{"x":["c"]}}"#) == [
                "dropped list[] mistyped 2 list[1]", "dropped table[] invalid 1 table.x",
            ])
    }

    @Test("A decoder can be used again after a failed decode")
    func reuse() throws {
        let decoder = JSONDecoder()
        #expect(throws: DecodingError.self) { try decoder.decode(Numbers.self, from: Data(#"{"list":["x"]}"#.utf8)) }
        #expect(try decoder.decode(Numbers.self, from: Data(#"{"list":[1]}"#.utf8)).list == [1])
        let lenient = LenientDecoder()
        #expect(throws: DecodingError.self) { try lenient.decode(Numbers.self, from: Array(#"{"list":["x"]}"#.utf8)) }
        #expect(try lenient.decode(Numbers.self, from: Array(#"{"list":[1]}"#.utf8)).list == [1])
    }

    @Test("Concurrent decodes share no state", arguments: Coder.allCases)
    func concurrent(coder: Coder) async throws {
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for number in 0..<64 {
                group.addTask { try numbers(coder, "[\(number),\"x\",\(number + 1)]", .fallback(number)) }
            }
            var sums: Set<Int> = []
            for try await list in group { sums.insert(list.reduce(0, +)) }
            #expect(sums == Set((0..<64).map { 3 * $0 + 1 }))
        }
    }
}
