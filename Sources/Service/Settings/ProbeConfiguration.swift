import HTTPCore
package import Records

/// The request that shows whether an upstream answers and takes its key.
package struct ProbeConfiguration: Record {
    package var path: String?
    package var everySeconds = 0

    package init() {}

    package static let schema = Schema<ProbeConfiguration>(.exact, .defaulted) {
        Field(
            \.path, .takes("a path, with a query if need be", orElse: "`baseURL` itself"),
            .example(#""/status?brief=1""#),
            .note(
                "The target that `weir check --probe` and the service's own probes GET, after `baseURL`. `{key}` stands "
                    + "for a key in the path. Choose an answer that is cheap and needs the key."))
        Field(
            \.everySeconds, .plausible(0...86_400), .example("300"),
            .note(
                "The time without a request after which the service asks the upstream itself, so that "
                    + "[`/healthz`](operating.md#state-of-the-service) and the log show a standby that would fail. "
                    + "Such a request counts in the quota. 0 turns them off."))
    }

    /// The fault of the path; nil for a path that can be asked.
    ///
    /// The path is not quoted, because it could have a key.
    package var pathFault: String? {
        guard let path else { return nil }
        guard path.first == "/", path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            return "must start with / and have neither spaces nor a fragment"
        }
        let decoded = PercentCoding.decodeLeniently(String(path.prefix { $0 != "?" }))
        return DotSegments.arePresent(in: decoded) ? "must not have . or .. in its path" : nil
    }
}
