package import JMESPath
package import JSONText
package import Records

/// A value that a rule made, ready to be written.
package enum ScalarValue {
    /// A value of the document, which keeps its text, or a computed one.
    case value(JMESValue)
    /// A date and time, and its form unless the client asks for another.
    case moment(Moment, DateForm)

    /// Writes the value; `dates` is the form of dates that the client asks for.
    package func write(to writer: inout JSONWriter, dates: DateForm?) {
        switch self {
        case .value(let value): value.write(to: &writer)
        case .moment(let moment, let form): moment.write(to: &writer, as: dates ?? form)
        }
    }

    /// The value that `enum`, `minimum`, `maximum` and `pattern` look at.
    var checked: JMESValue {
        switch self {
        case .value(let value): value
        case .moment(let moment, .unix): .number(moment.unixText)
        case .moment(let moment, .iso8601): .string(moment.isoText)
        }
    }
}

/// The result of rules for a value.
package struct Outcome {
    /// A value was not used as it was written.
    package struct Drift: Equatable, Sendable {
        /// What happened.
        package let kind: DriftReport.Kind
        /// Why.
        package let reason: DriftReport.Reason
    }

    /// The value; nil if there is none.
    package var value: ScalarValue?
    /// The repairs, in order.
    package var drift: [Drift] = []

    mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason) {
        drift.append(Drift(kind: kind, reason: reason))
    }
}

/// The reason for which a value is dropped.
struct Loss: Error {
    let reason: DriftReport.Reason

    init(_ reason: DriftReport.Reason) { self.reason = reason }
}
