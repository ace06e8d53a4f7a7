import Foundation

/// A document that the suites measure with.
struct Document {
    let bytes: [UInt8]
    /// A description of the source, for the output.
    let origin: String

    /// Returns a Twitter v1.1 search answer of about 600 KB.
    static func twitter(_ options: SuiteOptions) -> Document {
        recorded("twitter-v1.1/simdjson-simdjson-data__twitter.json", options)
            ?? Document(bytes: GeneratedTwitter.document(), origin: "generated Twitter search answer")
    }

    /// Returns a Dark Sky answer of about 30 KB.
    static func darkSky(_ options: SuiteOptions) -> Document {
        recorded("darksky/errantlinguist-Forecast.io-CPP__41.8843,-87.6324.json", options)
            ?? Document(bytes: GeneratedDarkSky.document(), origin: "generated Dark Sky answer")
    }

    /// Returns the recorded document `name` from the folder that `WEIR_CORPUS` names, or from `../shared`.
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
