import ContractsSupport
import Records

/// A random change to a forecast that leaves it valid JSON.
struct ForecastMutation {
    private var mutation: JSONMutation

    init(seed: UInt64) { mutation = JSONMutation(seed: seed, values: Self.values) }

    private static let values: [JSONValue] = scalars + texts.map(JSONValue.string) + containers

    private static let scalars = [
        "null", "-999", "-999.0", "0", "7", "-12.50", "0.5", "1e2", "300", "-460", "1234567890123456789", "1e400",
        "true", "false",
    ].compactMap { JSONValue(parsing: Array($0.utf8)) }

    private static let texts = [
        "", "none", "-999", "12.5", " 7 ", "1e400", "warm", "rain", "uk", "si", "0x1", "NaN", "2026-02-06T12:00:00Z",
    ]

    private static let containers = [
        "[]", #"[null,"a",3,"",{}]"#, "{}", #"{"time":5,"surprise":true}"#, #"{"data":[null]}"#,
    ].compactMap { JSONValue(parsing: Array($0.utf8)) }

    /// Returns `forecast` with at most three points per block and one to three changed values.
    mutating func damaged(_ forecast: JSONValue) -> JSONValue {
        var forecast = shortened(forecast)
        mutation.damage(&forecast)
        return forecast
    }

    private mutating func shortened(_ forecast: JSONValue) -> JSONValue {
        .object(
            (forecast.members ?? []).map { member in
                guard let points = member.value["data"]?.elements else { return member }
                var block = member.value
                block["data"] = .array((0..<3).compactMap { _ in points.randomElement(using: &mutation.random) })
                return .init(member.key, block)
            })
    }
}
