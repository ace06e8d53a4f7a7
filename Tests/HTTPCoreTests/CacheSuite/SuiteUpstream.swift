import HTTPCore

/// The origin server of the suite: plays the responses of a test, and counts and keeps the requests.
final class SuiteUpstream {
    /// A request that arrived.
    struct Arrival {
        let number: Int
        let request: SuiteRequest
        /// The fields that the answer must have, as they were sent.
        let compared: [(name: String, value: String)]
    }

    private let test: CacheTest
    private let clock: SuiteClock
    /// What was sent for a step that reached the server, by its number.
    private var sent: [Int: HeaderFields] = [:]
    private(set) var arrivals: [Arrival] = []

    init(_ test: CacheTest, _ clock: SuiteClock) { (self.test, self.clock) = (test, clock) }

    /// The body of a test that does not say one.
    static func body(_ text: String) -> String { "{\"body\":\"\(text)\"}" }

    /// Answers a request; nil if the connection ends without a response.
    func answer(_ request: SuiteRequest) -> SuiteResponse? {
        guard let number = request.fields["Req-Num"].flatMap({ Int($0) }), test.steps.indices ~= number - 1 else {
            return SuiteResponse(status: 409, fields: HeaderFields())
        }
        let step = test.steps[number - 1]
        clock.now += step.delay
        let status = status(of: step, number, request)
        var lines = [
            ("Server-Base-Url", request.target), ("Server-Request-Count", String(arrivals.count + 1)),
            ("Client-Request-Count", String(number)), ("Server-Now", String(clock.now)),
        ]
        var compared: [(name: String, value: String)] = []
        for field in step.responseFields {
            let name = field.name.lowercased()
            var value = field.text(at: clock.now, isObsolete: step.obsoleteDates.contains(name))
            if step.rewritesLocations, name == "location" || name == "content-location" {
                value = value.isEmpty ? request.target : "\(request.target)/\(value)"
            }
            lines.append((field.name, value))
            guard field.isCompared else { continue }
            compared.removeAll { $0.name.lowercased() == name }
            compared.append((field.name, lines.filter { $0.0.lowercased() == name }.map(\.1).joined(separator: ", ")))
        }
        arrivals.append(Arrival(number: number, request: request, compared: compared))
        // The server of the suite sends these where a test does not say them.
        for (name, value) in [("Content-Type", "application/json"), ("Date", CacheTest.Field.date(clock.now))]
        where !lines.contains(where: { $0.0.lowercased() == name.lowercased() }) {
            lines.append((name, value))
        }
        lines.append(("Request-Numbers", arrivals.map { String($0.number) }.joined(separator: " ")))
        let fields = HeaderFields(lines)
        sent[number] = fields
        if step.disconnects { return nil }
        let hasBody = status != 204 && status != 304
        return SuiteResponse(status: status, fields: fields, body: hasBody ? Self.body(step.body ?? test.id) : "")
    }

    /// 304 if the request has the validator of the response before, and 999 if the test expects that it has.
    private func status(of step: CacheTest.Step, _ number: Int, _ request: SuiteRequest) -> Int {
        guard let type = step.type, type.hasSuffix("validated") else { return step.status }
        let previous = test.steps[number - 2].responseFields
        let pairs = [("Last-Modified", "If-Modified-Since"), ("ETag", "If-None-Match")]
        let isConfirmed = pairs.contains { validator, condition in
            guard let field = previous.last(where: { $0.name == validator }) else { return false }
            let value = sent[number - 1]?.values(validator).last ?? field.text(at: clock.now)
            return request.fields[condition] == value
        }
        return isConfirmed ? 304 : 999
    }
}
