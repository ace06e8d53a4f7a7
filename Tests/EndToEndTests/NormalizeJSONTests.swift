import Foundation
import TestSupport
import Testing

/// `weir normalize --as json`.
@Suite(.timeLimit(.minutes(10)))
struct NormalizeJSONTests {
    private static func normalize(_ input: String, _ arguments: String = "") throws -> WeirProcess.Result {
        let words = arguments.split(separator: " ").map(String.init)
        return try WeirProcess.run(["normalize", "--as", "json"] + words, input: Array(input.utf8))
    }

    @Test(arguments: [
        ("", #"{"wind_speed":1.50,"gust":null}"#, #"{"windSpeed":1.50}"#),
        ("--keys keep", #"{"wind_speed":1.50,"gust":null}"#, #"{"wind_speed":1.50}"#),
        ("--nulls keep", #"{"wind_speed":1.50,"gust":null}"#, #"{"windSpeed":1.50,"gust":null}"#),
        ("--keys=keep --nulls=keep -", " [ 1e2, null ] ", "[1e2,null]"), ("-", "7", "7"),
        (
            "--exempt flags.times,x_y[].labels", #"{"flags":{"times":{"a-b":1}},"x_y":[{"labels":{"c_d":1}}]}"#,
            #"{"flags":{"times":{"a-b":1}},"xY":[{"labels":{"c_d":1}}]}"#
        ),
        (
            "--exempt a --exempt b", #"{"a":{"a_b":1},"b":{"a_b":1},"c":{"a_b":1}}"#,
            #"{"a":{"a_b":1},"b":{"a_b":1},"c":{"aB":1}}"#
        ),
        (
            "--remove items[*].x,**.y --rename items[*].z=a_b --rename w=v", #"{"items":[{"x":1,"y":2,"z":3}],"w":4}"#,
            #"{"items":[{"a_b":3}],"v":4}"#
        ),
        ("--keep [*].id --keys keep", #"[{"id":1,"name":"x"},{"id":2}]"#, #"[{"id":1},{"id":2}]"#),
        ("--lenient trailing-commas,comments", "[1,/*a*/]", "[1]"), ("--lenient bom", "\u{FEFF}{}", "{}"),
        ("--lenient nan --lenient control-characters", "[NaN,\"\t\"]", #"[null,"\t"]"#),
        ("--lenient concatenated", "{\"a_b\":1}{\"a_b\":2}\n3", "{\"aB\":1}\n{\"aB\":2}\n3\n"),
    ])
    func optionsChangeHowADocumentIsWritten(_ arguments: String, _ input: String, _ output: String) throws {
        let result = try Self.normalize(input, arguments)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == output)
        #expect(result.errors.isEmpty)
    }

    @Test func invalidUTF8IsRepairedOnRequest() throws {
        let input: [UInt8] = [0x5B, 0x22, 0xE2, 0x82, 0x22, 0x5D]
        #expect(try WeirProcess.run(["normalize", "--as", "json"], input: input).status == 65)
        let result = try WeirProcess.run(["normalize", "--as", "json", "--lenient", "utf8"], input: input)
        #expect(result.output == "[\"\u{FFFD}\"]")
    }

    @Test(arguments: [
        (#"{"+1":1,"-1":2}"#, #"{"1":1,"-1":2}"#, "weir: repaired: collision=1\n"),
        (
            #"{"a":1,"a":2,"a":3,"b":{"@c":1,"c":2}}"#, #"{"a":3,"b":{"@c":1,"c":2}}"#,
            "weir: repaired: duplicateKey=2, collision=1\n"
        ),
    ])
    func changesToKeysAreReported(_ input: String, _ output: String, _ errors: String) throws {
        let result = try Self.normalize(input)
        #expect(result.status == 0)
        #expect(result.output == output)
        #expect(result.errors == errors)
    }

    @Test(arguments: [
        ("--rename a", "--rename takes PATH=NAME, not \"a\""),
        ("--rename a.*=b", "--rename[\"a.*\"]: only a member with a name can be renamed"),
        ("--keep a --remove b", "--remove: keep already says what is left out"),
        ("--remove a,b[0]", "--remove[1]: [*] stands for every element"),
    ])
    func aFaultyPathIsNamed(_ arguments: String, _ error: String) throws {
        let result = try Self.normalize("{}", arguments)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("weir: \(error)"), "\(result.errors)")
    }

    @Test func aPathOfRenameThatFindsNothingIsReported() throws {
        let result = try Self.normalize(#"{"a":[]}"#, "--rename a[*].x=y")
        #expect(result.output == #"{"a":[]}"#)
        #expect(result.errors == "weir: repaired: missing=1\n")
    }

    @Test(arguments: [
        ("", "", "line 1, column 1 (byte 0): the document is empty"),
        ("", "{\n  \"é\": x}", "line 2, column 8 (byte 10): expected a value, found \"x\""),
        ("", "1 2", "line 1, column 3 (byte 2)"), ("", "[1,]", "line 1, column 4 (byte 3)"),
        ("--lenient all", "{\"\u{1}a\":1}\n[2,]\n[3", "line 3, column 3 (byte 16)"),
    ])
    func aSyntaxErrorIsLocatedAndNothingIsWritten(_ arguments: String, _ input: String, _ place: String) throws {
        let result = try Self.normalize(input, arguments)
        #expect(result.status == 65)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("weir: standard input: \(place)"), "\(result.errors)")
    }

    @Test func thePublicSuitesPass() async throws {
        let files = (Checkout.suite("JSONTestSuite/test_parsing") + Checkout.suite("nativejson-roundtrip"))
            .filter { $0.name.hasSuffix(".json") }
        if files.isEmpty { return print("no suites on this machine: none pass through weir normalize") }
        let arguments = ["normalize", "--as", "json", "--keys", "keep", "--nulls", "keep"]
        // In parallel, because starting the processes takes most of the time.
        let results = try await withThrowingTaskGroup(
            of: [(file: (name: String, path: String), WeirProcess.Result)].self
        ) {
            group in
            for share in 0..<4 {
                let files = stride(from: share, to: files.count, by: 4).map { files[$0] }
                group.addTask { try files.map { ($0, try WeirProcess.run(arguments + [$0.path])) } }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for (file, result) in results {
            let expected: [Int32] = file.name.hasPrefix("n_") ? [65] : file.name.hasPrefix("i_") ? [0, 65] : [0]
            #expect(expected.contains(result.status), "\(file.name): \(result.errors)")
            #expect(result.output.isEmpty == (result.status != 0), "\(file.name)")
            guard file.name.hasPrefix("roundtrip") else { continue }
            let text = String(decoding: try Checkout.read(file.path), as: UTF8.self)
            #expect(result.output == text.trimmingCharacters(in: .whitespacesAndNewlines), "\(file.name)")
        }
    }
}
