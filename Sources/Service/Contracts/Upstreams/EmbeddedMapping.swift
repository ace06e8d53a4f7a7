/// A mapping that comes with Weir: a JSON file of this folder, which the build puts into the binary.
package struct EmbeddedMapping: Sendable {
    /// The name, which upstreams have as `dialect`.
    package let name: String
    /// The JSON of the file.
    package let bytes: [UInt8]

    /// All of them, by name.
    package static let all: [EmbeddedMapping] = [
        EmbeddedMapping(name: "bluesky", bytes: PackageResources.bluesky_json),
        EmbeddedMapping(name: "brightSky", bytes: PackageResources.brightSky_json),
        EmbeddedMapping(name: "metNorway", bytes: PackageResources.metNorway_json),
        EmbeddedMapping(name: "misskey", bytes: PackageResources.misskey_json),
        EmbeddedMapping(name: "nws", bytes: PackageResources.nws_json),
        EmbeddedMapping(name: "openWeatherMap", bytes: PackageResources.openWeatherMap_json),
        EmbeddedMapping(name: "smhi", bytes: PackageResources.smhi_json),
        EmbeddedMapping(name: "tomorrowIO", bytes: PackageResources.tomorrowIO_json),
        EmbeddedMapping(name: "visualCrossing", bytes: PackageResources.visualCrossing_json),
        EmbeddedMapping(name: "weatherbit", bytes: PackageResources.weatherbit_json),
    ]
}
