// Unsafe: libcurl's C interface. The handle owns its `CURL *` and header list and frees both in `deinit`. The callbacks
// get `self` unretained: MultiHandle references a handle for as long as it is in a transfer, the only time they run. The
// bytes that they get are copied before they return.
import CCurl
import HTTPCore

/// A libcurl transfer, from its options to its result; reused for later transfers on the same shard.
final class EasyHandle {
    /// What a transfer has received so far.
    private struct Received {
        /// The header section of the latest response, with its status line; an interim response's is replaced.
        var head: [UInt8] = []
        var headIsComplete = false
        var body: [UInt8] = []
        var isTooLarge = false
        /// The bytes of the body taken since the transfer started or resumed.
        var sinceResume = 0
        var isPaused = false
    }

    /// A transfer pauses after this many bytes: otherwise libcurl takes, and inflates, everything that has arrived at
    /// once, while the loop waits.
    private static let maximumAtOnce = 128 << 10

    let pointer: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var maximumBodyBytes = 0
    private var reserveBody: ((Int) -> Bool)?
    private var received = Received()

    init?() {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(fields)
    }

    /// Sets all options for `request`, which may take `milliseconds`.
    func prepare(_ request: OutgoingRequest, milliseconds: Int) {
        reset()
        maximumBodyBytes = request.maximumBodyBytes
        reserveBody = request.reserveBody
        // Signals belong to the process; without them libcurl resolves names on a thread of its own.
        weir_set_long(pointer, CURLOPT_NOSIGNAL, 1)
        // Otherwise a cancelled look-up waits for that thread and blocks the loop: seconds if there is no DNS.
        weir_set_long(pointer, CURLOPT_QUICK_EXIT, 1)
        weir_set_text(pointer, CURLOPT_PROTOCOLS_STR, "http,https")
        weir_set_long(pointer, CURLOPT_FOLLOWLOCATION, 0)
        // Ignores proxies in the environment, which the configuration does not name.
        weir_set_text(pointer, CURLOPT_PROXY, "")
        weir_set_text(pointer, CURLOPT_ACCEPT_ENCODING, "")
        weir_set_text(pointer, CURLOPT_USERAGENT, "weir")
        weir_set_long(pointer, CURLOPT_TIMEOUT_MS, milliseconds)
        weir_set_long(pointer, CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
        // Transfers are many and short: do not wait to share a connection, and keep an idle one for a minute.
        weir_set_long(pointer, CURLOPT_PIPEWAIT, 0)
        weir_set_long(pointer, CURLOPT_MAXAGE_CONN, 60)
        weir_set_text(pointer, CURLOPT_UNIX_SOCKET_PATH, request.unixSocketPath)
        request.url.withExposedText { _ = weir_set_text(pointer, CURLOPT_URL, $0) }
        fields = curl_slist_append(fields, "Accept: application/json")
        for (name, value) in request.headers {
            value.withExposedText { fields = curl_slist_append(fields, "\(name): \($0)") }
        }
        weir_set_list(pointer, CURLOPT_HTTPHEADER, fields)
        let context = Unmanaged.passUnretained(self).toOpaque()
        let headWriter: weir_write_function = { bytes, size, count, context in
            EasyHandle.at(context).takeHeadLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        let bodyWriter: weir_write_function = { bytes, size, count, context in
            EasyHandle.at(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        weir_set_header_writer(pointer, headWriter, context)
        weir_set_writer(pointer, bodyWriter, context)
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> EasyHandle {
        Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    /// Clears the handle, so that neither the response nor the secrets of a transfer stay in memory.
    func reset() {
        curl_easy_reset(pointer)
        curl_slist_free_all(fields)
        fields = nil
        reserveBody = nil
        received = Received()
    }

    /// Whether the transfer waits for `resume`.
    var isPaused: Bool { received.isPaused }

    /// Resumes a paused transfer.
    func resume() -> CURLcode {
        received.isPaused = false
        received.sinceResume = 0
        return curl_easy_pause(pointer, CURLPAUSE_CONT)
    }

    /// Takes a line of a header section, or drops one of a trailer section, and returns its length.
    private func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        if line.starts(with: "HTTP/".utf8) {
            received.head = []
            received.headIsComplete = false
        }
        if !received.headIsComplete { received.head.append(contentsOf: line) }
        if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") { received.headIsComplete = true }
        return line.count
    }

    /// Takes bytes of the body and returns their number, 0 to fail, or the code to pause and get them again.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if received.body.count + bytes.count > maximumBodyBytes {
            received.isTooLarge = true
            return 0
        }
        if let reserveBody {
            let announced = received.body.isEmpty ? min(announcedLength, maximumBodyBytes) : 0
            guard reserveBody(max(announced, received.body.count + bytes.count)) else {
                received.isTooLarge = true
                return 0
            }
        }
        if received.sinceResume >= Self.maximumAtOnce {
            received.isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        received.sinceResume += bytes.count
        if received.body.isEmpty { received.body.reserveCapacity(min(announcedLength, maximumBodyBytes, 1 << 20)) }
        received.body.append(contentsOf: bytes)
        return bytes.count
    }

    /// The response's Content-Length, or 0.
    private var announcedLength: Int {
        var length: curl_off_t = 0
        weir_get_offset(pointer, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
        return max(0, Int(length))
    }

    /// Returns the result of the transfer, which finished with `code`.
    func result(_ code: CURLcode) -> Result<IncomingResponse, TransferError> {
        if received.isTooLarge { return .failure(.tooLarge(limit: maximumBodyBytes)) }
        guard code == CURLE_OK else { return .failure(error(code)) }
        var status = 0
        weir_get_long(pointer, CURLINFO_RESPONSE_CODE, &status)
        var newConnections = 0
        weir_get_long(pointer, CURLINFO_NUM_CONNECTS, &newConnections)
        return .success(
            IncomingResponse(
                status: status, headers: HeaderFields(section: received.head), body: received.body,
                isReused: newConnections == 0))
    }

    /// libcurl has the same code for a response that is not HTTP/1 and for a URL that is not http.
    private func error(_ code: CURLcode) -> TransferError {
        var sent = 0
        weir_get_long(pointer, CURLINFO_REQUEST_SIZE, &sent)
        return code == CURLE_UNSUPPORTED_PROTOCOL && sent > 0 ? .malformed : TransferError(code)
    }
}
