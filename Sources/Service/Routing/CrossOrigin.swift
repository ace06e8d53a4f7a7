package import HTTPCore

/// The origins whose scripts may read answers (the CORS protocol of the Fetch standard).
package struct CrossOrigin: Sendable {
    /// The fields that scripts may read besides the safelisted ones.
    private static let exposed = AnswerField.all.filter(\.isExposed).map(\.name).joined(separator: ", ")
    /// The fields that scripts may send besides the safelisted ones.
    private static let allowed = "Content-Type, If-None-Match, If-Modified-Since, X-Request-Id, traceparent"

    private let origins: [String]
    private let isOpen: Bool
    private let maximumAge: Int

    /// Admits `origins`, such as `https://app.example`, or every origin with `*`; nil without any.
    package init?(_ origins: [String], maximumAgeSeconds: Int) {
        if origins.isEmpty { return nil }
        (self.origins, maximumAge) = (origins, maximumAgeSeconds)
        isOpen = origins.contains("*")
    }

    /// Adds the fields that let the request's origin read the response.
    package func admit(_ response: inout Response, _ headers: HeaderFields) {
        if !isOpen { response.vary(by: "Origin") }
        guard let origin = admitted(headers) else { return }
        response.headers.append(("Access-Control-Allow-Origin", origin))
        response.headers.append(("Access-Control-Expose-Headers", Self.exposed))
    }

    /// Adds the answer to a preflight request, if it is one.
    package func preflight(_ response: inout Response, _ headers: HeaderFields) {
        guard headers.bytes("Access-Control-Request-Method") != nil, admitted(headers) != nil else { return }
        response.headers.append(("Access-Control-Allow-Methods", Problem.methods))
        response.headers.append(("Access-Control-Allow-Headers", Self.allowed))
        response.headers.append(("Access-Control-Max-Age", "\(maximumAge)"))
    }

    /// Returns the value of Access-Control-Allow-Origin; nil if the request has no origin or another one.
    private func admitted(_ headers: HeaderFields) -> String? {
        guard headers.bytes("Origin") != nil else { return nil }
        if isOpen { return "*" }
        // The text of the configuration, so that no byte of a request comes back.
        return origins.first { origin in headers["Origin"] == origin }
    }
}
