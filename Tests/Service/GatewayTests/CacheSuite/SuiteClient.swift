import HTTPCore

/// The client of the suite: sends the requests of a test and compares the answers and what the upstream got.
struct SuiteClient {
    /// Why a test fails.
    struct Failure: Error {
        let text: String
        /// Whether a condition for the test failed, and not what it tests.
        let isSetup: Bool
    }

    typealias Outcome = Result<Void, Failure>

    private let test: CacheTest
    private let clock: CachedService.Hands
    private let upstream: SuiteUpstream
    /// Whether the cache passes on the fields of the upstream's responses.
    private let passesFields: Bool
    private let answer: (SuiteRequest) throws(Failure) -> SuiteResponse
    private var answers: [SuiteResponse] = []

    /// Runs a test through a cache with this policy, or without a cache.
    static func outcome(of test: CacheTest, _ policy: CachePolicy?) -> Outcome {
        let clock = CachedService.Hands()
        let upstream = SuiteUpstream(test, clock)
        let cache = SuiteCache(policy, clock, upstream)
        var client = SuiteClient(test, clock, upstream, passesFields: true) { cache.answer($0) }
        return client.outcome()
    }

    /// A client of a cache that asks this upstream and answers with `answer`.
    init(
        _ test: CacheTest, _ clock: CachedService.Hands, _ upstream: SuiteUpstream, passesFields: Bool,
        answer: @escaping (SuiteRequest) throws(Failure) -> SuiteResponse
    ) {
        (self.test, self.clock, self.upstream) = (test, clock, upstream)
        (self.passesFields, self.answer) = (passesFields, answer)
    }

    /// Runs the test.
    mutating func outcome() -> Outcome { Result { () throws(Failure) in try run() } }

    private mutating func run() throws(Failure) {
        for (index, step) in test.steps.enumerated() {
            let answer = try answer(request(step, index + 1))
            answers.append(answer)
            try check(answer, step, index + 1)
            if step.pausesAfter { clock.move(seconds: 3) }
        }
        try checkArrivals()
    }

    private func request(_ step: CacheTest.Step, _ number: Int) -> SuiteRequest {
        // The suite sends both fields, so that the library that it uses adds none.
        var lines = [("Pragma", "foo"), ("Cache-Control", "nothing-to-see-here")]
        let moment = answers.last?["Server-Now"].flatMap { Int($0) } ?? clock.now
        lines += step.requestFields.map { field in
            (field.name, field.text(at: moment, isObsolete: step.obsoleteDates.contains(field.name.lowercased())))
        }
        lines += [("Test-ID", test.id), ("Req-Num", String(number))]
        return SuiteRequest(method: step.method, target: "/test/\(step.target)", fields: HeaderFields(lines))
    }

    /// Fails if `condition` does not hold; nil for `check` is a condition of the suite itself.
    private func require(
        _ condition: Bool, _ step: CacheTest.Step, _ check: String?, _ text: @autoclosure () -> String
    ) throws(Failure) {
        guard !condition else { return }
        throw Failure(text: text(), isSetup: step.isSetup || check.map(step.setupChecks.contains) ?? true)
    }

    private func check(_ answer: SuiteResponse, _ step: CacheTest.Step, _ number: Int) throws(Failure) {
        let numbers = answer["Request-Numbers"]?.split(separator: " ") ?? []
        try require(Set(numbers).count == numbers.count, step, nil, "request \(number) was repeated")
        let count = answer["Server-Request-Count"].flatMap { Int($0) }
        if step.type == "cached", answer.status != 304 || count != nil {
            try require(count ?? .max < number, step, "expected_type", "answer \(number) is not from the cache")
        } else if step.type == "not_cached" {
            try require(count == number, step, "expected_type", "answer \(number) is from the cache")
        }
        let status = "answer \(number) has status \(answer.status)"
        if let expected = step.expectedStatus {
            try require(expected ?? answer.status == answer.status, step, "expected_status", status)
        } else if step.statesStatus {
            try require(answer.status == step.status, step, nil, status)
        } else {
            // 999 says that the upstream expected a condition.
            try require(answer.status == 200, step, answer.status == 999 ? "expected_type" : nil, status)
        }
        for expectation in step.expectedFields {
            let value = answer[expectation.name]
            try require(
                expectation.isMet(by: value, in: answer), step, "expected_response_headers",
                "answer \(number) has \(expectation.name): \(value ?? "nothing")")
        }
        for expectation in step.expectedMissing {
            let value = answer[expectation.name]
            try require(
                !expectation.isContained(in: value), step, "expected_response_headers_missing",
                "answer \(number) has \(expectation.name): \(value ?? "nothing")")
        }
        try require(
            step.expectedInterim == 0, step, "expected_interim_responses", "answer \(number) has no interim response")
        try checkBody(answer, step, number)
    }

    private func checkBody(_ answer: SuiteResponse, _ step: CacheTest.Step, _ number: Int) throws(Failure) {
        let text = "answer \(number) has the body \(answer.body)"
        guard step.comparesBody else { return }
        if let expected = step.expectedBody {
            let matches = expected.map { answer.body == SuiteUpstream.body($0) } ?? true
            try require(matches, step, "expected_response_text", text)
        } else if step.body != nil || answer.status != 204 && answer.status != 304 && step.method != "HEAD" {
            try require(answer.body == SuiteUpstream.body(step.body ?? test.id), step, nil, text)
        }
    }

    /// Compares the requests that the upstream got, and the answers with the fields that it sent.
    private func checkArrivals() throws(Failure) {
        var arrivals = upstream.arrivals[...]
        for (index, step) in test.steps.enumerated() where step.type != "cached" {
            let (number, arrival) = (index + 1, arrivals.popFirst())
            if step.type == "not_cached" {
                try require(arrival?.number == number, step, "expected_type", "request \(number) did not arrive")
            }
            let condition = ["etag_validated": "If-None-Match", "lm_validated": "If-Modified-Since"][step.type ?? ""]
            if let condition {
                let isSent = arrival?.request.fields[condition] != nil
                try require(isSent, step, "expected_type", "request \(number) has no \(condition)")
            }
            for expectation in step.expectedRequestFields {
                let value = arrival?.request.fields[expectation.name]
                try require(
                    expectation.isMet(by: value, in: answers[index]), step, "expected_request_headers",
                    "request \(number) has \(expectation.name): \(value ?? "nothing")")
            }
            for (name, value) in arrival?.compared ?? [] where passesFields && name.lowercased() != "date" {
                try require(
                    answers[index][name] == value, step, nil,
                    "answer \(number) has \(name): \(answers[index][name] ?? "nothing")")
            }
            if let method = step.expectedMethod {
                try require(
                    arrival?.request.method == method, step, "expected_method", "request \(number) has another method")
            }
        }
    }
}

extension CacheTest.Expectation {
    /// Whether a value is as expected; dates count from the clock of the upstream that `answer` names.
    fileprivate func isMet(by text: String?, in answer: SuiteResponse) -> Bool {
        guard let text, let value else { return text != nil }
        switch (comparison, value) {
        case (">", .offset(let least)): return Int(text).map { $0 > least } ?? false
        case ("=", .text(let other)): return text == answer[other]
        default:
            let now = answer["Server-Now"].flatMap { Int($0) } ?? 0
            return text == CacheTest.Field(name: name, value: value, isCompared: false).text(at: now)
        }
    }

    /// Whether there is a value, with the text that the expectation names if it names one.
    fileprivate func isContained(in text: String?) -> Bool {
        guard case .text(let part)? = value else { return text != nil }
        return text?.contains(part) ?? false
    }
}
