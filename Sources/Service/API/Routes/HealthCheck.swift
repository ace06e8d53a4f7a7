package import Records

/// One observation in an answer of `/healthz`, of a component such as a kind of requests
/// (draft-inadarei-api-health-check-06 §4).
package struct HealthCheck: Record {
    package enum Status: String, FieldValue, Sendable {
        case pass, warn, fail
    }

    package var componentID: String?
    package var observedValue: JSONValue?
    package var observedUnit: String?
    package var status = Status.pass
    package var time: String?
    package var output: String?

    package init() {}

    package init(
        _ value: JSONValue? = nil, _ unit: String? = nil, of component: String? = nil, status: Status = .pass,
        time: String? = nil, output: String? = nil
    ) {
        (observedValue, observedUnit, componentID, self.status) = (value, unit, component, status)
        (self.time, self.output) = (time, output)
    }

    package static let schema = Schema<HealthCheck> {
        Field("componentId", \.componentID, .note("The kind of requests, the period or the percentile."))
        Field(\.observedValue, .note("What is observed: a number or a word."))
        Field(\.observedUnit, .note("The unit of a number."))
        Field(\.status, .note("`pass`, `warn` or `fail`."))
        Field(\.time, .note("When the observation was made."))
        Field(\.output, .note("What is wrong."))
    }
}

/// The checks of an answer of `/healthz` by their names, such as `sky:breaker`.
package typealias HealthChecks = [String: [HealthCheck]]

extension JSONValue {
    /// A whole number.
    package static func integer(_ number: Int) -> JSONValue { .number("\(number)") }
}
