public import LenientCoding

/// A place with a name.
public struct Place: Record {
    /// The id.
    public var id: String?
    /// The name, alone and with what it lies in.
    public var name: String?, fullName: String?
    /// What it is: city, country or poi.
    public var placeType: String?
    /// The country, and its ISO 3166 code.
    public var country: String?, countryCode: String?
    /// A GeoJSON polygon around it.
    public var boundingBox: JSONValue?

    /// Nowhere.
    public init() {}

    /// One line a field.
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
