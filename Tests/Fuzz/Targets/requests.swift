import HTTPCore

/// The requests of a connection, and the reason to refuse the rest, do not depend on the pieces in which the bytes arrive.
@_cdecl("LLVMFuzzerTestOneInput")
public func requests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    let whole = read(bytes) { _ in bytes.count }
    let bytewise = read(bytes) { _ in 1 }
    invariant(whole == bytewise, "\(whole) in one piece, \(bytewise) byte by byte: \(shown(bytes))")
    var random = bytes.reduce(UInt64(count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let pieces = read(bytes) { _ in
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return 1 + Int(random >> 58)
    }
    invariant(whole == pieces, "\(whole) in one piece, \(pieces) in several: \(shown(bytes))")
    if case .complete(_, let length) = ProxyHeader(bytes.span) {
        invariant(length <= bytes.count, "a PROXY header of \(length) bytes in \(bytes.count)")
    }
    if let network = ClientNetwork(String(decoding: bytes, as: UTF8.self)), let address = ClientAddress(bytes.span) {
        invariant(network.contains(address), "\(shown(bytes)) does not contain itself")
    }
    return 0
}

/// Reads requests as a connection does, from pieces of the sizes that `size` returns.
private func read(_ bytes: [UInt8], _ size: (Int) -> Int) -> [String] {
    let trusted = TrustedProxies(["10.0.0.0/8", "::/16"].compactMap { ClientNetwork($0) }, field: .forwarded)
    var results: [String] = []
    var parser = RequestParser()
    var (taken, arrived) = (0, 0)
    while arrived < bytes.count {
        arrived = min(arrived + size(arrived), bytes.count)
        var isIncomplete = false
        while !isIncomplete {
            switch parser.parse(bytes.span.extracting(taken..<arrived)) {
            case .needsMore: isIncomplete = true
            case .request(let request, let consumed):
                taken += consumed
                let client = trusted.client(of: request.headers, from: .v4(0x0A00_0001, port: 0))
                results.append(
                    "\(request.method) \(request.target.path) \(request.hasBody) \(request.keepsAlive) \(client)")
                // As a connection does, so that a piece without bytes is not parsed.
                isIncomplete = taken == arrived
            case .failure(let failure):
                return results + ["\(failure.status.code) \(failure.detail)"]
            }
            invariant(taken <= arrived, "more is taken than has arrived")
        }
    }
    return results
}
