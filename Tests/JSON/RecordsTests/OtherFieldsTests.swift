import Records
import Testing

private struct Flags: Record {
    var units: String?, nearestStation: Double?, others = JSONValue.object([])
    static let schema = Schema<Flags> {
        Field(\.units)
        Field(\.nearestStation, .or("nearest-station"))
        OtherFields(\.others)
    }
}

@Suite("Other fields")
struct OtherFieldsTests {
    @Test("Unknown scalars and lists are written under camelCase keys after the table's fields")
    func kept() throws {
        let read = try outcome(
            Flags.self,
            #"{"isd-stations":["a","b"],"Some Text":"x/y\n","is_old":true,"nearest-station":1.5,"#
                + #""big-id":12345678901234567890,"units":"us"}"#)
        #expect(
            read
                == Outcome(
                    document: #"{"units":"us","nearestStation":1.5,"isdStations":["a","b"],"someText":"x/y\n","#
                        + #""isOld":true,"bigId":12345678901234567890}"#))
    }

    @Test("Unknown members that are null are left out")
    func nullIsLeftOut() throws {
        #expect(try outcome(Flags.self, #"{"a-b":null,"c":1}"#) == Outcome(document: #"{"c":1}"#))
    }

    @Test("Unknown objects are counted, not kept")
    func objects() throws {
        let read = try outcome(Flags.self, #"{"a-b":{"c":1},"d":[{"e":1}]}"#)
        #expect(read == Outcome(document: #"{"d":[{"e":1}]}"#, drift: ["unexpectedKey a-b unknownKey 1 a-b"]))
    }

    @Test(
        "Two keys with one camelCase form are both kept, and the collision is reported",
        arguments: [
            (#"{"a-b":1,"a_b":2}"#, #"{"aB":1,"a_b":2}"#, "a_b"),
            (#"{"aB":1,"a-b":2}"#, #"{"aB":1,"a-b":2}"#, "a-b"),
            (#"{"a-b":1,"aB":2,"c":3}"#, #"{"a-b":1,"aB":2,"c":3}"#, "aB"),
            (#"{"+1":1,"-1":2}"#, #"{"1":1,"-1":2}"#, "-1"),
            (#"{"type":"a","@type":"b"}"#, #"{"type":"a","@type":"b"}"#, "@type"),
            (#"{"@type":"a","type":"b"}"#, #"{"@type":"a","type":"b"}"#, "type"),
            (#"{"Units":"si","units":"us"}"#, #"{"units":"us","Units":"si"}"#, "Units"),
        ])
    func collisions(document: String, expected: String, reported: String) throws {
        let read = try outcome(Flags.self, document)
        #expect(read == Outcome(document: expected, drift: ["collision \(reported) collision 1 \(reported)"]))
    }

    @Test(
        "No output key is duplicated, and no value is lost",
        arguments: [
            #"{"a_b":1,"a-b":2,"aB":3,"a.b":4}"#, #"{"aB":1,"a_b":2,"a-b":3}"#, #"{"1_A":1,"1a":2,"1A":3}"#,
        ])
    func distinctKeys(document: String) throws {
        let read = try outcome(Flags.self, document).document
        let keys = read.dropFirst().split(separator: ",").compactMap { $0.split(separator: ":").first }
        #expect(keys.count == document.split(separator: ",").count)
        #expect(Set(keys).count == keys.count, "\(read)")
    }

    @Test(
        "The last value of a duplicate key counts, and the duplicate is reported",
        arguments: [
            (#"{"plain":1,"plain":2}"#, #"{"plain":2}"#, "plain"),
            (#"{"a-b":1,"c":0,"a-b":2}"#, #"{"aB":2,"c":0}"#, "a-b"),
            (#"{"a-b":1,"\u0061-b":2}"#, #"{"aB":2}"#, "a-b"),
            (#"{"a-b":1,"a-b":null}"#, "{}", "a-b"),
        ])
    func duplicates(document: String, expected: String, reported: String) throws {
        let read = try outcome(Flags.self, document)
        #expect(read == Outcome(document: expected, drift: ["duplicateKey \(reported) duplicate 1 \(reported)"]))
    }

    @Test("Written documents read back unchanged")
    func idempotent() throws {
        let document = #"{"a-b":1,"a_b":[1.50,"x"],"Units":"y","_c d":true,"isd-stations":[]}"#
        let once = try outcome(Flags.self, document).document
        #expect(try outcome(Flags.self, once).document == once)
    }

    @Test("A record keeps 1,000 unknown members and counts the rest", .timeLimit(.minutes(10)))
    func many() throws {
        let members = (0..<20_000).map { "\"some-key-\($0)\":\($0)" }.joined(separator: ",")
        let read = try outcome(Flags.self, "{\(members)}").document
        #expect(read.hasPrefix("{\"someKey0\":0,"))
        #expect(read.hasSuffix(",\"someKey999\":999}"))
        let drift = try drift(Flags.self, "{\(members)}")
        #expect(drift.entries.first?.path == "some-key-1000")
        #expect(drift.summary == "unexpectedKey=256, unlisted=18744")
    }
}
