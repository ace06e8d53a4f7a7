import API
import HTTPClient
import HTTPCore
import JSONText
import TestSupport
import Testing

@testable import Proxy

@Suite("Removing keys from upstreams' answers")
struct KeyScrubberTests {
    private static func scrubbed(_ text: String, _ key: String) -> String {
        var bytes = Array(text.utf8)
        _ = KeyScrubber([Secret(key)]).scrub(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "A form of the key becomes three asterisks, and nothing else changes",
        arguments: [
            ("s3cret-K", "a s3cret-K b", "a *** b"), ("s3cret-K", "S3CRET-K s3cret-k", "S3CRET-K s3cret-k"),
            ("s3cret-K", "s3cret-Ks3cret-K", "******"), ("s3cret-K", "s3cret-", "s3cret-"),
            ("s3cret-K", "s3cret-s3cret-K", "s3cret-***"),
            // Percent-encoding.
            ("s3cret-K", "%733cret%2dK! s3cret%2DK", "***! ***"),
            ("a/b+c=dd?", "a%2Fb%2bc%3Ddd? a%2Fb%2Bc%3Ddd%3F a/b+c=dd?", "*** *** ***"),
            ("a%2Fb%2B", "a%2Fb%2B a%252Fb%252B a/b+", "*** *** a/b+"),
            ("%25%25%25", "%25%25%25 %%% %2525%2525%2525", "*** %%% ***"),
            ("41abcdef", "%41abcdef 41abcdef", "%*** ***"),
            ("s3cret-K", "s3cret%2 s3cret% s3cret%2", "s3cret%2 s3cret% s3cret%2"),
            // Escapes of JSON.
            ("s3cret-K", #"\u00733cret\u002DK \u00733cret\u002"#, #"*** \u00733cret\u002"#),
            ("a/b+c=dd", #"a\/b+c=dd a\u002fb\u002bc\u003Ddd"#, "*** ***"),
            ("a&b\"c\\d.", #"a&b\"c\\d. a\u0026b\u0022c\u005cd."#, "*** ***"),
            // Character references of HTML.
            ("a&b<c>d'\"", "a&amp;b&lt;c&gt;d&#39;&quot; a&#38;b&#x3c;c&#X3E;d&apos;&#034;", "*** ***"),
            ("s3cret-K", "s3cret&#45;K s3cret&#0000045;K s3cret&#x2d;&#75;", "*** *** ***"),
            ("s3cret/K", "s3cret&#x2F;K s3cret&#47;K s3cret&#x2F", "*** *** s3cret&#x2F"),
            ("s3cret&K", "s3cret&ampK s3cret&#;K s3cret&#38K", "s3cret&ampK s3cret&#;K s3cret&#38K"),
            // One text with characters in several forms.
            ("a/b+c=d&e", #"a\/b%2Bc&#61;d&e a%2fb\u002bc=d&amp;e"#, "*** ***"),
            // Parts of escapes do not stay behind.
            ("nabcdefgh", #"["\nabcdefgh", "\\nabcdefgh", "\\\nabcdefgh"]"#, #"["***", "\\***", "\\***"]"#),
            ("041bcdefgh", #"["\u0041bcdefgh", "\\u0041bcdefgh"]"#, #"["***", "\\u0***"]"#),
            (#"abcdefgh\"#, #"["abcdefgh\"x","abcdefgh\\","abcdefgh\u0041"]"#, #"["***x","***","***"]"#),
            ("\\\\\\\\\\\\\\\\", #"\\\\\\\\"#, "***"),
        ])
    func forms(_ key: String, _ text: String, _ expected: String) {
        #expect(Self.scrubbed(text, key) == expected)
    }

    @Test("The base64 of a user and a password is removed as Basic authentication sends it")
    func basic() {
        let scrubber = KeyScrubber(Credentials.key(Secret("user:s3cret-K"), .basic).secrets)
        var bytes = Array(#"["user:s3cret-K","s3cret-K","Basic dXNlcjpzM2NyZXQtSw==","dXNlcjpzM2NyZXQtSw%3D%3D"]"#.utf8)
        let isFound = scrubber.scrub(&bytes)
        #expect(isFound)
        #expect(String(decoding: bytes, as: UTF8.self) == #"["***","***","Basic ***","***"]"#)
    }

    @Test(
        "A number that contains the key becomes null",
        arguments: [
            (#"{"a":12345678,"b":[12345678, 12345678 ],"c":1}"#, #"{"a":null,"b":[null, null ],"c":1}"#),
            (#"{"a":-9123456780.5e3}"#, #"{"a":null}"#),
            (#"{"12345678":"x12345678"}"#, #"{"***":"x***"}"#),
            // Not in a string.
            (#"["x 12345678 y","\"12345678 ",12345678 ]"#, #"["x *** y","\"*** ",null ]"#),
            ("12345678", "null"),
        ])
    func numbers(_ text: String, _ expected: String) {
        #expect(Self.scrubbed(text, "12345678") == expected)
    }

    @Test("A key of fewer than eight characters is removed from short texts only")
    func shortKeys() {
        #expect(Self.scrubbed("the rain-key", "rain-ke") == "the rain-key")
        let texts = [
            ("ab", "a ab b%61b", "a ** b***"),
            ("rain-ke", "a rain-ke b%72ain-ke", "a *** b***"), ("123", "bad key 123 in 123", "bad key *** in ***"),
        ]
        for (key, text, expected) in texts { #expect(KeyScrubber([Secret(key)]).scrubbed(text) == expected) }
        #expect(KeyScrubber([Secret("")]).scrubbed("text") == "text")
        #expect(KeyScrubber([]).scrubbed("text") == "text")
    }

    @Test("Several keys are removed, also where they overlap")
    func severalKeys() {
        let scrubber = KeyScrubber([Secret("abcdefgh"), Secret("efghijkl"), Secret("abcdefghi")])
        var bytes = Array("abcdefghijkl efghijkl abcdefghi abcdefgh".utf8)
        let isFound = scrubber.scrub(&bytes)
        #expect(isFound)
        #expect(String(decoding: bytes, as: UTF8.self) == "*** *** *** ***")
    }

    @Test("The fields and the body of a response have no key")
    func responses() {
        let link = #"<https://a/?max_id=s3cret-K>, <https://a/?x=s3cret%2DK>"#
        let headers = HeaderFields([("Link", link), ("Date", "today")])
        let response = IncomingResponse(status: 404, headers: headers, body: Array("s3cret%2DK".utf8))
        let scrubber = KeyScrubber([Secret("s3cret-K")])
        let scrubbed = scrubber.scrubbed(response)
        #expect(scrubbed?.status == 404)
        #expect(scrubbed?.headers.pairs.map(\.value) == ["<https://a/?max_id=***>, <https://a/?x=***>", "today"])
        #expect(scrubbed?.body == Array("***".utf8))
    }

    @Test("A search in a document of escapes ends when its time is over")
    func expiry() {
        let response = IncomingResponse(body: Array(String(repeating: "%41", count: 1_000_000).utf8))
        let scrubber = KeyScrubber([Secret(String(repeating: "A", count: 4096))])
        var looks = 0
        let isExpired = {
            looks += 1
            return looks == 3
        }
        #expect(scrubber.scrubbed(response, isExpired: isExpired) == nil)
        #expect(looks == 3)
    }

    @Test("Documents stay valid, and no random form of a random key stays in them")
    func randomDocuments() throws {
        var random = SplitMix64(seed: 7)
        let letters = Array(0x21...0x7E as ClosedRange<UInt8>)
        for _ in 0..<1000 {
            let key = (0..<Int.random(in: 8...40, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0x41
            }
            let text = String(decoding: key, as: UTF8.self)
            let written = key.map { Self.written($0, &random) }.joined()
            let filler = ["", "x", "\\n", "\\\\", "\\u00e9", "é"].randomElement(using: &random) ?? ""
            let document =
                #"{"\#(filler)\#(written)\#(filler)":["\#(written)",12,"\#(filler)"],"b":"\#(written)\#(written)"}"#
            var bytes = Array(document.utf8)
            _ = KeyScrubber([Secret(text)]).scrub(&bytes)
            let found = String(decoding: bytes, as: UTF8.self)
            #expect(!found.contains(written), "\(text): \(document) -> \(found)")
            var parser = JSONParser()
            let count = try parser.withDocument(bytes) { root in root.members.reduce(0) { sum, _ in sum + 1 } }
            #expect(count == 2, "\(text): \(document) -> \(found)")
        }
    }

    /// A random form of a character, as content of a JSON string.
    private static func written(_ byte: UInt8, _ random: inout SplitMix64) -> String {
        func hexadecimal(_ digits: Int) -> String {
            let text = String(byte, radix: 16, uppercase: Bool.random(using: &random))
            return String(repeating: "0", count: digits - text.utf8.count) + text
        }
        let plain = String(Unicode.Scalar(byte))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "%" + hexadecimal(2)
        case 1: return "\\u" + hexadecimal(4)
        case 2: return "&#\(byte);"
        case 3: return "&#x\(hexadecimal(2));"
        case 4 where plain == "/": return "\\/"
        default: break
        }
        return switch plain {
        case "\"", "\\": "\\" + plain
        case "%": "%25"
        case "&": "&amp;"
        default: plain
        }
    }

    @Test(
        "A document made of keys takes linear time",
        arguments: ["12345678", "\\\\\\\\\\\\\\\\", "aaaaaaaa", "%%%%%%%%"])
    func linear(_ key: String) {
        let scrubber = KeyScrubber([Secret(key)])
        // Quadratic work would take hours.
        for text in [key, key + "0", "x" + key, key.prefix(7) + "y"] {
            var bytes = Array(String(repeating: text, count: 3000).utf8)
            bytes.append(UInt8(ascii: "z"))
            _ = scrubber.scrub(&bytes)
            #expect(bytes.count < 30_000)
        }
    }

    @Test("A document without the key is not changed", arguments: ["darkSky", "twitter"])
    func otherDocuments(_ name: String) throws {
        let files = try Checkout.names(in: "Config/samples/\(name)").filter { $0.hasSuffix(".json") }
        #expect(!files.isEmpty)
        for file in files {
            let bytes = try Checkout.read("\(Checkout.root)/Config/samples/\(name)/\(file)")
            var copy = bytes
            let isFound = KeyScrubber([Secret("0123456789abcdef0123456789abcdef")]).scrub(&copy)
            #expect(!isFound && copy == bytes, "\(file)")
        }
    }
}
