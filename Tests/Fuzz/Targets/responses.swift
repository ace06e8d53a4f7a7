import EventLoop
import Glibc
import HTTPClient
import HTTPCore

/// An upstream's bytes give the response that they are, or an error at once, and the next request gets its own answer.
///
/// The first byte of the input says where the upstream pauses; if it is odd, the connection stays open after complete
/// responses.
@_cdecl("LLVMFuzzerTestOneInput")
public func responses(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    guard let first = bytes.first else { return 0 }
    let sent = Array(bytes.dropFirst())
    // libcurl 7.88 drops the rest of what it has read if a line of a head begins with a NUL.
    if sent.firstRange(of: [10, 0]) != nil { return 0 }
    let expected = ExpectedResponse(sent)
    let staysOpen = first % 2 == 1 && expected?.isDelimited == true
    let result = upstream.exchange(path: "/first", answering: sent, cut: Int(first), thenEnds: !staysOpen)
    if case .success(let response) = result {
        invariant(expected != nil, "\(response.status) for the malformed \(shown(sent))")
        invariant(response.status == expected?.status, "\(response.status) for \(shown(sent))")
        // A coding would have to be decoded.
        if expected?.isEncoded == false {
            invariant(response.body == expected?.body, "\(shown(response.body)) as the body of \(shown(sent))")
        }
    }
    invariant(!result.isLate, "no result for \(shown(sent))")
    let next = upstream.exchange(path: "/second", answering: ordinary, cut: 0, thenEnds: false)
    guard case .success(let response) = next, response.status == 200, response.body == Array("second".utf8) else {
        fatalError("\(next) after \(shown(sent))")
    }
    return 0
}

private let ordinary = Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond".utf8)

// Unsafe: libFuzzer has one thread.
nonisolated(unsafe) private let upstream: FuzzedUpstream = {
    do { return try FuzzedUpstream() } catch { fatalError("\(error)") }
}()

extension Result<IncomingResponse, TransferError> {
    fileprivate var isLate: Bool {
        if case .failure(let error) = self, error.isSlowAnswer { return true }
        return false
    }
}
