import Records

/// Ten rules for the generated observations, in the language of each contestant.
enum ObservationRules {
    /// The rules as a shape.
    static let shape: JSONValue = [
        "properties": [
            "observations": [
                "from": "observations[?quality == 'good']",
                "items": [
                    "properties": [
                        "id": "id",
                        "time": ["from": "timestamp", "format": "date-time"],
                        "summary": "text_description",
                        "station": "station.station_id",
                        "temperature": ["from": "temperature.value", "type": "number"],
                        "humidity": ["from": "relative_humidity", "type": "number"],
                        "clouds": [
                            "from": "cloud_layers",
                            "items": ["properties": ["base": "base.value", "amount": "amount"]],
                        ],
                    ]
                ],
            ]
        ]
    ]

    /// The rules as one expression; dates are only passed on.
    static let expression = """
        {observations: observations[?quality == 'good'].{id: id, time: timestamp, summary: text_description, \
        station: station.station_id, temperature: temperature.value, humidity: to_number(relative_humidity), \
        clouds: cloud_layers[].{base: base.value, amount: amount}}}
        """

    /// The rules as a filter of jq; dates are only passed on.
    static let filter = """
        {observations: [.observations[] | select(.quality == "good") | {id, time: .timestamp, \
        summary: .text_description, station: .station.station_id, temperature: .temperature.value, \
        humidity: (.relative_humidity | tonumber), clouds: [.cloud_layers[] | {base: .base.value, amount}]}]}
        """
}
