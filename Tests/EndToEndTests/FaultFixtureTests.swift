import Foundation
import TestSupport
import Testing

/// Broken configurations, and the errors that they get.
@Suite("Faults of configurations", .timeLimit(.minutes(10)))
struct FaultFixtureTests {
    private static let folder = "\(Checkout.root)/Tests/Fixtures/faults"

    private static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?
        .filter { $0.hasSuffix(".json") }.sorted() ?? []

    @Test("Each fault of a configuration is named with its place and its cure")
    func faults() throws {
        #expect(Self.names.count >= 40)
        for name in Self.names {
            let expected = try Checkout.read("\(Self.folder)/\(name.dropLast("json".count))txt")
            let result = try WeirProcess.run(
                ["check", "--config", name], environment: ["WEIR_TEST_KEY": "test-key-0123"], in: Self.folder)
            #expect(result.status == 78, "\(name)")
            #expect(result.output.isEmpty, "\(name)")
            #expect(result.errors == String(decoding: expected, as: UTF8.self), "\(name)")
        }
    }
}
