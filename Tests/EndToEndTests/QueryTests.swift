import Foundation
import TestSupport
import Testing

/// `weir query`.
@Suite(.timeLimit(.minutes(10)))
struct QueryTests {
    private static let document =
        #"{"items": [{"id": 9223372036854775809, "name": "a\tb"}, {"id": 0.10, "name": "é"}]}"#

    @Test(arguments: [
        (["items[*].id"], "[9223372036854775809,0.10]\n"), (["items[?name == 'é'].id | [0]", "-"], "0.10\n"),
        (["--each", "items[*].name"], "\"a\\tb\"\n\"é\"\n"), (["--text", "--each", "items[*].name"], "a\tb\né\n"),
        (["--text", "items[1].name"], "é\n"), (["--each", "items[0].id"], "9223372036854775809\n"),
        (["nothing"], "null\n"),
        (["--", "-items[1].id"], "-0.10\n"),
        (["--each", "--text", "--", "[items[].id, `[]`][]"], "9223372036854775809\n0.10\n"),
    ])
    func valuesAreWrittenOnLines(_ arguments: [String], _ output: String) throws {
        let result = try WeirProcess.run(["query"] + arguments, input: Array(Self.document.utf8))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == output)
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: [
        (
            ["items[*].lenght(@)"], 64 as Int32,
            """
            weir: at character 10: there is no function "lenght"; did you mean "length"?
            weir:   items[*].lenght(@)
            weir:            ^

            """
        ),
        ([], 64, "weir: EXPRESSION is missing, such as 'items[*].name'; see weir query --help\n"),
        (
            ["a.\nb-c"], 64,
            """
            weir: at character 4: quote a name with "-": "b-c"; a subtraction needs spaces: b - …
            weir:   b-c
            weir:   ^

            """
        ),
        (["sum(items)"], 65, "weir: standard input: sum() takes numbers, not an object\n"),
        (["@", "/nothing.json"], 66, "weir: cannot read /nothing.json"),
    ])
    func errorsSayWhatIsWrong(_ arguments: [String], _ status: Int32, _ errors: String) throws {
        let result = try WeirProcess.run(["query"] + arguments, input: Array(Self.document.utf8))
        #expect(result.status == status)
        #expect(result.errors.hasPrefix(errors), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func malformedDocumentsAreRefused() throws {
        let result = try WeirProcess.run(["query", "@"], input: Array("{".utf8))
        #expect(result.status == 65)
        #expect(result.errors.hasPrefix("weir: standard input: line 1, column 2"), "\(result.errors)")
    }
}
