import Operations
import API
import HTTPCore
import Records
import Testing

@testable import Gateway
@testable import Settings
@testable import Proxy

struct SecretTests {
    /// A type that holds secrets, as upstreams do.
    private struct Holder {
        let name = "holder"
        let secret: Secret
        let secrets: [Secret?]
    }

    @Test func aSecretDoesNotAppearInAnyDescription() {
        let secret = Secret("s3ntinel")
        let holder = Holder(secret: secret, secrets: [secret, nil])
        var dumped = ""
        dump(secret, to: &dumped)
        dump(holder, to: &dumped)
        let texts = [
            "\(secret)", secret.description, secret.debugDescription, String(describing: secret),
            String(reflecting: secret), "\(Optional(secret) as Any)", "\([secret])", "\(["a": secret])", "\(holder)",
            String(reflecting: holder), "\(Mirror(reflecting: secret).children.map { "\($0)" })", dumped,
        ]
        for text in texts { #expect(!text.contains("s3ntinel"), "\(text)") }
        #expect("\(secret)" == "***")
    }

    @Test func aSecretIsExposedOnRequest() {
        let secret = Secret("s3ntinel").map { "\($0)!" }
        #expect(secret.withExposedText { $0 } == "s3ntinel!")
    }

    @Test func anUpstreamsDescriptionDoesNotContainItsKey() {
        var configuration = UpstreamConfiguration()
        configuration.name = "sample"
        let upstream = Upstream(
            configuration, baseURL: "http://host.invalid/", credentials: .key(Secret("s3ntinel"), .path), log: Log())
        var text = "\(upstream)" + String(reflecting: upstream)
        dump(upstream, to: &text)
        #expect(text.contains("host.invalid"))
        #expect(!text.contains("s3ntinel"))
        #expect(upstream.address.baseURL == "http://host.invalid")
    }
}
