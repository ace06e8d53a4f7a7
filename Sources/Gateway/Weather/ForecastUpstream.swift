import Contracts
import HTTPClient
import LenientCoding

/// An upstream of forecasts.
struct ForecastUpstream: Sendable {
    let upstream: Upstream
    let dialect: Dialect
    /// The units that it is asked for.
    let units: UnitSystem

    /// Fetches what `query` asks for and makes the contract's document of it, in the form that `shaping` asks for.
    func fetch(
        _ query: ForecastQuery, _ shaping: Shaping, with client: Client
    ) async throws(Upstream.Failure) -> Normalized {
        var query = query
        query.units = units
        let (asked, dialect) = (query, dialect)
        let exchange = Upstream.Exchange(
            target: dialect.target(for: asked), keyPlace: dialect.keyPlace,
            read: { try dialect.normalize($0.body, askedFor: asked, shaping: shaping, options: $1) },
            explain: { dialect.errorMessage(in: $0).map { ($0, nil) } })
        return try await upstream.fetch(exchange, with: client)
    }
}
