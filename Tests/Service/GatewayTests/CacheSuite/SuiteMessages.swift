import HTTPCore

/// A request to the cache or to the upstream.
struct SuiteRequest: Sendable {
    let method: String
    let target: String
    let fields: HeaderFields
}

/// A response of the upstream or of the cache.
struct SuiteResponse: Sendable {
    var status: Int
    var fields: HeaderFields
    var body = ""

    /// The value of a field, several lines joined; nil if there is none.
    subscript(name: String) -> String? {
        let values = fields.values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
