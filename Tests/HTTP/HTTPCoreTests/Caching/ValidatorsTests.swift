import HTTPCore
import Testing

struct ValidatorsTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        arguments: [
            ("\"a1\"", date), ("W/\"a1\"", nil), ("\"-370288478\"", nil), ("\"\"", nil), ("\"a,b/c\\\"", date),
            (nil, "Sun, 06 Nov 1994 08:49:37 +0000"), (nil, "Sunday, 06-Nov-94 08:49:37 GMT"),
        ] as [(String?, String?)])
    func theConditionsRepeatTheValuesOfTheUpstream(_ tag: String?, _ date: String?) {
        let fields = [("ETag", tag), ("Last-Modified", date)].compactMap { name, value in value.map { (name, $0) } }
        let conditions = Validators(HeaderFields(fields))?.conditions.map { "\($0.name): \($0.value)" }
        let expected = [tag.map { "If-None-Match: \($0)" }, date.map { "If-Modified-Since: \($0)" }]
        #expect(conditions == expected.compactMap(\.self))
    }

    @Test(
        arguments: [
            nil, "", "a1", "\"", "\"a1", "a1\"", "w/\"a1\"", "W/a1", "\"a\"b\"", "\"a b\"", "\"a\tb\"", "\"é\"",
            "\"a\", \"b\"", "*",
            "\"\(String(repeating: "a", count: 1023))\"",
        ])
    func valuesThatAreNotValidAreIgnored(_ tag: String?) {
        let tags = tag.map { [("ETag", $0)] } ?? []
        #expect(Validators(HeaderFields(tags + [("Last-Modified", "yesterday")])) == nil)
        #expect(Validators(HeaderFields(tags + [("Last-Modified", Self.date)]))?.conditions.count == 1)
    }
}
