import LenientCoding

extension WeatherKit {
    /// The data set `weatherAlerts`: summaries of alerts, without their texts.
    struct Alerts: DataSet {
        var metadata: Metadata?, alerts: [Summary]?

        static let schema = Schema<Alerts> {
            Field("metadata", \.metadata)
            Field("alerts", \.alerts, .dropInvalid, .atMost(1000))
            Ignored("name", "detailsUrl")
        }

        /// The severity of an alert.
        enum Severity: String, CaseIterable, Sendable {
            case extreme, severe, moderate, minor, unknown
        }

        /// An alert; its text is at another address of the API.
        struct Summary: Record {
            private var alert = Alert()
            private var area: String?, severity: OpenEnum<Severity>?
            private var issued: ISODate?, effective: ISODate?, expires: ISODate?, end: ISODate?

            static let schema = Schema<Summary>(.absent("")) {
                Field("description", \.alert.title)
                Field("areaName", \.area)
                Field("severity", \.severity)
                Field("issuedTime", \.issued)
                Field("effectiveTime", \.effective)
                Field("expireTime", \.expires)
                Field("eventEndTime", \.end)
                Field("detailsUrl", \.alert.uri)
                Ignored(
                    "area", "areaId", "attributionURL", "certainty", "countryCode", "eventOnsetTime", "eventSource",
                    "id",
                    "importance", "messages", "name", "phenomenon", "precedence", "responses", "significance", "source",
                    "token", "urgency")
            }

            /// The alert of the contract; severities have the spelling of Pirate Weather.
            var model: Alert {
                var alert = alert
                alert.regions = area.map { [$0] }
                alert.severity = severity.map { severity in
                    guard case .known(let known) = severity else { return OpenEnum(severity.rawValue) }
                    return OpenEnum(known.rawValue.prefix(1).uppercased() + known.rawValue.dropFirst())
                }
                alert.time = issued?.time ?? effective?.time
                alert.expires = expires?.time ?? end?.time
                return alert
            }
        }
    }
}
