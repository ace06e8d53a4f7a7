import Records
import Testing

private struct Inner: Record {
    var number = 0, text: String?, list: [String]?
    static let schema = Schema<Inner> {
        Field(\.number)
        Field(\.text)
        Field(\.list)
    }
}

/// Fields of every storage kind next to a nested record.
private struct Outer: Record {
    var before: Bool?, first: Inner?, between = "a string of more than fifteen bytes", second = Inner(), after: Int?
    static let schema = Schema<Outer> {
        Field(\.before)
        Field(\.first)
        Field(\.between, .defaulted)
        Field(\.second)
        Field(\.after)
    }
}

@Suite("Records inside records")
struct NestedRecordTests {
    @Test(
        "Nested records are filled in place, and neighbouring fields do not change",
        arguments: [
            (
                #"{"before":true,"first":{"number":1,"text":"one, longer than fifteen bytes"},"second":{"number":2},"after":3}"#,
                """
                {"before":true,"first":{"number":1,"text":"one, longer than fifteen bytes"},\
                "between":"a string of more than fifteen bytes","second":{"number":2},"after":3}
                """
            ),
            (
                #"{"second":{"number":2,"list":["a","b"]}}"#,
                #"{"between":"a string of more than fifteen bytes","second":{"number":2,"list":["a","b"]}}"#
            ),
        ])
    func inPlace(document: String, becomes: String) throws {
        #expect(try outcome(Outer.self, document) == Outcome(document: becomes))
    }

    @Test("The last of two nested records counts, without remains of the first")
    func duplicateRecords() throws {
        let first = #"{"number":1,"text":"gone, and longer than fifteen bytes","list":["gone"]}"#
        let read = try outcome(
            Outer.self, #"{"first":\#(first),"second":\#(first),"first":{"number":2},"second":{"number":3}}"#)
        #expect(
            read.document
                == #"{"first":{"number":2},"between":"a string of more than fifteen bytes","second":{"number":3}}"#)
        #expect(read.drift == ["duplicateKey first duplicate 1 first", "duplicateKey second duplicate 1 second"])
    }

    @Test("A nested record that fails after a valid one is absent")
    func failingDuplicate() throws {
        let read = try outcome(Outer.self, #"{"first":{"number":1},"second":{"number":3},"first":{"text":"x"}}"#)
        #expect(read.document == #"{"between":"a string of more than fifteen bytes","second":{"number":3}}"#)
        #expect(read.drift == ["duplicateKey first duplicate 1 first", "dropped first invalid 1 first.number"])
    }

    @Test("A record that contains its own type is read and written at the parser's maximum depth")
    func deep() throws {
        struct Link: Record {
            var next: [Link]?
            static let schema = Schema<Link> { Field(\.next) }
        }
        let depth = 255
        let document =
            String(repeating: #"{"next":["#, count: depth) + "{}" + String(repeating: "]}", count: depth)
        #expect(try outcome(Link.self, document) == Outcome(document: document))
    }
}
