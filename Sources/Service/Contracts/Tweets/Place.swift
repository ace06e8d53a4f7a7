public import LenientCoding

/// A named place.
public struct Place: Record {
    /// The fields; see ``schema``.
    public var id: String?, name: String?, fullName: String?, placeType: String?, country: String?,
        countryCode: String?, boundingBox: JSONValue?

    /// An unknown place.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Place> {
        Field(\.id, .note("The upstream's id of the place."))
        Field(\.name, .note("The name."))
        Field(\.fullName, .note("The name with the region that contains the place."))
        Field(\.placeType, .note("The kind of place, such as country, admin, city, neighborhood or poi."))
        Field(\.country, .note("The name of the country."))
        Field(\.countryCode, .note("The ISO 3166 code of the country."))
        Field(\.boundingBox, .note("The area as GeoJSON: a polygon or, with Twitter v2, a feature."))
    }
}

/// A point on the Earth, in degrees.
public struct Coordinates: Record {
    /// The degrees to the north and to the east.
    public var latitude = 0.0, longitude = 0.0

    /// The point at 0° N, 0° E.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Coordinates> {
        Field(\.latitude, .plausible(-90...90), .note("The latitude in degrees, positive to the north."))
        Field(\.longitude, .plausible(-180...180), .note("The longitude in degrees, positive to the east."))
    }
}
