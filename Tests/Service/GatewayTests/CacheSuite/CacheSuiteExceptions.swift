/// Why tests of the suite do not pass.
enum CacheSuiteExceptions {
    /// A reason for each test of the groups that a cache of documents can pass.
    static let tests: [(ids: [String], reason: String)] = [
        (
            ["freshness-max-age-two-stale-fresh-sameline", "freshness-max-age-two-stale-fresh-sepline"],
            "Of a directive that occurs twice the first one counts (RFC 9111 §4.2.1)."
        ),
        (
            ["freshness-max-age-space-before-equals", "freshness-max-age-space-after-equals"],
            "Spaces around `=` are ignored, because the lifetime is clear."
        ),
        (
            [
                "freshness-max-age-decimal-zero", "freshness-max-age-decimal-five", "freshness-max-age-a100",
                "freshness-max-age-100a",
            ], "A lifetime that is no number means stale (RFC 9111 §4.2.1)."
        ),
        (
            ["age-parse-parameter", "age-parse-numeric-parameter"],
            "An Age that is no number counts as none (RFC 9111 §5.1)."
        ),
        (
            ["freshness-max-age-date"],
            "A Date that is more than a minute before the request and the Age shows a clock that differs, and no age."
        ),
        (
            ["freshness-expires-invalid-utc"],
            "`UTC` and `+0000` are read as GMT, because Dark Sky and Twitter send them in dates."
        ),
        (
            [
                "headers-omit-headers-listed-in-Cache-Control-no-cache-single",
                "headers-omit-headers-listed-in-Cache-Control-no-cache",
            ], "`no-cache` with the names of fields counts as `no-cache` without them (RFC 9111 §5.2.2.4)."
        ),
        (["stale-warning-stored", "stale-warning-become"], "Warning is obsolete (RFC 9111 §5.5)."),
        (
            [
                "heuristic-501-cached", "heuristic-599-cached", "status-500-fresh", "status-502-fresh",
                "status-503-fresh", "status-504-fresh", "status-599-fresh",
            ],
            "A failure of the upstream is not stored: the next request tries again, and a stale document goes before a failure."
        ),
        (
            ["heuristic-delta-5", "heuristic-delta-10", "heuristic-delta-30"],
            "A tenth of the time since Last-Modified is over when the test asks again after 3 seconds."
        ),
        (
            ["vary-normalise-lang-order", "vary-normalise-lang-case", "vary-normalise-lang-select"],
            "Languages are compared as they are written: the upstream gets the same ones for one document."
        ),
        (
            ["conditional-lm-fresh-no-lm"],
            "Without Last-Modified the document can have changed since any time."
        ),
        (
            [
                "conditional-etag-strong-respond-obs-text", "conditional-etag-quoted-respond-unquoted",
                "conditional-etag-unquoted-respond-unquoted", "conditional-etag-unquoted-respond-quoted",
                "conditional-etag-weak-respond-lowercase", "conditional-etag-weak-respond-backslash",
                "conditional-etag-weak-respond-omit-slash", "conditional-etag-strong-generate-unquoted",
            ], "The value is no entity tag of ASCII characters (RFC 9110 §8.8.3), so it is ignored."
        ),
        (
            ["conditional-etag-vary-headers-mismatch"],
            "The conditions are those of the stored response that the request selects."
        ),
        (
            ["conditional-etag-forward", "conditional-etag-forward-unquoted"],
            "A client's conditions are about the answers of this service, so the upstream does not get them."
        ),
        (
            [
                "304-etag-update-response-Content-Encoding", "304-etag-update-response-Content-Range",
                "304-etag-update-response-Content-Type",
            ], "The field describes the stored content, which a 304 does not change (RFC 9111 §3.2)."
        ),
        (
            ["304-etag-update-response-ETag"],
            "A 304 with another tag is about another version (RFC 9111 §4.3.4): the upstream is asked again without it."
        ),
    ]

    /// A reason for each of the other groups in which a test does not pass.
    static let groups: [(id: String, reason: String)] = [
        ("method", "A POST is not answered from the cache."),
        ("cc-request", "`no-store` of a client does not concern what is stored already (RFC 9111 §5.2.1.5)."),
        ("headers", ""),
        ("updateHEAD", "HEAD is answered from the document of GET; the upstream gets no HEAD."),
        ("invalidation", "The service changes nothing at an upstream, so nothing is invalidated."),
        ("partial", "Documents are answered whole; Range is ignored."),
        ("cdn-cache-control", "CDN-Cache-Control (RFC 9213) is for networks of caches, and is ignored."),
        ("interim", "Interim responses of an upstream are dropped."),
    ]
}
