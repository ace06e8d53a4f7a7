/// A kind of requests, which upstreams count separately.
///
/// Kinds come from Weir itself and from the configuration, never from a client or an upstream, so their number is bounded.
package struct RequestKind: Hashable, Sendable {
    /// The name in metrics, in the log, in the quota file and in the setting `quota.weights`.
    package let name: String

    package init(_ name: String) { self.name = name }

    package static let forecast = RequestKind("forecast")
    package static let tweet = RequestKind("tweet")
    package static let timeline = RequestKind("timeline")
    package static let search = RequestKind("search")
    package static let lookup = RequestKind("lookup")
    /// A forecast of another time, which may come from other servers of the upstream.
    package static let history = RequestKind("history")
    /// A request of Weir itself, which shows whether the upstream answers.
    package static let probe = RequestKind("probe")

    /// The kinds that need no configuration, in their order in metrics.
    package static let builtIn: [RequestKind] = [.forecast, .tweet, .timeline, .search, .lookup, .history, .probe]

    /// The kind whose weight in a quota this kind has.
    var weighed: RequestKind { self == .history ? .forecast : self }
}

extension RequestKind: Comparable {
    /// Returns whether `left` comes before `right` in metrics: the built-in kinds first, then the others by name.
    package static func < (left: RequestKind, right: RequestKind) -> Bool {
        (left.rank, left.name) < (right.rank, right.name)
    }

    private var rank: Int { Self.builtIn.firstIndex(of: self) ?? Self.builtIn.count }
}

extension RequestKind {
    /// The longest name of a kind that is read from a file, in bytes.
    private static let longestSavedName = 100

    /// The kind of this name, as the quota file of any version may have it; nil for a text that is no name.
    init?(saved name: String) {
        guard 1...Self.longestSavedName ~= name.utf8.count, name.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return nil
        }
        self.init(name)
    }
}
