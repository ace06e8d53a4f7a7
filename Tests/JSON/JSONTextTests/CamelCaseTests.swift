import JSONText
import Testing

@Suite("CamelCase")
struct CamelCaseTests {
    @Test(
        "Keys become camelCase",
        arguments: [
            ("snake_case", "snakeCase"), ("kebab-case", "kebabCase"), ("dotted.case", "dottedCase"),
            ("Spaced case", "spacedCase"), ("PascalCase", "pascalCase"), ("ALL_CAPS", "allCaps"), ("URL", "url"),
            ("NEAREST-STATION", "nearestStation"), ("nearest-station", "nearestStation"),
            ("isd-stations", "isdStations"), ("darksky-unavailable", "darkskyUnavailable"), ("image_url", "imageUrl"),
            ("id_str", "idStr"), ("URLString", "urlString"), ("HTTPServer", "httpServer"), ("UV_Index", "uvIndex"),
            ("created  at", "createdAt"), ("a__b--c", "aBC"), ("with-Mixed_seps.and space", "withMixedSepsAndSpace"),
            ("+1", "1"), ("@type", "type"), ("$ref", "ref"), ("trailing_", "trailing"),
        ])
    func converted(key: String, expected: String) { #expect(CamelCase.convert(key) == expected) }

    @Test(
        "Digits keep their positions",
        arguments: [
            ("address_1", "address1"), ("1h", "1h"), ("temperature_2m", "temperature2m"), ("pm2_5", "pm25"),
            ("1st_place", "1stPlace"), ("so2-concentration", "so2Concentration"), ("42", "42"),
        ])
    func digits(key: String, expected: String) { #expect(CamelCase.convert(key) == expected) }

    @Test(
        "Leading underscores are kept",
        arguments: [("_id", "_id"), ("__type_name", "__typeName"), ("_ID", "_id"), ("_", "_"), ("___", "___")])
    func underscores(key: String, expected: String) { #expect(CamelCase.convert(key) == expected) }

    @Test(
        "A key that is camelCase, has no letters, or has non-ASCII letters is unchanged",
        arguments: ["summary", "imageURL", "iPhone", "windSpeed", "", "-", "größe_m", "straßen-name", "温度_最高", "é"])
    func unchanged(key: String) { #expect(CamelCase.convert(key) == key) }

    @Test(
        "Converting a converted key does not change it",
        arguments: [
            "snake_case", "ALL_CAPS", "HTTPServer", "address_1", "temperature_2m", "UV_Index", "A_B", "X_1", "pm2_5",
            "_A_b", "1_A", "5-G", "1_A_B", "4XX", "1_A", "5-G",
        ])
    func idempotent(key: String) {
        let once = CamelCase.convert(key)
        #expect(CamelCase.convert(once) == once)
    }
}
