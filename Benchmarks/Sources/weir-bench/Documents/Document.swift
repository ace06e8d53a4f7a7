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

    /// Returns a document of a forecast dialect: the recorded Dark Sky answer, or else that of the dialect's sample.
    static func forecast(of dialect: String, _ options: SuiteOptions) throws -> Document {
        let names = [
            "metNorway": "MagicMirrorOrg-MagicMirror__weather_yr",
            "openWeatherMap": "MagicMirrorOrg-MagicMirror__weather_owm_onecall",
        ]
        if dialect == "darkSky" { return darkSky(options) }
        return try names[dialect].flatMap { recorded("other/\($0).json", options) } ?? sample(of: dialect)
    }

    /// Returns a search answer of a hundred tweets, or else the longest document of the dialect's sample.
    static func search(of dialect: String, _ options: SuiteOptions) throws -> Document {
        switch dialect {
        case "twitter": twitter(options)
        case "twitterV2": Document(bytes: GeneratedTwitterV2.document(), origin: "generated")
        case "mastodon": Document(bytes: GeneratedMastodon.document(), origin: "generated")
        case "bluesky":
            try recorded("bluesky/christopherkenny-bskyr__f_search.json", options) ?? sample(of: dialect)
        default: try sample(of: dialect)
        }
    }

    /// Returns the longest document of the sample of `dialect`.
    private static func sample(of dialect: String) throws -> Document {
        let folder = "Config/samples/\(dialect)"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let files = names.filter { $0 != "sample.json" }.map { folder + "/" + $0 }
        let documents = files.sorted().map {
            Document(bytes: Array(FileManager.default.contents(atPath: $0) ?? Data()), origin: $0)
        }
        guard let longest = documents.max(by: { $0.bytes.count < $1.bytes.count }) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        return longest
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
