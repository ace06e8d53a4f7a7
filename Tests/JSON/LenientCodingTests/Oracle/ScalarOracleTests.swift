import Foundation
import LenientCoding
import TestSupport
import Testing

/// Scalars, dates and keys are read as by Foundation's decoder, whatever the document says.
@Suite("Comparison of scalars with Foundation's decoder")
struct ScalarOracleTests {
    private static let dates = [
        "2016-03-28T14:39:13Z", "2016-03-28", "2016-03-28 14:39:13Z", "2016-03-28T24:00:00Z", "2016-03-28t14:39:13z",
        "2016-03-28T14:39:13.5Z", "2016-03-28T14:39:13+01:00", "2016-03-28T14:39:13+0100", "2016-03-28T14:39:13-23:59",
        "2016-03-28T14:39:13", "2016-03-28T14:39Z", "20160328T143913Z", "2016-02-30T14:39:13Z", "2016-12-31T23:59:60Z",
        "1599-12-31T00:00:00Z", "1600-01-01T00:00:00Z", "1582-10-10T00:00:00Z", "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z", "2016-03-28T14:39:13ZZ", "2016-03-28T14:39:13GMT+1", "2000-02-29T00:00:00.123456789Z",
        "2016-03-28T14:39:13+24:00", "2016-03-28T14:39:13+00:60",
    ]
    private static let numbers = [
        "0", "-0", "1", "-1", "0.1", "1.5e3", "1e-400", "5e-324", "1e308", "1.8e308", "9007199254740993", "1e39",
        "3.4e38",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "-9223372036854775808", "255", "256",
        "127.0",
        "0.12345678901234567890123456789012345678", "12345678901234567890.12345678", "1e127", "1e128", "1e-128",
        "1e-129",
        "123456789012345678901234567890123456789012345", "true", "null", "\"1\"", "[]", "{}", "1.0000000000000000001",
        "99999999999999999999999999999999999999e90", "-1E+5", "0.0e5", "100e-2",
    ]
    private static let texts = [
        "\"\"", #""a""#, #""http://a/b?c=d#e""#, #""a b""#, #""%zz""#, #""http://[""#, #""AQID""#, #""AQ==""#, #""AQ""#,
        #""A Q=""#,
        #""AQ==\n""#, #""\ud800""#, #""\udc00a""#, #""\ud83d\ude00""#, #""é""#, #""\u0000""#, "1", "null", "[1,2]",
        "{}",
    ]

    private static var count: Int {
        ProcessInfo.processInfo.environment["WEIR_ORACLE_MUTATIONS"].flatMap(Int.init).map { $0 / 10 } ?? 2000
    }

    /// The damaged forms of each text.
    private func damaged(_ texts: [String], isString: Bool = false) -> [String] {
        var all = texts
        for number in 0..<Self.count {
            var mutation = Mutation(seed: UInt64(number))
            let bytes = mutation.damaged(Array(texts[number % texts.count].utf8))
            all.append(String(decoding: bytes, as: UTF8.self))
        }
        return isString ? all.map { "\"\($0)\"" } : all
    }

    private func compare<Value: Decodable & Equatable>(
        _ type: Value.Type, _ texts: [String], _ configure: (inout LenientDecoder, JSONDecoder) -> Void = { _, _ in },
        except isIntended: (String) -> Bool = { _ in false }
    ) {
        var decoder = LenientDecoder()
        let foundation = JSONDecoder()
        configure(&decoder, foundation)
        for text in texts {
            let ours = try? decoder.decode([Value].self, from: Array("[\(text)]".utf8))
            let theirs = try? foundation.decode([Value].self, from: Data("[\(text)]".utf8))
            guard ours != theirs, !isIntended(text) else { continue }
            // The syntax is the other test's subject.
            if ours == nil, (try? decoder.decode(JSONValue.self, from: Array("[\(text)]".utf8))) == nil { continue }
            Issue.record(
                "\(type) of \(text): ours \(String(describing: ours)), Foundation's \(String(describing: theirs))")
        }
    }

    @Test("Dates in ISO 8601 are the same with both decoders")
    func iso8601() {
        compare(Date.self, damaged(Self.dates, isString: true)) {
            $0.dateDecodingStrategy = .iso8601
            $1.dateDecodingStrategy = .iso8601
        }
    }

    @Test("Numbers of every type are the same with both decoders")
    func numbers() {
        // The table of intended differences has zeros with an exponent, and integers with a fraction or an exponent.
        let texts = damaged(Self.numbers).filter { !Self.isZeroWithExponent($0) }
        compare(Double.self, texts)
        compare(Float.self, texts)
        compare(Decimal.self, texts)
        compare(Bool.self, texts)
        compare(Date.self, texts)
        compare(Date.self, texts) {
            $0.dateDecodingStrategy = .millisecondsSince1970
            $1.dateDecodingStrategy = .millisecondsSince1970
        }
        func isFraction(_ text: String) -> Bool { text.contains { ".eE".contains($0) } }
        compare(Int.self, texts, except: isFraction)
        compare(UInt64.self, texts, except: isFraction)
        compare(Int8.self, texts, except: isFraction)
        compare(UInt128.self, texts, except: isFraction)
    }

    private static func isZeroWithExponent(_ text: String) -> Bool {
        text.contains { "eE".contains($0) } && !text.prefix { !"eE".contains($0) }.contains { "123456789".contains($0) }
    }

    @Test("Infinities and NaN are read from the same strings")
    func nonConformingFloats() {
        let texts = [#""inf""#, #""-inf""#, #""nan""#, #""\u006ean""#, #""NaN""#, "1", "null", "1e400"]
        compare(Float.self, texts.filter { !$0.contains("an\"") }) {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            $1.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        compare(NotANumber.self, texts) {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            $1.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
    }

    /// A double by its bits, because NaN equals nothing.
    private struct NotANumber: Decodable, Equatable {
        var description: String
        init(from decoder: any Decoder) throws { description = "\(try Double(from: decoder))" }
    }

    @Test("Strings, URLs and data are the same with both decoders")
    func texts() {
        let texts = damaged(Self.texts)
        compare(String.self, texts)
        compare(URL.self, texts)
        compare(Data.self, texts)
        let strategy: (inout LenientDecoder, JSONDecoder) -> Void = {
            $0.dataDecodingStrategy = .deferredToData
            $1.dataDecodingStrategy = .deferredToData
        }
        compare(Data.self, texts, strategy) { $0.contains { ".eE".contains($0) } }
        compare(UUID.self, texts)
        compare(Float16.self, texts)
    }
}
