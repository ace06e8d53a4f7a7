import HTTPClient
import HTTPCore
import JSONText
import TestSupport
import Testing

@testable import Gateway

@Suite("Removing keys from upstreams' answers")
struct KeyScrubberTests {
    private static func scrubbed(_ text: String, _ key: String) -> String {
        var bytes = Array(text.utf8)
        _ = KeyScrubber([Secret(key)]).scrub(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "A spelling of the key becomes three asterisks, and nothing else changes",
        arguments: [
            ("s3cret-K", "a s3cret-K b", "a *** b"), ("s3cret-K", "S3CRET-k", "***"),
            ("s3cret-K", "s3cret-Ks3cret-K", "******"), ("s3cret-K", "s3cret-", "s3cret-"),
            ("s3cret-K", "s3cret-s3cret-K", "s3cret-***"), ("s3cret-K", "%733cret%2dK!", "***!"),
            ("s3cret-K", "%25733cret%25252dK", "***"), ("s3cret-K", #"\u00733cret\u002DK"#, "***"),
            ("s3cret-K", #"\u0025733cret-K"#, "***"), ("s3cret-K", "%\\u0037\\u00333cret-K", "***"),
            ("s3cret-K", "s3cret&#45;K s3cret&#x2d;&#75;", "*** ***"),
            ("s3cret-K", "s3cret&#0000000045;K s3cret&#X0002D;K s3cret&#45K", "*** *** ***"),
            // Tags of HTML, as in the links of Mastodon.
            ("s3cret-K", #"<p>s3<b class=\"x\">cret</b>-K</p> s3cr<!-- -->et-<wbr/>K"#, "<p>***</p> ***"),
            ("s3cret-K", #"<span>s3c\u003c/span\u003e\u003cspan class=\"y\"\u003e%72et-</span>K"#, "<span>***"),
            ("s3cret-K", "s3c<ret-K s3cr<b", "s3c<ret-K s3cr<b"),
            ("s3cret-K", #"s3cr<b","et-K>et-K"#, #"s3cr<b","et-K>et-K"#),
            ("a/b+c=dd", #"a\/b+c=dd a%2Fb%2bc%3Ddd a/b c=dd a%2fb+c=dd"#, "*** *** *** ***"),
            ("a%2Fb%2B", "a%2fb%2b a/b+ a%252Fb%252B", "*** a/b+ ***"),
            ("a%2Fb%2Bcdef", "x a/b+cdef a/b cdef", "x *** ***"),
            ("a&b\"c\\d.", #"a&amp;b\"c\\d. a&b&quot;c\\d. a\u0026amp;b\u0022c\u005cd."#, "*** *** ***"),
            ("%25%25%25", "%25%25%25 %%% %2525%2525%2525", "*** %%% ***"),
            ("41abcdef", "%41abcdef 41abcdef", "%*** ***"), ("\\\\\\\\\\\\\\\\", #"\\\\\\\\\\\\\\\\"#, "***"),
            // JSON in a string of JSON.
            ("a/b+c=dd", #"a\\\/b+c=dd a\\/b\\u002Bc=dd a\u005cu002fb\u002bc\\u003ddd"#, "*** *** ***"),
            ("a&b\"cdef.", #"a&b\\\"cdef. a\\u0026amp;b\\u0022cdef."#, "*** ***"),
            ("s3cret-K", #"\\u00733cret\\u002DK \\u0025733cret-K %\\u0037\u00333cret-K"#, "*** *** ***"),
            // Parts of escapes do not stay behind.
            ("nabcdefgh", #"["\nabcdefgh", "\\nabcdefgh", "\\\nabcdefgh"]"#, #"["***", "\\***", "\\***"]"#),
            ("041bcdefgh", #"["\u0041bcdefgh", "\\u0041bcdefgh"]"#, #"["***", "\\u0***"]"#),
            (#"abcdefgh\"#, #"["abcdefgh\"x","abcdefgh\\","abcdefgh\u0041"]"#, #"["***x","***","***"]"#),
            // Base64 of the key, alone or with a user before it or after it.
            ("s3cret-K", "czNjcmV0LUs=", "***s="), ("s3cret-K", "dTpzM2NyZXQtSw==", "dTp***w=="),
            ("s3cret-K", "dXM6czNjcmV0LUs=", "dXM6***s="), ("s3cret-K", "czNjcmV0LUs6", "***s6"),
        ])
    func spellings(_ key: String, _ text: String, _ expected: String) {
        #expect(Self.scrubbed(text, key) == expected)
    }

    @Test(
        "Tags within the key end where the reader of HTML ends them",
        arguments: [
            "<!-- a > b -->", "<!-->", "<!-- <b> -->", #"<!-- \"x\" --\u003e"#, "<script>x = 1 > 0</script>",
            "<SCRIPT>x</Script >",
            "<style>b { }</style>", #"<script src=\"a\">if (a<b) \"c\"</script>"#, "<script>", "<script>x</script",
            String(repeating: "<b>", count: 1000), String(repeating: "<!---->", count: 1000), "<b <i>",
            "<!doctype <i>", "<a title='\(String(repeating: "x", count: 100_000))'>",
            "<!-- \(String(repeating: "> ", count: 100_000))-->", #"\u003cscript\u003ex\u003c\/script\u003e"#,
        ])
    func markup(_ tags: String) {
        let isWhole = tags.hasSuffix(">") || tags.hasSuffix("u003e")
        for text in ["s3c\(tags)ret-K", "%733c\(tags)r\(tags)et-K"] {
            let scrubbed = Self.scrubbed(#"["x \#(text) y"]"#, "s3cret-K")
            // The tag that does not end is text.
            #expect((scrubbed == #"["x *** y"]"#) == isWhole, "\(scrubbed.prefix(200))")
        }
        #expect(Self.scrubbed(#"["s3c\#(tags)","ret-K"]"#, "s3cret-K") == #"["s3c\#(tags)","ret-K"]"#)
    }

    @Test(
        "A document made of tags takes linear time",
        arguments: [
            "<", "<b>", "<a", "<a ", "<!--", "<!---->", "<script>", "<script></script", "<script></script>", "<style>x",
            "a<b>", "<b x='y'>", #"\u003cb\u003e"#, #"\u003cb"#,
        ])
    func linearMarkup(_ text: String) {
        // Quadratic work would take hours.
        var bytes = Array(String(repeating: text, count: 400_000 / text.utf8.count).utf8)
        #expect(!KeyScrubber([Secret("s3cret-K"), Secret("aaaaaaab")]).scrub(&bytes))
        // A run of tags and another one, for each place where the key may begin.
        bytes += Array((String(repeating: "<as", count: 400_000) + ">3<a>").utf8)
        #expect(!KeyScrubber([Secret("s3cret-K")]).scrub(&bytes))
    }

    @Test(
        "A number that contains the key becomes null",
        arguments: [
            (#"{"a":12345678,"b":[12345678, 12345678 ],"c":1}"#, #"{"a":null,"b":[null, null ],"c":1}"#),
            (#"{"a":-9123456780.5e3}"#, #"{"a":null}"#),
            // The same value in other digits, as some languages write it.
            ("[1.2345678E7,1.2345678e+7]", "[null,null]"), (#"["1.2345678e7","x1234567.8e1"]"#, #"["***","x***"]"#),
            // What is left around a key is one, too.
            (#"["x1.2345678E712345678"]"#, #"["x******"]"#),
            ("[0.0012345678e10,-1.23456780e7,1.23456785e007]", "[null,null,null]"),
            ("[1.2345678e0000007,1.2345678e+0000007,1234567800e-00000002]", "[null,null,null]"),
            ("[1.2345678e8,1.2345678e6,1.2345679e7,1.2345678e]", "[1.2345678e8,1.2345678e6,1.2345679e7,1.2345678e]"),
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
            ("ab", "a AB b%61b", "a ** b***"),
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
        // A quotation mark ends no text here.
        let link = #"<https://a/?max_id=S3CRET-k>, <https://a/?x=s3c<b class="x">ret-K</b>>"#
        let headers = HeaderFields([("Link", link), ("Date", "today")])
        let response = IncomingResponse(status: 404, headers: headers, body: Array("s3cret%2DK".utf8))
        let scrubber = KeyScrubber([Secret("s3cret-K")])
        let scrubbed = scrubber.scrubbed(response)
        #expect(scrubbed?.status == 404)
        #expect(scrubbed?.headers.pairs.map(\.value) == ["<https://a/?max_id=***>, <https://a/?x=***</b>>", "today"])
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

    @Test("Documents stay valid, and no random spelling of a random key stays in them")
    func randomDocuments() throws {
        var random = SplitMix64(seed: 7)
        let letters = Array(0x21...0x7E as ClosedRange<UInt8>)
        for _ in 0..<1000 {
            let key = (0..<Int.random(in: 8...40, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0x41
            }
            let text = String(decoding: key, as: UTF8.self)
            // A key that looks like an encoding of something else has other readings.
            if key.contains(where: { "%&\\".utf8.contains($0) }), Bool.random(using: &random) { continue }
            let spelled = key.map { Self.spell($0, in: text, &random) }.joined()
            let filler = ["", "x", "\\n", "\\\\", "\\u00e9", "é"].randomElement(using: &random) ?? ""
            let document =
                #"{"\#(filler)\#(spelled)\#(filler)":["\#(spelled)",12,"\#(filler)"],"b":"\#(spelled)\#(spelled)"}"#
            var bytes = Array(document.utf8)
            _ = KeyScrubber([Secret(text)]).scrub(&bytes)
            let found = String(decoding: bytes, as: UTF8.self)
            #expect(!found.contains(spelled), "\(text): \(document) -> \(found)")
            var parser = JSONParser()
            let count = try parser.withDocument(bytes) { root in root.members.reduce(0) { sum, _ in sum + 1 } }
            #expect(count == 2, "\(text): \(document) -> \(found)")
        }
    }

    /// A random spelling of a character, as content of a JSON string.
    private static func spell(_ byte: UInt8, in key: String, _ random: inout SplitMix64) -> String {
        func hexadecimal(_ digits: Int) -> String {
            let text = String(byte, radix: 16, uppercase: Bool.random(using: &random))
            return String(repeating: "0", count: digits - text.utf8.count) + text
        }
        let plain = String(Unicode.Scalar(byte))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return "%" + hexadecimal(2)
        case 1: return "\\u" + hexadecimal(4)
        case 2: return "%25" + hexadecimal(2)
        case 3: return "&#\(byte);"
        case 8 where !key.contains("\\"): return "\\\\u" + hexadecimal(4)
        case 4: return plain == "/" ? "\\/" : plain == "\"" || plain == "\\" ? "\\" + plain : plain.lowercased()
        default: return plain == "\"" || plain == "\\" ? "\\" + plain : plain
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
