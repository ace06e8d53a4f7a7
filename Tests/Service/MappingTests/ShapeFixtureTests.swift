import ContractsSupport
import JSONText
import Records
import Testing

@Suite("Shape fixtures")
struct ShapeFixtureTests {
    @Test("Each case gives the expected answer and drift, byte for byte, or the expected error")
    func cases() throws {
        let fixtures = try ShapeFixture.all()
        #expect(fixtures.count > 50)
        for fixture in fixtures { #expect(fixture.answer() == fixture.expected, "\(fixture.name)") }
    }

    @Test("An answer is JSON, and has each key once")
    func answersAreJSON() throws {
        for fixture in try ShapeFixture.all() where fixture.expected.error == nil {
            let body = Array(fixture.answer().body.utf8)
            #expect(JSONValue(parsing: body)?.bytes == body || body.contains(UInt8(ascii: "\\")), "\(fixture.name)")
        }
    }
}
