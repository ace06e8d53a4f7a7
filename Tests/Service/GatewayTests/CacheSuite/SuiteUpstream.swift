import HTTPCore
import Synchronization

/// The origin server of the suite: plays the responses of a test, and counts and keeps the requests.
final class SuiteUpstream: Sendable {
    /// A request that arrived.
    struct Arrival: Sendable {
        let number: Int
        let request: SuiteRequest
        /// The answer, which does not arrive if the connection ends without it.
        let response: SuiteResponse
        /// The fields that the answer must have, as they were sent.
        let compared: [(name: String, value: String)]
    }

    private let test: CacheTest
    private let clock: CachedService.Hands
    private let state = Mutex<[Arrival]>([])

    init(_ test: CacheTest, _ clock: CachedService.Hands) { (self.test, self.clock) = (test, clock) }

    var arrivals: [Arrival] { state.withLock { $0 } }

    /// The body of a test that does not say one.
    static func body(_ text: String) -> String { "{\"body\":\"\(text)\"}" }

    /// Answers a request; nil if the connection ends without a response.
    func answer(_ request: SuiteRequest) -> SuiteResponse? { state.withLock { answer(request, &$0) } }

    private func answer(_ request: SuiteRequest, _ arrivals: inout [Arrival]) -> SuiteResponse? {
        guard let number = request.fields["Req-Num"].flatMap({ Int($0) }), test.steps.indices ~= number - 1 else {
            return SuiteResponse(status: 409, fields: HeaderFields())
        }
        let step = test.steps[number - 1]
        if step.delay > 0 { clock.move(seconds: step.delay) }
        let status = status(of: step, number, request, arrivals)
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
        // The server of the suite sends these where a test does not say them.
        for (name, value) in [("Content-Type", "application/json"), ("Date", CacheTest.Field.date(clock.now))]
        where !lines.contains(where: { $0.0.lowercased() == name.lowercased() }) {
            lines.append((name, value))
        }
        let numbers = arrivals.map { String($0.number) } + [String(number)]
        lines.append(("Request-Numbers", numbers.joined(separator: " ")))
        let body = status == 204 || status == 304 ? "" : Self.body(step.body ?? test.id)
        let response = SuiteResponse(status: status, fields: HeaderFields(lines), body: body)
        arrivals.append(Arrival(number: number, request: request, response: response, compared: compared))
        return step.disconnects ? nil : response
    }

    /// 304 if the request has the validator of the response before, and 999 if the test expects that it has.
    private func status(
        of step: CacheTest.Step, _ number: Int, _ request: SuiteRequest, _ arrivals: [Arrival]
    ) -> Int {
        guard let type = step.type, type.hasSuffix("validated") else { return step.status }
        let previous = test.steps[number - 2].responseFields
        let sent = arrivals.last { $0.number == number - 1 }?.response
        let pairs = [("Last-Modified", "If-Modified-Since"), ("ETag", "If-None-Match")]
        let isConfirmed = pairs.contains { validator, condition in
            guard let field = previous.last(where: { $0.name == validator }) else { return false }
            let value = sent?.fields.values(validator).last ?? field.text(at: clock.now)
            return request.fields[condition] == value
        }
        return isConfirmed ? 304 : 999
    }
}
