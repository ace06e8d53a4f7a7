import Records
import Testing

private struct Upstream: Record {
    enum Mode: String, Sendable, CaseIterable { case fast, slow }

    var url = "", retries: Int?, timeout: Double?, enabled = true, mode: OpenEnum<Mode>?
    static let schema = Schema<Upstream> {
        Field(\.url)
        Field(\.retries, .plausible(0...5))
        Field(\.timeout)
        Field(\.enabled, .defaulted)
        Field(\.mode)
    }
}

private struct Configuration: Record {
    var listen = "", upstreams: [Upstream]?, ports: [Int]?
    static let schema = Schema<Configuration> {
        Field(\.listen)
        Field(\.upstreams)
        Field(\.ports, .dropInvalid)
    }
}

@Suite("Strict reading")
struct StrictReadingTests {
    @Test(
        "A document that follows its table is read",
        arguments: [
            #"{"listen":"a"}"#,
            #"{"listen":"a","ports":[1,2.0],"upstreams":[{"url":"b","retries":5,"timeout":1,"enabled":false,"mode":"fast"}]}"#,
        ])
    func accepted(document: String) throws { #expect(try strictFailures(Configuration.self, document) == []) }

    @Test(
        "An unknown key is named with its path and the nearest known key, or all keys if none is near",
        arguments: [
            (#"{"listne":"a","listen":"a"}"#, #"listne: unknownKey, expected "listen""#),
            (#"{"Upstreams":[],"listen":"a"}"#, #"Upstreams: unknownKey, expected "upstreams""#),
            (#"{"listen":"a","upstreams":[{"url":"b","Mode":1}]}"#, #"upstreams[0].Mode: unknownKey, expected "mode""#),
            (#"{"listen":"a","zzzzzzzz":1}"#, "zzzzzzzz: unknownKey, expected one of listen, upstreams, ports"),
        ])
    func unknownKeys(document: String, failure: String) throws {
        #expect(try strictFailures(Configuration.self, document) == [failure])
    }

    @Test("All errors are named, not only the first")
    func allFailures() throws {
        let failures = try strictFailures(
            Configuration.self,
            #"{"upstreams":[{"url":"a","retries":"3","timeout":true,"x":1,"url":"b"}],"ports":{},"prots":1}"#)
        #expect(
            failures == [
                "upstreams[0].retries: numericString, expected an integer",
                "upstreams[0].timeout: mistyped, expected a number",
                "upstreams[0].x: unknownKey, expected one of url, retries, timeout, enabled, mode",
                "upstreams[0].url: duplicate, expected it once", "ports: mistyped, expected an array",
                "prots: unknownKey, expected \"ports\"", "listen: missing, expected a string",
            ])
    }

    @Test(
        "Values that lenient reading converts or drops are errors",
        arguments: [
            (#"{"url":1}"#, "url: textOfNumber, expected a string"),
            (#"{"url":"a","timeout":"1"}"#, "timeout: numericString, expected a number"),
            (#"{"url":"a","retries":"1"}"#, "retries: numericString, expected an integer"),
            (#"{"url":"a","retries":1.5}"#, "retries: inexact, expected an integer from 0 to 5"),
            (#"{"url":"a","retries":6}"#, "retries: implausible, expected an integer from 0 to 5"),
            (#"{"url":"a","enabled":1}"#, "enabled: booleanText, expected true or false"),
            (#"{"url":"a","enabled":"yes"}"#, "enabled: mistyped, expected true or false"),
            (#"{"url":"a","mode":"medium"}"#, "mode: unknownValue, expected a string"),
            ("[]", "the document: mistyped, expected an object"),
        ])
    func conversions(document: String, failure: String) throws {
        #expect(try strictFailures(Upstream.self, document) == [failure])
    }

    @Test("Invalid elements are errors and are not dropped")
    func elements() throws {
        #expect(
            try strictFailures(Configuration.self, #"{"listen":"a","ports":[1,"x",[]]}"#)
                == ["ports[1]: mistyped, expected an integer", "ports[2]: mistyped, expected an integer"])
        #expect(
            try strictFailures(Configuration.self, #"{"listen":"a","upstreams":[{"url":[],"ur":1}]}"#)
                == [
                    "upstreams[0].ur: unknownKey, expected \"url\"", "upstreams[0].url: mistyped, expected a string",
                ])
    }

    @Test(
        "The nearest name is found despite swapped, missing, wrong and upper-case letters",
        arguments: [
            ("listne", "listen"), ("LISTEN", "listen"), ("upstream", "upstreams"), ("prot", "port"),
            ("lisen", "listen"), ("", nil), ("qqqqqq", nil), ("listenAddressOfTheServer", nil),
        ] as [(String, String?)])
    func nearestNames(name: String, nearest: String?) {
        #expect(NearestName.find(name, among: ["listen", "upstreams", "port"]) == nearest)
        #expect(NearestName.find(name, among: []) == nil)
    }
}
