import HTTPCore

/// Why a test cannot be played through the service, which is no cache for any client and any server.
enum SuiteLimit: String, CaseIterable {
    case clientFields =
        "The upstream does not get the fields of clients: for one document it gets the same ones each time."
    case ownFields = "Answers have the service's own fields, not those of the upstream."
    case ownTags = "Answers have the service's own entity tags, which are always valid."
    case failures =
        "Only a 200 has a document, and only a 404 is remembered. Another status is a failure: the next request tries again."

    /// The groups that are about what the service does.
    static let groups = CacheSuiteTables.groups + ["cc-request"]

    /// The fields of answers that the service has, or that stand in its documents.
    private static let answerFields = ["age", "cache-control", "etag", "client-request-count", "a"]

    /// The first limit that concerns the test; nil if the test can be played.
    init?(_ test: CacheTest) {
        let steps = test.steps
        if steps.contains(where: Self.needsClientFields) || Self.selections(of: steps).count > 1 {
            self = .clientFields
        } else if steps.contains(where: Self.needsUpstreamFields) {
            self = .ownFields
        } else if steps.indices.contains(where: { Self.needsTag(steps[$0], after: steps[..<$0]) }) {
            self = .ownTags
        } else if zip(steps, steps.dropFirst()).contains(where: { $1.type == "cached" && !Self.isKept($0.status) }) {
            self = .failures
        } else {
            return nil
        }
    }

    private static func isKept(_ status: Int) -> Bool { status == 200 || status == 404 }

    private static func needsClientFields(_ step: CacheTest.Step) -> Bool {
        step.expectedRequestFields.contains { $0.name.lowercased() != "if-none-match" || step.type == nil }
    }

    private static func needsUpstreamFields(_ step: CacheTest.Step) -> Bool {
        step.expectedFields.contains { !answerFields.contains($0.name.lowercased()) }
            || step.expectedMissing.contains { $0.name.lowercased() != "server-request-count" }
    }

    /// The values of the fields that Vary names, in each request.
    private static func selections(of steps: [CacheTest.Step]) -> Set<[String]> {
        let vary = steps.flatMap(\.responseFields).filter { $0.name.lowercased() == "vary" }.map { $0.text(at: 0) }
        let names = vary.joined(separator: ",").lowercased().split(separator: ",").map { $0.filter { $0 != " " } }
        return Set(
            steps.map { step in
                step.requestFields.filter { names.contains($0.name.lowercased()) }
                    .map { "\($0.name): \($0.text(at: 0))" }.sorted()
            })
    }

    /// Whether the request has a tag that is not the valid one of a response before.
    private static func needsTag(_ step: CacheTest.Step, after steps: ArraySlice<CacheTest.Step>) -> Bool {
        guard let condition = step.requestFields.first(where: { $0.name.lowercased() == "if-none-match" }) else {
            return false
        }
        let tags = steps.flatMap(\.responseFields).filter { $0.name.lowercased() == "etag" }.map { $0.text(at: 0) }
        let valid = tags.filter { Validators(HeaderFields([("ETag", $0)]))?.entityTag != nil }
        return !condition.text(at: 0).split(separator: ", ").contains { valid.contains(String($0)) }
    }
}
