import CivilDates
import Foundation
import TestSupport

/// A test of http-tests/cache-tests: requests that a client sends through a cache, and what the upstream answers.
struct CacheTest {
    /// A field line; a number is a date, so many seconds from the clock of the upstream.
    struct Field {
        enum Value {
            case text(String)
            case offset(Int)
        }

        let name: String
        let value: Value
        /// Whether the answer must have the value that the upstream sent.
        let isCompared: Bool

        /// The value at a moment; `isObsolete` asks for the date form of RFC 850.
        func text(at now: Int, isObsolete: Bool = false) -> String {
            switch value {
            case .text(let text): text
            case .offset(let seconds): isObsolete ? Self.obsoleteDate(now + seconds) : Self.date(now + seconds)
            }
        }

        static func date(_ moment: Int) -> String {
            String(decoding: HTTPDate.format(secondsSinceEpoch: moment), as: UTF8.self)
        }

        private static func obsoleteDate(_ moment: Int) -> String {
            let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
            let parts = date(moment).split(separator: " ")
            let day = days.first { $0.hasPrefix(parts[0].dropLast()) } ?? ""
            return "\(day), \(parts[1])-\(parts[2])-\(parts[3].suffix(2)) \(parts[4]) GMT"
        }
    }

    /// What a header field of an answer, or of a request at the upstream, must be.
    struct Expectation {
        let name: String
        /// `=`, `>` or nil, for a value.
        let comparison: String?
        let value: Field.Value?
    }

    /// One request, the upstream's response to it, and what the suite expects.
    struct Step {
        var method = "GET"
        var target = ""
        var requestFields: [Field] = []
        var responseFields: [Field] = []
        var status = 200
        /// The upstream's body; nil for the one that all tests have.
        var body: String?
        var pausesAfter = false
        /// The seconds for which the upstream delays its response.
        var delay = 0
        /// Whether the upstream closes the connection without a response.
        var disconnects = false
        var rewritesLocations = false
        var obsoleteDates: Set<String> = []
        /// `cached`, `not_cached`, `etag_validated` or `lm_validated`.
        var type: String?
        /// The status that the client must get; nil within it stands for any.
        var expectedStatus: Int??
        var statesStatus = false
        var expectedBody: String??
        var comparesBody = true
        var expectedMethod: String?
        var expectedFields: [Expectation] = []
        var expectedMissing: [Expectation] = []
        var expectedRequestFields: [Expectation] = []
        var expectedInterim = 0
        var isSetup = false
        /// The checks whose failure voids the test.
        var setupChecks: Set<String> = []
    }

    let group: String
    let id: String
    /// `required`, `optimal` or `check`.
    let kind: String
    let isForBrowsers: Bool
    let steps: [Step]

    /// The tests in the order of the suite; empty without a corpus.
    static let all: [CacheTest] = {
        let files = Checkout.sharedFiles("suites/cache-tests", ending: "tests-export.json")
        guard let file = files.first, let groups = json(file.bytes) as? [[String: Any]] else { return [] }
        return groups.flatMap { group in
            (group["tests"] as? [[String: Any]] ?? []).map { CacheTest(group["id"] as? String ?? "", $0) }
        }
    }()

    /// The published results of a proxy: the names of the tests that it passes.
    static func passed(by proxy: String) -> Set<String> {
        let files = Checkout.sharedFiles("suites/cache-tests/results", ending: "\(proxy).json")
        guard let file = files.first, let results = json(file.bytes) as? [String: Any] else { return [] }
        return Set(results.filter { $0.value as? Bool == true }.keys)
    }

    private static func json(_ bytes: [UInt8]) -> Any? { try? JSONSerialization.jsonObject(with: Data(bytes)) }

    private init(_ group: String, _ json: [String: Any]) {
        self.group = group
        id = json["id"] as? String ?? ""
        kind = json["kind"] as? String ?? "required"
        isForBrowsers = json["browser_only"] as? Bool ?? false
        steps = (json["requests"] as? [[String: Any]] ?? []).map(Step.init)
    }
}

extension CacheTest.Step {
    /// Reads a request of the suite.
    init(_ json: [String: Any]) {
        func flag(_ name: String) -> Bool { json[name] as? Bool ?? false }
        func fields(_ name: String) -> [CacheTest.Field] {
            (json[name] as? [[Any]] ?? []).compactMap(CacheTest.Field.init)
        }
        func expectations(_ name: String) -> [CacheTest.Expectation] {
            (json[name] as? [Any] ?? []).compactMap(CacheTest.Expectation.init)
        }
        method = json["request_method"] as? String ?? "GET"
        let name = json["filename"] as? String ?? ""
        target = name + ((json["query_arg"] as? String).map { "?\($0)" } ?? "")
        (requestFields, responseFields) = (fields("request_headers"), fields("response_headers"))
        (pausesAfter, disconnects) = (flag("pause_after"), flag("disconnect"))
        (rewritesLocations, isSetup) = (flag("magic_locations"), flag("setup"))
        delay = json["response_pause"] as? Int ?? 0
        obsoleteDates = Set(json["rfc850date"] as? [String] ?? [])
        if let status = json["response_status"] as? [Any] {
            (self.status, statesStatus) = (status.first as? Int ?? 200, true)
        }
        body = json["response_body"] as? String
        type = json["expected_type"] as? String
        expectedStatus = json["expected_status"].map { $0 as? Int }
        expectedBody = json["expected_response_text"].map { $0 as? String }
        comparesBody = json["check_body"] as? Bool ?? true
        expectedMethod = json["expected_method"] as? String
        expectedFields = expectations("expected_response_headers")
        expectedMissing = expectations("expected_response_headers_missing")
        expectedRequestFields = expectations("expected_request_headers")
        expectedInterim = (json["expected_interim_responses"] as? [Any] ?? []).count
        setupChecks = Set(json["setup_tests"] as? [String] ?? [])
    }
}

extension CacheTest.Field {
    fileprivate init?(_ json: [Any]) {
        guard json.count >= 2, let name = json[0] as? String, let value = Value(json[1]) else { return nil }
        (self.name, self.value) = (name, value)
        isCompared = json.count < 3 || json[2] as? Bool == true
    }
}

extension CacheTest.Field.Value {
    fileprivate init?(_ json: Any) {
        if let text = json as? String {
            self = .text(text)
        } else if let seconds = json as? Int {
            self = .offset(seconds)
        } else {
            return nil
        }
    }
}

extension CacheTest.Expectation {
    fileprivate init?(_ json: Any) {
        if let name = json as? String {
            (self.name, comparison, value) = (name, nil, nil)
        } else if let parts = json as? [Any], let name = parts.first as? String, parts.count >= 2 {
            self.name = name
            comparison = parts.count > 2 ? parts[1] as? String : nil
            value = CacheTest.Field.Value(parts[parts.count - 1])
        } else {
            return nil
        }
    }
}
