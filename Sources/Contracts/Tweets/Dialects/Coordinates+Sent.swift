import LenientCoding

extension Coordinates {
    /// A point that is on the Earth, of two numbers of which the one at `index` is the latitude; or else nil and reported.
    init?(_ pair: [Double], latitudeAt index: Int, _ reader: inout RecordReader) {
        guard pair.count == 2, (-90...90).contains(pair[index]), (-180...180).contains(pair[1 - index]) else {
            reader.note(.dropped, .implausible)
            return nil
        }
        self.init()
        latitude = pair[index]
        longitude = pair[1 - index]
    }
}
