import EventLoop
import TestSupport
import Testing

@testable import Gateway

@Suite("When the service's certificate is valid")
struct CertificateFlawTests {
    @Test("A certificate has a flaw before its first and after its last moment")
    func moments() throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        let context = try TLSContext(
            certificate: Checkout.read(certificates.path("cert.pem")), key: Checkout.read(certificates.path("cert.key"))
        )
        let (from, until) = context.validity
        #expect(until - from == 30 * 86_400)
        #expect(context.flaw(at: from) == nil)
        #expect(context.flaw(at: until) == nil)
        #expect(context.flaw(at: from - 1)?.hasPrefix("is not valid before 2") == true)
        #expect(context.flaw(at: until + 1)?.hasPrefix("has expired at 2") == true)
    }
}
