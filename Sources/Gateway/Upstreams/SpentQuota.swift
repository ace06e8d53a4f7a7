/// What is known of an upstream that has no requests left.
struct SpentQuota: Sendable, Equatable {
    /// How many requests it had, if it said so.
    let limit: Int?
    /// In how many seconds it may be asked again, at least one.
    let seconds: Int

    /// What clients and the log are told of it.
    func sentence(of upstream: String) -> String {
        let requests = limit.map { "\($0) requests" } ?? "requests"
        return "The upstream \(upstream) has used up its \(requests); it may be asked again in \(seconds) s."
    }
}
