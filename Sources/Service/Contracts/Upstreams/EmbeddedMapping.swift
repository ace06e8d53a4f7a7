/// A mapping that comes with Weir: a JSON file of this folder, which the build puts into the binary.
package struct EmbeddedMapping: Sendable {
    /// The name, which upstreams have as `dialect`.
    package let name: String
    /// The JSON of the file.
    package let bytes: [UInt8]

    /// All of them, by name.
    package static let all: [EmbeddedMapping] = [
        EmbeddedMapping(name: "metNorway", bytes: PackageResources.metNorway_json)
    ]
}
