import JSONText
import LenientCoding

extension Flags {
    /// The flags under the names that Dark Sky documented: `nearest-station`, `isd-stations`.
    ///
    /// What it did not name stays as it is.
    var spelledAsDarkSky: Flags {
        guard case .object(let members) = others else { return self }
        var spelled = self
        var nearest: [JSONValue.Member] = []
        if let nearestStation {
            spelled.nearestStation = nil
            let number = JSONWriter.bytes(expecting: 32) { $0.write(nearestStation) }
            nearest = [JSONValue.Member("nearest-station", .number(String(decoding: number, as: UTF8.self)))]
        }
        let keys = Set(members.map(\.key))
        spelled.others = .object(
            nearest
                + members.map { member in
                    // Where both spellings came, both are there already.
                    let name = Self.darkSkyNames[member.key].flatMap { keys.contains($0) ? nil : $0 }
                    return JSONValue.Member(name ?? member.key, member.value)
                })
        return spelled
    }

    private static let darkSkyNames = [
        "darkskyStations": "darksky-stations", "darkskyUnavailable": "darksky-unavailable",
        "datapointStations": "datapoint-stations", "isdStations": "isd-stations", "lampStations": "lamp-stations",
        "madisStations": "madis-stations", "metarStations": "metar-stations", "meteoalarmLicense": "meteoalarm-license",
        "metnoLicense": "metno-license",
    ]
}
