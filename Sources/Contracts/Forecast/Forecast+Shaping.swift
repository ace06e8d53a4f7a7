import JSONText
import LenientCoding

extension Forecast {
    /// Writes the document in the form that `shaping` asks for.
    func write(to writer: inout JSONWriter, shaping: Shaping) {
        write(to: &writer)
    }
}
