import Foundation

/// What is measured on.
struct Document {
    let bytes: [UInt8]
    /// Where it comes from, for people.
    let origin: String

    /// A Twitter v1.1 search answer of about 600 KB.
    static func twitter(_ options: SuiteOptions) -> Document {
        recorded("twitter-v1.1/simdjson-simdjson-data__twitter.json", options)
            ?? Document(bytes: GeneratedTwitter.document(), origin: "generated Twitter search answer")
    }

    /// A Dark Sky answer of about 30 KB.
    static func darkSky(_ options: SuiteOptions) -> Document {
        recorded("darksky/errantlinguist-Forecast.io-CPP__41.8843,-87.6324.json", options)
            ?? Document(bytes: GeneratedDarkSky.document(), origin: "generated Dark Sky answer")
    }

    /// The recorded document of that name, where it lies beside the project or in the folder `WEIR_CORPUS` names.
    private static func recorded(_ name: String, _ options: SuiteOptions) -> Document? {
        if options.usesGeneratedDocuments { return nil }
        let named = ProcessInfo.processInfo.environment["WEIR_CORPUS"]
        for folder in named.map({ [$0, $0 + "/corpus"] }) ?? ["../shared/corpus"] {
            let path = folder + "/" + name
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            return Document(bytes: Array(data), origin: path)
        }
        return nil
    }
}
