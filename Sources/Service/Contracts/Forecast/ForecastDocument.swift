import JSONText
public import LenientCoding

/// A forecast as an upstream gave it, complete and repaired, and not yet in the form that a client wants.
///
/// It has the upstream's numbers and units, so nothing is rounded or converted twice.
public struct ForecastDocument: Sendable {
    /// The weather, in the units that its flags name.
    public let forecast: Forecast
    /// What was repaired.
    public let drift: DriftReport
    /// How far the upstream's place is from the one that was asked for, in degrees of latitude.
    let distance: Double
    /// The bytes of the upstream's text.
    let size: Int

    /// Returns the document in the form that `shaping` describes, which depends on nothing else.
    ///
    /// Its body is itself a `darkSky` document, which can be normalized again.
    public func shaped(_ shaping: Shaping = Shaping()) -> ShapedDocument {
        // The memory of the parser is free again, and the answer takes it: WeatherKit's sample takes 40 % less time,
        // because glibc keeps so much for the next document and gives no pages back.
        let body = JSONWriter.bytes(expecting: max(size, forecast.expectedSize)) {
            forecast.write(to: &$0, shaping: shaping)
        }
        return ShapedDocument(body: body, drift: drift, distance: distance)
    }
}
