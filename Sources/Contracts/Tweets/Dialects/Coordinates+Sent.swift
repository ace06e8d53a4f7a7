import LenientCoding

extension Coordinates {
    /// A point that is on the Earth, or else nil and reported.
    init?(_ latitude: Double, _ longitude: Double, _ reader: inout RecordReader) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            reader.note(.dropped, .implausible)
            return nil
        }
        self.init()
        self.latitude = latitude
        self.longitude = longitude
    }
}
