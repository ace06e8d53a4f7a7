import Records
import Testing

/// A record whose eight fields have the names of the task-local `names`.
private struct Named: Record {
    @TaskLocal static var names: [String] = []

    var a: Int?, b: Int?, c: Int?, d: Int?, e: Int?, f: Int?, g: Int?, h: Int?

    static var schema: Schema<Named> {
        Schema {
            Field(names[0], \.a)
            Field(names[1], \.b)
            Field(names[2], \.c)
            Field(names[3], \.d)
            Field(names[4], \.e)
            Field(names[5], \.f)
            Field(names[6], \.g)
            Field(names[7], \.h)
        }
    }
}

@Suite("Keys")
struct KeyTests {
    private struct Point: Record {
        var time = 0
        var title: String?
        var größe: Int?
        static let schema = Schema<Point> {
            Field(\.time)
            Field(\.title, .or("Title", "the title"))
            Field(\.größe)
        }
    }

    /// `key` with the character at `position` replaced.
    private func changed(_ key: String, at position: Int, to character: Character) -> String {
        var characters = Array(key)
        characters[position] = character
        return String(characters)
    }

    @Test("Keys of any length that differ in one character or in length are distinguished", arguments: 1...40)
    func similarKeys(length: Int) throws {
        let alphabet = String("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH".prefix(length))
        for position in 0..<length {
            let variants = "ZYXWVU".map { changed(alphabet, at: position, to: $0) }
            let names = [alphabet, alphabet + "-"] + variants
            let unknownKeys = [
                changed(alphabet, at: position, to: "T"), changed(alphabet, at: length - 1 - position, to: "_"),
                alphabet + "+", "-" + alphabet, alphabet + "--",
            ]
            let members = names.enumerated().map { "\"\($1)\":\($0)" }
            let document = "{" + (members + unknownKeys.map { "\"\($0)\":9" }).joined(separator: ",") + "}"
            let read = try Named.$names.withValue(names) { try outcome(Named.self, document) }
            #expect(read.document == "{" + members.joined(separator: ",") + "}")
            #expect(read.drift.count == unknownKeys.count)
        }
    }

    @Test("Keys that differ in leading zero bytes or non-ASCII letters are distinguished")
    func unusualKeys() throws {
        let names = ["", "\0", "\0\0", "a", "\0a", "é", "e\u{301}", "💧"]
        let keys = ["", "\\u0000", "\\u0000\\u0000", "a", "\\u0000a", "é", "e\u{301}", "💧"]
        let document = "{" + keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        let read = try Named.$names.withValue(names) { try outcome(Named.self, document) }
        #expect(read.drift == [])
    }

    @Test(
        "A key matches however it is escaped",
        arguments: [#"{"\u0074ime":1}"#, #"{"\u0074\u0069\u006D\u0065":1}"#, #"{"time":1}"#])
    func escapedKeys(document: String) throws {
        #expect(try outcome(Point.self, document) == Outcome(document: #"{"time":1}"#))
    }

    @Test("Every spelling of a key is read; the output has the field's own name")
    func spellings() throws {
        for spelling in ["title", "Title", "the title", #"\u0074he title"#] {
            let read = try outcome(Point.self, #"{"time":1,"\#(spelling)":"x"}"#)
            #expect(read == Outcome(document: #"{"time":1,"title":"x"}"#))
        }
    }

    @Test("An unknown key is ignored, counted and reported in its own spelling")
    func unknownKeys() throws {
        let read = try outcome(Point.self, #"{"Time":0,"time":1,"":[{"time":2}],"t\u0069mes":{},"größe":3}"#)
        #expect(read.document == #"{"time":1,"größe":3}"#)
        #expect(
            read.drift == [
                "unexpectedKey Time unknownKey 1 Time", "unexpectedKey  unknownKey 1 ",
                "unexpectedKey times unknownKey 1 times",
            ])
    }

    @Test("The last value of a duplicate key counts, and the duplicate is reported")
    func duplicateKeys() throws {
        let read = try outcome(Point.self, #"{"time":1,"title":"a","time":2,"Title":"b","\u0074ime":3}"#)
        #expect(read.document == #"{"time":3,"title":"b"}"#)
        #expect(
            read.drift == ["duplicateKey time duplicate 2 time", "duplicateKey title duplicate 1 title"])
    }

    @Test("The last value of a duplicate key counts even if it is null or invalid")
    func invalidDuplicateKeys() throws {
        #expect(try outcome(Point.self, #"{"time":1,"title":"a","title":null}"#).document == #"{"time":1}"#)
        #expect(try outcome(Point.self, #"{"time":1,"title":"a","title":[]}"#).document == #"{"time":1}"#)
        #expect(try outcome(Point.self, #"{"time":1,"time":null}"#).error == "time: null, expected an integer")
        #expect(try outcome(Point.self, #"{"time":null,"time":1}"#).document == #"{"time":1}"#)
    }

    @Test("A long key is shortened in reports")
    func longKeys() throws {
        let key = String(repeating: "k", count: 100_000)
        let entry = try #require(try drift(Point.self, "{\"time\":1,\"\(key)\":2}").entries.first)
        #expect(entry.path == String(repeating: "k", count: 64))
    }

    @Test("Keys are written in the order of the table, whatever the order of the document")
    func order() throws {
        #expect(
            try outcome(Point.self, #"{"größe":3,"title":"b","time":1}"#).document
                == #"{"time":1,"title":"b","größe":3}"#)
        #expect(Point.schema.keys == ["time", "title", "größe"])
    }
}
