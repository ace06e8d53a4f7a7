import CCurl
import HTTPCore

/// One of libcurl's transfers, from its options to its result.
///
/// Reused from transfer to transfer. Belongs to one shard.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// The header section of the latest response, interim ones included, with its status line.
    private var head: [UInt8] = []
    private var headIsComplete = false
    private var body: [UInt8] = []
    private var maximumBodyBytes = 0
    private var isTooLarge = false
    /// What was taken since the transfer began or went on.
    private var takenAtOnce = 0
    /// Whether the transfer waits for `resume`.
    private(set) var isPaused = false

    /// A transfer pauses when it has handed over so much: libcurl would take whatever has come in, and inflate it, at once.
    private static let mostAtOnce = 128 << 10

    init?() {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(fields)
    }

    /// Sets all options for `request`, of which `milliseconds` are left.
    func prepare(_ request: OutgoingRequest, milliseconds: Int) {
        reset()
        maximumBodyBytes = request.maximumBodyBytes
        // Signals are the process's own; without them libcurl resolves names on a thread of its own.
        weir_set_long(pointer, CURLOPT_NOSIGNAL, 1)
        // Giving up on a look-up would else wait for that thread, and the whole loop with it: seconds without DNS.
        weir_set_long(pointer, CURLOPT_QUICK_EXIT, 1)
        weir_set_text(pointer, CURLOPT_PROTOCOLS_STR, "http,https")
        weir_set_long(pointer, CURLOPT_FOLLOWLOCATION, 0)
        // A proxy is never taken from the environment: the configuration says where requests go.
        weir_set_text(pointer, CURLOPT_PROXY, "")
        weir_set_text(pointer, CURLOPT_ACCEPT_ENCODING, "")
        weir_set_text(pointer, CURLOPT_USERAGENT, "weir")
        weir_set_long(pointer, CURLOPT_TIMEOUT_MS, milliseconds)
        weir_set_long(pointer, CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
        // Transfers are many and short: no waiting to share a connection, and none kept longer than a minute.
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
        weir_set_header_writer(
            pointer,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
                return handle.takeHeadLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
            }, context)
        weir_set_writer(
            pointer,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
                return handle.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
            }, context)
    }

    /// Forgets a transfer, so that neither its answer nor its secrets stay.
    func reset() {
        curl_easy_reset(pointer)
        curl_slist_free_all(fields)
        fields = nil
        head = []
        headIsComplete = false
        body = []
        isTooLarge = false
        takenAtOnce = 0
        isPaused = false
    }

    /// Goes on with a paused transfer; what has gone wrong, if anything.
    func resume() -> CURLcode {
        isPaused = false
        takenAtOnce = 0
        return curl_easy_pause(pointer, CURLPAUSE_CONT)
    }

    /// Takes a line of a header section, or of a trailer section, which is dropped.
    private func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        // A status line ends the fields of an interim response.
        if line.starts(with: "HTTP/".utf8) {
            head = []
            headIsComplete = false
        }
        if !headIsComplete { head.append(contentsOf: line) }
        if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") { headIsComplete = true }
        return line.count
    }

    /// Takes bytes of the body; as libcurl asks for it, how many it took, or that it pauses and takes them later.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        if body.count + bytes.count > maximumBodyBytes {
            isTooLarge = true
            return 0
        }
        if takenAtOnce >= Self.mostAtOnce {
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        takenAtOnce += bytes.count
        if body.isEmpty { body.reserveCapacity(min(announcedLength, maximumBodyBytes, 1 << 20)) }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    /// The length that the answer announces, or 0.
    private var announcedLength: Int {
        var length: curl_off_t = 0
        weir_get_offset(pointer, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
        return max(0, Int(length))
    }

    /// What the finished transfer came to.
    func result(_ code: CURLcode) -> Result<IncomingResponse, TransferError> {
        if isTooLarge { return .failure(.tooLarge(limit: maximumBodyBytes)) }
        guard code == CURLE_OK else { return .failure(error(code)) }
        var status = 0
        weir_get_long(pointer, CURLINFO_RESPONSE_CODE, &status)
        return .success(IncomingResponse(status: status, headers: HeaderFields(section: head), body: body))
    }

    /// An answer that is no HTTP/1 is a protocol not supported to libcurl, just like a URL that is not of HTTP.
    private func error(_ code: CURLcode) -> TransferError {
        var sent = 0
        weir_get_long(pointer, CURLINFO_REQUEST_SIZE, &sent)
        return code == CURLE_UNSUPPORTED_PROTOCOL && sent > 0 ? .malformed : TransferError(code)
    }
}
