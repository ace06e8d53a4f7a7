import HTTPCore

/// What the parser reads does not depend on how the bytes arrive, and never exceeds the limits.
///
/// The first byte of the input is the length of the fragments.
@_cdecl("LLVMFuzzerTestOneInput")
public func parseRequests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    guard let length = bytes.first else { return 0 }
    let requests = Array(bytes.dropFirst())
    let whole = read(requests, inFragmentsOf: max(1, requests.count))
    for size in [1, max(1, Int(length))] {
        let parts = read(requests, inFragmentsOf: size)
        invariant(parts == whole, "\(parts) in fragments of \(size), \(whole) at once: \(shown(requests))")
    }
    return 0
}

/// Returns the requests in `bytes` as text, and the failure that ends them.
private func read(_ bytes: [UInt8], inFragmentsOf size: Int) -> [String] {
    var limits = RequestLimits()
    (limits.maximumTargetBytes, limits.maximumHeadBytes, limits.maximumBodyBytes) = (64, 512, 256)
    (limits.maximumFields, limits.maximumQueryParameters) = (8, 4)
    var parser = RequestParser(limits: limits)
    var result: [String] = []
    var waiting: [UInt8] = []
    var next = 0
    while next < bytes.count {
        let end = min(next + size, bytes.count)
        waiting += bytes[next..<end]
        next = end
        var needsMore = false
        while !needsMore {
            let consumed: Int
            switch parse(waiting, with: &parser) {
            case .needsMore(let taken):
                consumed = taken
                needsMore = true
                invariant(waiting.count - taken <= limits.maximumHeadBytes + 512, "\(waiting.count - taken) bytes wait")
            case .head(_, let taken): consumed = taken
            case .request(let request, let taken):
                consumed = taken
                invariant(request.body.count <= limits.maximumBodyBytes, "a body of \(request.body.count) bytes")
                result.append(text(of: request))
            case .failure(let failure):
                let again = parse(waiting, with: &parser)
                guard case .failure(failure) = again else {
                    invariant(false, "the parser goes on after \(failure)")
                    return result
                }
                invariant([400, 413, 414, 417, 431, 501, 505].contains(failure.status.code), "\(failure)")
                return result + ["\(failure.status.code) \(failure.detail)"]
            }
            invariant(0...waiting.count ~= consumed, "\(consumed) of \(waiting.count) bytes are taken")
            waiting.removeFirst(consumed)
        }
    }
    return result
}

private func parse(_ bytes: [UInt8], with parser: inout RequestParser) -> RequestParser.Outcome {
    parser.parse(bytes.span)
}

private func text(of request: Request) -> String {
    let fields = request.headers.pairs.map { "\($0.name)=\($0.value)" }
    return "\(request.method) \(request.target.path)?\(request.target.query.rawValue) \(request.version) \(fields)"
        + " \(request.body) \(request.keepsAlive)"
}
