import Contracts
import HTTPClient
import LenientCoding

struct ForecastUpstream: DocumentUpstream {
    let upstream: Upstream
    let dialect: Dialect
    /// The units to request.
    let units: UnitSystem
    /// The number of decimals to which coordinates are rounded.
    let coordinateDigits: Int

    nonisolated(nonsending) func fetch(
        _ request: WeatherRequest, in context: FetchContext
    ) async throws(Upstream.Failure) -> Normalized {
        var query = rounded(request.query)
        query.units = units
        let (asked, dialect, shaping) = (query, dialect, request.shaping)
        let documentRequest = Upstream.DocumentRequest(
            endpoint: .forecast, target: dialect.target(for: asked),
            read: { try dialect.normalize($0.body, answering: asked, shaping: shaping, options: $1) },
            explain: { dialect.errorMessage(in: $0.body).map { ($0, nil) } })
        return try await upstream.fetch(documentRequest, in: context)
    }

    private func rounded(_ query: ForecastQuery) -> ForecastQuery {
        let scale = (0..<coordinateDigits).reduce(1.0) { scale, _ in scale * 10 }
        var query = query
        // Adding zero turns -0 into 0.
        query.latitude = (query.latitude * scale).rounded() / scale + 0
        query.longitude = (query.longitude * scale).rounded() / scale + 0
        return query
    }
}
