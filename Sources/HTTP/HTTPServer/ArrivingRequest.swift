import EventLoop
import HTTPCore

/// The input of a connection that no response has been made for: a request that is incomplete, or that waits.
final class ArrivingRequest {
    var parser: RequestParser
    var progress = RequestProgress()
    /// The received bytes that the parser has not taken, from `start` on.
    private var bytes: [UInt8] = []
    private var start = 0

    init(limits: RequestLimits) { parser = RequestParser(limits: limits) }

    var hasBytes: Bool { count > 0 }
    /// The number of bytes that the parser has not taken.
    var count: Int { bytes.count - start }

    /// Adds bytes behind those that wait.
    func append(_ more: Span<UInt8>) {
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(copying: more)
    }

    /// Passes the bytes that wait to `take`, which returns the number of those that need not wait any longer.
    ///
    /// They stay where they are, so that many requests that wait take linear time.
    func take(_ take: (Span<UInt8>) -> Int) {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        start += take(taken.span.extracting(start...))
        if start == taken.count {
            start = 0
        } else {
            swap(&taken, &bytes)
        }
    }

    /// The time by which more of the request must have arrived: a time for the head, then a rate for the body.
    func deadline(_ options: ServerOptions) -> MonotonicTime {
        let hasHead = progress.headComplete > 0
        let start = MonotonicTime(nanoseconds: hasHead ? progress.headComplete : progress.start)
        let rate = max(options.minimumBodyRate, 1)
        return start + options.requestTimeout + .milliseconds(progress.bodyBytes * 1000 / rate)
    }
}
