import HTTPCore
import Testing

struct AcceptEncodingTests {
    private static func preferred(_ lines: [String]) -> ContentCoding? {
        AcceptEncoding(HeaderFields(lines.map { ("Accept-Encoding", $0) })).preferred
    }

    @Test(arguments: [
        ["gzip"], ["GZip"], ["x-gzip"], ["gzip;q=1"], ["gzip;q=1.000"], ["gzip;q=0.001"], ["gzip ; q=0.5"],
        ["gzip;Q=1"],
        ["gzip;a=b;q=1"], ["deflate, gzip;q=1.0, *;q=0.5"], ["br;q=0.9", "gzip"], [",,gzip,"], ["*"], ["*;q=0.1"],
        ["gzip, identity"], ["gzip;q=0.5, identity;q=0.5"], ["identity;q=0, *"], ["identity;q=0.2, *;q=0.3"],
        ["gzip;q=0.5, *;q=0.4"], ["compress;q=0.5, gzip;q=1.0"],
    ])
    func gzipIsUsedUnlessTheClientPrefersAnotherCoding(_ lines: [String]) { #expect(Self.preferred(lines) == .gzip) }

    @Test(arguments: [
        ["br"], ["gzip, br"], ["gzip, deflate, br, zstd"], ["gzip;q=0.5, br;q=0.5, identity;q=0.5"], ["br;q=0.1"],
        ["BR", "*"],
    ])
    func brotliIsUsedIfItIsNamedAndWeighsAsMuch(_ lines: [String]) { #expect(Self.preferred(lines) == .brotli) }

    @Test(arguments: [
        [], [""], [","], ["identity"], ["gzip;q=0"], ["br;q=0"], ["gzip;q=0.000"], ["*;q=0"], ["gzip;q=0, *;q=1"],
        ["gzip;q=0.4, identity;q=0.5"], ["gzip;q=0.3, *;q=0.4"], ["gzip;q="], ["gzip;q=x"], ["gzip;q=2"],
        ["gzip;q=1.001"], ["gzip;q=0.1234"], ["gzip;q=-1"], ["gzip;q=.5"], ["gzi"], ["gzipp"],
        ["\"gzip\""],
    ])
    func otherwiseTheBodyIsNotCompressed(_ lines: [String]) { #expect(Self.preferred(lines) == nil) }
}
