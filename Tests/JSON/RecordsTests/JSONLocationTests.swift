import JSONText
import Records
import Testing

struct JSONLocationTests {
    private static let document = """
        // A comment.
        {
          "a": [1, {"b.c": "é", "b": {"c": null}}, "x"],
          "é": "ü", "d": 1, "d": [[], [2]]
        }
        """

    @Test(
        "A member is located at its key, an element at its first character",
        arguments: [
            ("", 2, 1), ("a", 3, 3), ("a[0]", 3, 9), ("a[1]", 3, 12), ("a[1].b", 3, 25), ("a[1].b.c", 3, 13),
            ("a[2]", 3, 44), ("é", 4, 3), ("d", 4, 21), ("d[1][0]", 4, 32),
        ])
    func location(_ path: String, _ line: Int, _ column: Int) throws {
        let location = try #require(
            JSONLocation(of: path, in: Array(Self.document.utf8), options: JSONOptions(leniency: .comments)))
        #expect(location.description == "line \(line), column \(column)")
    }

    @Test(
        "A path without a value has the location of the innermost value that exists",
        arguments: [
            ("z", 2, 1), ("a[9]", 3, 3), ("a[-1]", 3, 3), ("a[x]", 3, 3), ("a[1].z.y", 3, 12), ("d[1][0].z", 4, 32),
            ("a[0][0]", 3, 9), ("é.z", 4, 3), ("aa", 2, 1),
        ])
    func missing(_ path: String, _ line: Int, _ column: Int) throws {
        try location(path, line, column)
    }

    @Test("A document that is not JSON has no locations")
    func invalid() {
        #expect(JSONLocation(of: "a", in: Array("{\"a\": }".utf8)) == nil)
        #expect(JSONLocation(of: "a", in: Array("{\"a\": 1} // comment".utf8)) == nil)
    }
}
