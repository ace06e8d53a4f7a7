import Testing

@testable import Gateway
@testable import Settings

/// The names of keys' fields, parameters and variables, as the configuration is checked.
@Suite("Settings of keys")
struct KeySettingsTests {
    /// The faults of a configuration with `settings` for an upstream of `dialect`.
    private static func faults(_ dialect: String, _ settings: String) -> String {
        let text = """
            {"upstreams": [{"name": "a", "dialect": "darkSky", "sample": "s"},
              {"name": "b", "dialect": "\(dialect)", "baseURL": "https://customer-api.open-meteo.com", \(settings)}],
             "weather": {"upstreams": ["a"]}}
            """
        do {
            _ = try ConfigurationFile(path: "weir.json", bytes: Array(text.utf8)).configuration()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "A header field that has another use in requests cannot carry a key",
        arguments: [
            "If-None-Match", "if-modified-since", "If-Match", "If-Range", "If-Unmodified-Since", "Range",
            "Proxy-Authorization", "Proxy-Connection", "Keep-Alive", "Host", "Accept", "traceparent",
        ])
    func reservedFields(_ name: String) {
        let settings = #""authorization": "header", "keyName": "\#(name)", "key": {"environment": "K"}"#
        #expect(Self.faults("openMeteo", settings).contains("keyName must be a name"), "\(name)")
    }

    @Test("Other header fields can carry a key", arguments: ["X-Api-Key", "Authorization", "Cookie", "latitude"])
    func fields(_ name: String) {
        let settings = #""authorization": "header", "keyName": "\#(name)", "key": {"environment": "K"}"#
        #expect(Self.faults("openMeteo", settings) == "")
    }

    @Test(
        "A parameter that requests of the dialect have cannot carry a key, and others can",
        arguments: [
            (
                "openMeteo",
                "latitude longitude current hourly daily minutely_15 forecast_days models timezone start_date end_date",
                "apikey units Latitude host"
            ),
            ("darkSky", "units lang extend", "apikey version"),
            ("pirateWeather", "units lang extend version include extraVars tmextra", "apikey"),
            ("weatherKit", "dataSets timezone hourlyStart hourlyEnd dailyStart dailyEnd countryCode", "key"),
            ("twitter", "id tweet_mode screen_name count max_id q", "key"),
            ("twitterV2", "expansions tweet.fields query max_results until_id", "key"),
            ("mastodon", "limit max_id q type acct", "access_token"),
        ])
    func parameters(_ dialect: String, _ taken: String, _ free: String) {
        for (names, isFree) in [(taken, false), (free, true)] {
            for name in names.split(separator: " ") {
                let settings = #""authorization": "query", "keyName": "\#(name)", "key": {"environment": "K"}"#
                #expect(Self.faults(dialect, settings).contains("keyName must be a name") != isFree, "\(name)")
            }
        }
    }

    @Test(
        "What is no name of a variable could be the key itself: it is refused, and not quoted",
        arguments: ["sk-live-S3CRET", "S3CRET 0123456789", "0S3CRET", "S3CRET=", "éS3CRET", ""])
    func variables(_ text: String) {
        for setting in [
            #""key": {"environment": "\#(text)"}"#, #""key": {"environment": "\#(text)", "optional": true}"#,
        ] {
            let faults = Self.faults("openMeteo", setting)
            #expect(faults.contains("upstreams[1].key.environment must be the name of a variable"), "\(faults)")
            #expect(!faults.contains("S3CRET"))
        }
        for name in ["K", "_k9", "WEIR_TEST_KEY"] {
            #expect(Self.faults("openMeteo", #""key": {"environment": "\#(name)"}"#) == "")
        }
        let oauth2 = """
            "authorization": "oauth2", "oauth2": {"tokenURL": "https://a/token", "clientID": {"environment": "\(text)"},
              "clientSecret": {"environment": "K"}}
            """
        #expect(Self.faults("openMeteo", oauth2).contains("upstreams[1].oauth2.clientID.environment must be"))
    }
}
