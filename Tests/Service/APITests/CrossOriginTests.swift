import HTTPCore
import Testing

@testable import API

struct CrossOriginTests {
    private static let app = "https://app.example"

    private static func answer(
        _ origins: [String], _ headers: [(name: String, value: String)], isPreflight: Bool = false
    ) -> [String: String] {
        var response = Response()
        let policy = CrossOrigin(origins, maximumAgeSeconds: 600)
        let headers = HeaderFields(headers)
        if isPreflight { policy?.preflight(&response, headers) }
        policy?.admit(&response, headers)
        return Dictionary(response.headers.map { ($0.name, $0.value) }) { $0 + " and " + $1 }
    }

    @Test(
        arguments: [
            ([], app, nil), ([app], app, app), ([app], "https://other.example", nil), ([app], "null", nil),
            ([app], "https://app.example.evil", nil), ([app], "HTTPS://APP.EXAMPLE", nil), (["*"], "https://x", "*"),
            (["http://a", app], app, app), ([app], "\(app), http://a", nil),
        ] as [([String], String, String?)])
    func onlyAListedOriginMayReadAnswers(_ origins: [String], _ origin: String, _ admitted: String?) {
        let fields = Self.answer(origins, [("Origin", origin)])
        #expect(fields["Access-Control-Allow-Origin"] == admitted)
        #expect((fields["Access-Control-Expose-Headers"] != nil) == (admitted != nil))
        #expect(fields["Vary"] == (origins.isEmpty || origins == ["*"] ? nil : "Origin"))
    }

    @Test func aPreflightRequestNamesTheMethodsAndFields() {
        let request = [("Origin", Self.app), ("Access-Control-Request-Method", "GET")]
        let fields = Self.answer([Self.app], request, isPreflight: true)
        #expect(fields["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS")
        #expect(fields["Access-Control-Allow-Headers"]?.contains("If-None-Match") == true)
        #expect(fields["Access-Control-Allow-Headers"]?.contains("Content-Type") == true)
        #expect(fields["Access-Control-Expose-Headers"]?.contains("X-Forecast-API-Calls") == true)
        #expect(fields["Access-Control-Expose-Headers"]?.contains("X-Response-Time") == true)
        #expect(fields["Access-Control-Max-Age"] == "600")
        #expect(fields["Access-Control-Allow-Origin"] == Self.app)
        #expect(Self.answer(["http://b"], request, isPreflight: true)["Access-Control-Allow-Methods"] == nil)
    }

    @Test func aRequestWithoutAnOriginIsNotConcerned() {
        #expect(Self.answer([Self.app], []) == ["Vary": "Origin"])
        #expect(Self.answer(["*"], []) == [:])
    }
}
