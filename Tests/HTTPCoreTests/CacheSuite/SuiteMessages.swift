import HTTPCore

/// A request to the cache or to the upstream.
struct SuiteRequest {
    let method: String
    let target: String
    let fields: HeaderFields
}

/// A response of the upstream or of the cache.
struct SuiteResponse {
    var status: Int
    var fields: HeaderFields
    var body = ""

    /// The value of a field, several lines joined; nil if there is none.
    subscript(name: String) -> String? {
        let values = fields.values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// A clock that only a test moves, in unix seconds.
final class SuiteClock {
    var now = 1_750_000_000
}
