import Contracts
import Testing

@Suite("Dialects")
struct DialectTests {
    @Test("A dialect is found by its name", arguments: Dialect.all.map(\.name))
    func named(name: String) { #expect(Dialect.named(name)?.name == name) }

    @Test("A name that no dialect has finds none", arguments: ["", "DarkSky", "darkSky ", "none"])
    func unnamed(name: String) { #expect(Dialect.named(name) == nil) }

    @Test(
        "Coordinates are asked for in plain decimals",
        arguments: [
            (37.8267, -122.4233, "/forecast/{key}/37.8267,-122.4233"), (0, -0.0, "/forecast/{key}/0,0"),
            (-90, 180, "/forecast/{key}/-90,180"), (0.0000001, -0.00000001, "/forecast/{key}/0.0000001,0"),
            (-0.5, 1e-5, "/forecast/{key}/-0.5,0.00001"),
            (51.99999996, -179.9999999, "/forecast/{key}/52,-179.9999999"),
        ] as [(Double, Double, String)])
    func target(latitude: Double, longitude: Double, expected: String) {
        let query = ForecastQuery(latitude: latitude, longitude: longitude)
        #expect(Dialect.darkSky.target(for: query) == expected)
    }

    @Test(
        "The message of an upstream's error is found where there is one",
        arguments: [
            (#"{"code":400,"error":"The given location is invalid."}"#, "The given location is invalid."),
            (#"{"code":400,"error":{"text":"a"}}"#, nil), (#"{"code":403}"#, nil), ("Forbidden", nil), ("", nil),
            ("[]", nil),
        ] as [(String, String?)])
    func errorMessage(body: String, expected: String?) {
        #expect(Dialect.darkSky.errorMessage(in: Array(body.utf8)) == expected)
    }
}
