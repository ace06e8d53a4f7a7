public import LenientCoding

/// A named place.
public struct Place: Record {
    /// The upstream's id.
    public var id: String?
    /// The name, short and with the surrounding region.
    public var name: String?, fullName: String?
    /// The kind of place, such as `city`, `country` or `poi`.
    public var placeType: String?
    /// The country, and its ISO 3166 code.
    public var country: String?, countryCode: String?
    /// A GeoJSON polygon around the place.
    public var boundingBox: JSONValue?

    /// An unknown place.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Place> {
        Field(\.id)
        Field(\.name)
        Field(\.fullName)
        Field(\.placeType)
        Field(\.country)
        Field(\.countryCode)
        Field(\.boundingBox)
    }
}

/// A point on the Earth, in degrees.
public struct Coordinates: Record {
    /// From -90 to 90, and from -180 to 180.
    public var latitude = 0.0, longitude = 0.0

    /// The point at 0° N, 0° E.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Coordinates> {
        Field(\.latitude, .plausible(-90...90))
        Field(\.longitude, .plausible(-180...180))
    }
}
