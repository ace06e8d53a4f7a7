import HTTPCore

/// libcurl handles; after a transfer, a handle serves the next transfer to the same upstream.
///
/// Making a handle, setting its options and freeing it takes a tenth of the instructions of a transfer of 40 KB.
struct HandlePool {
    /// Each takes 5.6 KB, without its texts.
    private static let maximumSpares = 64
    /// More bases than a configuration has.
    private static let maximumBases = 1024

    private var spares: [EasyHandle] = []
    private var bases: [Substring: ParsedBase] = [:]

    /// Returns a handle for `request`, which has not been prepared; nil without memory.
    mutating func take(for request: OutgoingRequest, _ multi: MultiHandle) -> EasyHandle? {
        let policy = request.policy
        // A proxy needs the whole URL as the target.
        let url = policy.proxy == nil ? request.url.withExposedText(RequestURL.init) : nil
        let base = url.flatMap { parsed($0.base) }
        if let base, let index = spares.lastIndex(where: { $0.serves(policy, base) }) {
            return spares.remove(at: index)
        }
        let origin = base.flatMap { policy.unixSocketPath == nil ? $0.origin : nil } ?? Origin(request)
        return EasyHandle(policy, base, origin: origin, multi: multi)
    }

    /// Keeps a handle for as long as there is room, after a transfer without an error.
    mutating func keep(_ handle: EasyHandle) {
        guard handle.isReusable else { return }
        if spares.count >= Self.maximumSpares { spares.removeFirst() }
        handle.rest()
        spares.append(handle)
    }

    /// Forgets the handles that wait: upstreams may have new policies.
    mutating func removeSpares() { spares.removeAll() }

    private mutating func parsed(_ base: Substring) -> ParsedBase? {
        if let known = bases[base] { return known }
        guard let parsed = ParsedBase(base) else { return nil }
        if bases.count >= Self.maximumBases { bases.removeAll() }
        bases[parsed.text[...]] = parsed
        return parsed
    }
}
