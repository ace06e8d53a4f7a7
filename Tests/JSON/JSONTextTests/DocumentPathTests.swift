import JSONText
import Testing

@Suite("Document paths")
struct DocumentPathTests {
    @Test("A path shows members, indices and any element")
    func steps() {
        var path = DocumentPath()
        #expect(path.text == "")
        path.append(index: 3)
        path.append(member: "hourly")
        path.append(member: "data")
        path.appendAnyElement()
        path.append(member: "windSpeed")
        #expect(path.text == "[3].hourly.data[].windSpeed")
    }

    @Test(
        "A long name is truncated after at most 64 bytes, between characters",
        arguments: [("x", 64, 64), ("é", 32, 32), ("é", 33, 32), ("温", 21, 21), ("温", 22, 21), ("💧", 17, 16)])
    func names(character: String, count: Int, kept: Int) {
        var path = DocumentPath()
        path.append(member: String(repeating: character, count: count))
        #expect(path.text == String(repeating: character, count: kept))
        path.append(member: "next")
        #expect(path.text.hasSuffix(".next"))
    }

    @Test("A path of the maximum length ends with an ellipsis and accepts no further step")
    func bound() {
        var path = DocumentPath(maximumBytes: 8)
        for _ in 0..<5 { path.append(member: "abc") }
        path.append(index: 1)
        #expect(path.text == "abc.abc.abc…")
    }
}
