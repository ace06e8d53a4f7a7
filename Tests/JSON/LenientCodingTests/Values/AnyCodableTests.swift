import Foundation
import LenientCoding
import Testing

@Suite("AnyCodable")
struct AnyCodableTests {
    private struct Container: Codable, Equatable {
        let dictionary: [String: AnyCodable]
        let array: [AnyCodable]
        let value: AnyCodable
    }

    @Test("Mixed values are decoded as properties and encoded again", arguments: Coder.allCases)
    func properties(coder: Coder) throws {
        let document = #"{"dictionary":{"a_b":{"c":null}},"array":[1,"x",true,2.5,[]],"value":{"aZ":[0.5]}}"#
        let container = try coder.decode(Container.self, document, .init(convertsSnakeCase: true))
        #expect(container.dictionary == ["a_b": ["c": nil]])
        #expect(container.array == [1, "x", true, 2.5, []])
        #expect(container.value == ["aZ": [0.5]])
        let again = try coder.decode(Container.self, coder.encode(container, convertsSnakeCase: true))
        #expect(again == container)
    }

    @Test("Values have the Swift types of the decoded JSON", arguments: Coder.allCases)
    func types(coder: Coder) throws {
        func value(_ text: String) throws -> Any { try coder.decode([AnyCodable].self, "[\(text)]")[0].value }
        #expect(try value("0") as? Int == 0)
        #expect(try value("0.5") as? Double == 0.5)
        #expect(try value("1e2") as? Double == 100)
        #expect(try value("9223372036854775807") as? Int == .max)
        #expect(try value("-9223372036854775808") as? Int == .min)
        #expect(try value("18446744073709551615") as? UInt64 == .max)
        #expect(try value("12345678901234567890123") as? Decimal == Decimal(string: "12345678901234567890123"))
        #expect(try value("1.5e300") as? Double == 1.5e300)
        #expect(try value("-0.0") as? Double == -0.0)
        #expect(try value(#""12""#) as? String == "12")
        #expect(try value("[1]") as? [Int] == [1])
        #expect(try value(#"{"a":"b"}"#) as? [String: String] == ["a": "b"])
        #expect(try value("null") as? String == nil)
        #expect(try coder.decode([AnyCodable].self, "[null]")[0].isNull)
        #expect(errorPath { try value("1e999") } != nil)
    }

    @Test("0, 0.0, false and other values are different, as values and as hashes")
    func equality() {
        let values: [AnyCodable] = [0, 0.0, false, nil, "0", [], [:], [0], [0.0], ["a": 0], ["a": false]]
        #expect(Set(values).count == values.count)
        #expect(AnyCodable(UInt8(7)) == 7)
        #expect(AnyCodable(UInt64.max) != AnyCodable(Double(UInt64.max)))
        #expect(AnyCodable(Optional(Optional(3)) as Any) == 3)
        #expect(AnyCodable(Optional<Int>.none as Any).isNull)
    }

    @Test("LenientDecoder distinguishes 1.0 from 1; other decoders cannot")
    func integralFractions() throws {
        #expect(try Coder.lenient.decode(AnyCodable.self, "[1.0,1]") == [1.0, 1])
        #expect(try Coder.foundation.decode(AnyCodable.self, "[1.0,1]") == [1, 1])
    }

    private struct AnyContainer: Codable {
        let dictionary: [String: Any]
        let array: [Any]
        let value: Any
        let numbers: [Int]
        let absent: [String: Any]?
        let null: Any?
        let list: [Any]

        enum CodingKeys: CodingKey { case dictionary, array, value, numbers, absent, null, list }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            dictionary = try container.decodeUntyped(.dictionary)
            array = try container.decodeUntyped([Any].self, forKey: .array)
            value = try container.decodeUntyped(Any.self, forKey: .value)
            numbers = try container.decodeUntyped(.numbers)
            absent = try container.decodeUntypedIfPresent(.absent)
            null = try container.decodeUntypedIfPresent(Any.self, forKey: .null)
            var list = try container.nestedUnkeyedContainer(.list)
            let first: [String: Any] = try list.decodeUntyped()
            let second = try list.decodeUntypedIfPresent([Any].self)
            let third = try list.decodeUntyped(String.self)
            self.list = [first, second as Any, third, try list.decodeUntypedIfPresent(Any.self) as Any]
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeUntyped(dictionary, forKey: .dictionary)
            try container.encodeUntyped(array, forKey: .array)
            try container.encodeUntyped(value, forKey: .value)
            try container.encodeUntyped(numbers, forKey: .numbers)
            try container.encodeUntypedIfPresent(absent, forKey: .absent)
            try container.encodeUntypedIfPresent(null, forKey: .null)
            var unkeyed = container.nestedUnkeyedContainer(forKey: .list)
            for element in list { try unkeyed.encodeUntyped(element) }
        }
    }

    @Test("decodeUntyped and encodeUntyped keep [String: Any], [Any] and Any unchanged", arguments: Coder.allCases)
    func anyFunctions(coder: Coder) throws {
        let document = """
            {"array":[1,"a",null],"dictionary":{"x":[true]},"list":[{"k":1},null,"s",null],"null":null,"numbers":[1,2],"value":2.5}
            """
        let container = try coder.decode(AnyContainer.self, document)
        #expect(container.dictionary["x"] as? [Bool] == [true])
        #expect(container.array.count == 3)
        #expect(container.value as? Double == 2.5)
        #expect(container.absent == nil)
        #expect(container.null == nil)
        let written = try coder.decode(JSONValue.self, coder.encode(container))
        let read = try coder.decode(JSONValue.self, document.replacingOccurrences(of: #""null":null,"#, with: ""))
        #expect(AnyCodable(written) == AnyCodable(read))
        #expect(errorPath { try coder.decode(AnyContainer.self, #"{"dictionary":[]}"#) } == "dictionary")
    }

    @Test("Dates are encoded with the encoder's strategy, and values of unknown types are refused")
    func otherTypes() throws {
        struct Unknown {}
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let date = AnyCodable([Date(timeIntervalSince1970: 5)] as [Any])
        #expect(String(decoding: try encoder.encode(date), as: UTF8.self) == "[5]")
        #expect(AnyCodable(exactly: 7) == 7)
        for value in [Unknown(), ["a": [Unknown()]] as [String: Any], [1, Unknown()] as [Any]] as [Any] {
            #expect(AnyCodable(exactly: value) == nil)
            #expect(AnyCodable(value).description.contains("does not support the type Unknown"))
            for coder in Coder.allCases {
                #expect(throws: EncodingError.self) { try coder.encode(["a": AnyCodable(value)]) }
            }
        }
    }

    @Test("A document at the decoder's maximum depth is read; a deeper one is refused", arguments: Coder.allCases)
    func depth(coder: Coder) throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let document = { @Sendable (depth: Int) in
                String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            }
            let text = document(511)
            #expect(onDeepStack { errorPath { try coder.decode(AnyCodable.self, text) } } == nil)
            #expect(onDeepStack { errorPath { try coder.decode(JSONValue.self, text) } } == nil)
            #expect(onDeepStack { errorPath { try coder.decode(AnyCodable.self, document(100_000)) } } != nil)
        }
    }

    @Test("A document too deep for the stack is an error and not a crash", arguments: Coder.allCases)
    func smallStack(coder: Coder) throws {
        #if DEBUG
            // Without optimization, a level takes three times as much of the stack.
            let size = 1 << 20
        #else
            let size = 512 << 10
        #endif
        for (open, close) in [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")] {
            let count = 510 / close.count
            let text = String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
            let (any, json) = onDeepStack {
                (
                    Result { try LenientDecoder().decode(AnyCodable.self, from: Array(text.utf8)) },
                    Result { try LenientDecoder().decode(JSONValue.self, from: Array(text.utf8)) }
                )
            }
            let (anyValue, jsonValue) = (try any.get(), try json.get())
            let isRead = onDeepStack(size: size) {
                (try? coder.decode(AnyCodable.self, text)) != nil && (try? coder.decode(JSONValue.self, text)) != nil
                    && (try? coder.encode(anyValue)) != nil && (try? coder.encode(jsonValue)) != nil
            }
            if coder == .lenient { #expect(isRead) }
            let isUsable = onDeepStack(size: size) {
                AnyCodable(jsonValue) == anyValue && JSONValue(anyValue) == jsonValue && "\(jsonValue)" == text
                    && Set([anyValue]).count == Set([jsonValue]).count && anyValue.value is [Any] == (open != #"{"a":"#)
            }
            #expect(isUsable)
        }
    }
}

/// Returns the result of `body` on a thread with a stack of `size` bytes, by default enough for the greatest depth.
func onDeepStack<Value: Sendable>(size: Int = 16 << 20, _ body: @escaping @Sendable () -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Value>()
    let thread = Thread {
        box.value = body()
        done.signal()
    }
    thread.stackSize = size
    thread.start()
    done.wait()
    return box.value.unsafelyUnwrapped
}

/// The value is written before the semaphore is signalled and read after.
private final class Box<Value>: @unchecked Sendable {
    var value: Value?
}
