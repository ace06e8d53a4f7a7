import Foundation
@testable import HTTPCore
import TestSupport
import Testing

@Suite("OAuth 1.0a")
struct OAuth1Tests {
    private static func credentials(
        _ consumerSecret: String, _ tokenSecret: String, key: String = "key", token: String = "token"
    ) -> OAuth1 {
        OAuth1(
            consumerKey: Secret(key), consumerSecret: Secret(consumerSecret), token: Secret(token),
            tokenSecret: Secret(tokenSecret))
    }

    private static func protocolParameters(
        key: String, nonce: String, timestamp: Int, token: String
    ) -> [(String, String)] {
        [
            ("oauth_consumer_key", key), ("oauth_token", token), ("oauth_signature_method", "HMAC-SHA1"),
            ("oauth_timestamp", "\(timestamp)"), ("oauth_nonce", nonce),
        ]
    }

    @Test("The base string is that of RFC 5849 §3.4.1.1")
    func baseString() {
        let parameters = Self.protocolParameters(
            key: "9djdj82h48djs9d2", nonce: "7d8f3e4a", timestamp: 137_131_201, token: "kkk9d7dh3k39sjv7")
        let text = OAuth1.baseString(
            method: "POST", url: "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b",
            parameters: parameters + [("c2", ""), ("a3", "2 q")])
        #expect(
            text == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D"
                + "%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a"
                + "%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201"
                + "%26oauth_token%3Dkkk9d7dh3k39sjv7")
    }

    @Test("The signature is that of RFC 5849 §1.2")
    func signature() {
        let signature = Self.credentials("kd94hf93k423kf44", "pfkkdhi9sl3r4s00").signature(
            method: "GET", url: "http://photos.example.net/photos?file=vacation.jpg&size=original",
            parameters: Self.protocolParameters(
                key: "dpf43f3p2l4k3l03", nonce: "chapoH", timestamp: 137_131_202, token: "nnch734d00sl2jdk"))
        #expect(signature == "MdpQcU8iPSUjWoN/UDMsK2sui9I=")
    }

    @Test("The signature is that of Twitter's document \"Creating a signature\"")
    func twitter() {
        let (key, token) = ("xvz1evFS4wEEPTGEFPHBog", "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb")
        let parameters =
            Self.protocolParameters(
                key: key, nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: 1_318_622_958, token: token)
            + [("oauth_version", "1.0"), ("status", "Hello Ladies + Gentlemen, a signed OAuth request!")]
        let credentials = Self.credentials(
            "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw", "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")
        let signature = credentials.signature(
            method: "POST", url: "https://api.twitter.com/1.1/statuses/update.json?include_entities=true",
            parameters: parameters)
        #expect(signature == "hCtSmYh+iHYCEqBWrE7C7hYmtUk=")
    }

    @Test(
        "The base URI is that of RFC 5849 §3.4.1.2",
        arguments: [
            ("http://EXAMPLE.COM:80/r%20v/X?id=123", "http://example.com/r%20v/X"),
            ("https://www.example.net:8080/?q=1", "https://www.example.net:8080/"),
            ("HTTPS://Example.com:443?q=1", "https://example.com/"), ("http://[::1]:80/a", "http://[::1]/a"),
            ("https://example.com:80", "https://example.com:80/"), ("http://a:8080/b#c", "http://a:8080/b"),
        ])
    func baseURI(_ url: String, _ expected: String) {
        let part = OAuth1.baseString(method: "GET", url: url, parameters: []).split(separator: "&")[1]
        #expect(PercentCoding.decodeLeniently(part) == expected)
    }

    @Test("The header field has all parameters, encoded, and none of the secrets")
    func header() {
        let credentials = Self.credentials("s3cret-c", "s3cret-t", key: "k\"e,y", token: "t k%")
        let header = credentials.authorization(url: "https://a/1.1/x.json?id=1", nonce: "n", timestamp: 7)
        #expect("\(header)" == "***")
        header.withExposedText { text in
            let start = #"OAuth oauth_consumer_key="k%22e%2Cy", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", "#
            #expect(text.hasPrefix(start + #"oauth_timestamp="7", oauth_token="t%20k%25", oauth_version="1.0", "#))
            #expect(text.contains(/oauth_signature="[A-Za-z0-9%]+%3D"$/))
            #expect(!text.contains("s3cret"))
        }
    }

    @Test("Nonces are 32 hexadecimal digits and do not repeat")
    func nonces() {
        let nonces = Set((0..<1000).map { _ in OAuth1.nonce() })
        #expect(nonces.count == 1000)
        #expect(nonces.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
    }

    /// A program that signs the requests in the JSON of its argument, one signature per line.
    private static let program = """
        import json, sys
        from urllib.parse import quote
        from oauthlib.oauth1 import Client
        for r in json.load(open(sys.argv[1])):
            client = Client(r["key"], client_secret=r["secret"], resource_owner_key=r["token"],
                resource_owner_secret=r["tokenSecret"], nonce=r["nonce"], timestamp=r["timestamp"])
            _, headers, _ = client.sign(r["url"])
            print(headers["Authorization"])
        """

    private static let python = Tool.python(with: "oauthlib.oauth1")

    @Test(
        "Header fields have the parameters and the signature of oauthlib, for random requests",
        .enabled(if: python != nil, "there is no python3 with oauthlib"))
    func oauthlib() throws {
        let python = try #require(Self.python)
        var random = SplitMix64(seed: 5849)
        func text(_ letters: String, upTo longest: Int) -> String {
            let count = Int.random(in: 1...longest, using: &random)
            return String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
        }
        let any = " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~é€\u{1F600}"
        // oauthlib accepts only these.
        let word = "ABCxyz0189-_."
        let requests = (0..<300).map { index in
            let query = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                let pair = (text("abA=&", upTo: 2), text(any, upTo: 12))
                return "\(PercentCoding.encode(pair.0))=\(PercentCoding.encode(pair.1))"
            }
            let origin = ["http://Example.com:80", "https://api.example", "http://127.0.0.1:8080"][index % 3]
            return [
                "url": "\(origin)/1.1/\(PercentCoding.encode(text(any, upTo: 9)))?\(query.joined(separator: "&"))",
                "key": text(word, upTo: 40), "secret": text(any, upTo: 40), "token": text(word, upTo: 40),
                "tokenSecret": text(any, upTo: 40), "nonce": text(word, upTo: 40),
                "timestamp": "\(Int.random(in: 1...2_000_000_000, using: &random))",
            ]
        }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let input = try folder.write(JSONEncoder().encode(requests), to: "requests.json")
        let result = try Tool.run([python, "-c", Self.program, input])
        try #require(result.status == 0, "\(result.errors)")
        let expected = result.text.split(separator: "\n")
        #expect(expected.count == requests.count)
        for (request, expected) in zip(requests, expected) {
            func value(_ name: String) -> String { request[name] ?? "" }
            let header = Self.credentials(
                value("secret"), value("tokenSecret"), key: value("key"), token: value("token")
            ).authorization(url: value("url"), nonce: value("nonce"), timestamp: Int(value("timestamp")) ?? 0)
            let parameters = header.withExposedText { Self.parameters($0) }
            #expect(parameters == Self.parameters(expected), "\(request)")
        }
    }

    /// Returns the parameters of a header field, sorted.
    private static func parameters(_ header: some StringProtocol) -> [String] {
        header.dropFirst("OAuth ".count).split(separator: ", ").map { String($0) }.sorted()
    }
}
