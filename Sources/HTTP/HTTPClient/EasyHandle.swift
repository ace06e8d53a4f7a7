// Unsafe: libcurl's C interface. The handle owns its `CURL *`, header list and error text, and frees them in `deinit`. The
// callbacks get `self` unretained: MultiHandle references a handle for as long as it is in a transfer, the only time they
// run, and outlives the transfer. The bytes that they get are copied before they return.
import CCurl
import EventLoop
import HTTPCore

/// A libcurl handle: the options of an upstream, and one transfer after another with its options and its result.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    let origin: Origin
    let policy: ConnectionPolicy
    /// The base of the URL, which libcurl uses while a transfer runs; nil if libcurl parses the URL.
    private let base: ParsedBase?
    private unowned(unsafe) let multi: MultiHandle
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// The fields of a request without fields of its own; libcurl only reads them.
    private nonisolated(unsafe) static let commonFields = appendCommonFields(to: nil, without: [])
    private var resolved: UnsafeMutablePointer<curl_slist>?
    /// The last address of a used connection that the policy admits.
    private var admitted = ""
    // Unchecked, and so in MultiHandle: no libcurl call that a callback makes calls back; 3 % of a transfer's instructions.
    @exclusivity(unchecked) var transfer = TransferState.none

    /// A handle for transfers from `base` with `policy`; without a base, for one transfer from any URL.
    ///
    /// Nil without memory.
    init?(_ policy: ConnectionPolicy, _ base: ParsedBase?, origin: Origin, multi: MultiHandle) {
        guard let pointer = curl_easy_init() else { return nil }
        (self.pointer, self.policy, self.base, self.origin, self.multi) = (pointer, policy, base, origin, multi)
        setConnection()
        setCallbacks()
        base?.set(on: pointer)
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(fields)
        curl_slist_free_all(resolved)
        errorText.deallocate()
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> EasyHandle {
        Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    /// Returns the handle of libcurl's pointer; nil for a handle of libcurl's own, with which it closes connections.
    static func of(_ pointer: UnsafeMutableRawPointer) -> EasyHandle? { weir_get_private(pointer).map(at) }
}

// Options.
extension EasyHandle {
    /// Prepares the transfer for `fetch`, which begins at `now`; true for `isRetry` if another one has been sent.
    func prepare(_ fetch: PendingFetch, isRetry: Bool, at now: MonotonicTime) {
        let request = fetch.request
        let milliseconds = (fetch.deadline - now).wholeMilliseconds
        let connectTimeout = request.connectTimeout.wholeMilliseconds
        transfer = TransferState(
            reader: ResponseReader(
                limits: ResponseHead.Limits(bytes: request.maximumHeadBytes, fields: request.maximumFields),
                maximumBodyBytes: request.maximumBodyBytes, reserveBody: request.reserveBody),
            fetch: fetch, deadline: fetch.deadline, connectDeadline: now + request.connectTimeout, isRetry: isRetry)
        errorText[0] = 0
        weir_set_long(pointer, CURLOPT_TIMEOUT_MS, milliseconds)
        weir_set_long(pointer, CURLOPT_CONNECTTIMEOUT_MS, max(1, min(connectTimeout, milliseconds)))
        // The options that the last transfer has changed.
        weir_set_long(pointer, CURLOPT_FRESH_CONNECT, 0)
        weir_set_long(pointer, CURLOPT_FORBID_REUSE, 0)
        weir_set_long(pointer, CURLOPT_LOW_SPEED_LIMIT, 0)
        weir_set_long(pointer, CURLOPT_VERBOSE, 0)
        setURL(request.url)
        setFields(request)
        if let content = request.content {
            content.withExposedText { _ = weir_set_text(pointer, CURLOPT_COPYPOSTFIELDS, $0) }
        }
    }

    private func setURL(_ url: Secret) {
        url.withExposedText { text in
            if let base {
                text.withCString { _ = weir_set_text(pointer, CURLOPT_REQUEST_TARGET, $0 + base.text.utf8.count) }
            } else {
                // libcurl takes a text up to its NUL, and refuses a space.
                text.replacing("\0", with: " ").withCString { _ = weir_set_text(pointer, CURLOPT_URL, $0) }
            }
        }
    }

    private func setFields(_ request: OutgoingRequest) {
        var fields: UnsafeMutablePointer<curl_slist>?
        for (name, value) in request.sign.map({ request.headers + $0() }) ?? request.headers {
            value.withExposedText { fields = curl_slist_append(fields, "\(name): \($0)") }
        }
        for (name, value) in request.validators?.conditions ?? [] {
            fields = curl_slist_append(fields, "\(name): \(value)")
        }
        if fields != nil { fields = Self.appendCommonFields(to: fields, without: request.headers.map(\.name)) }
        weir_set_list(pointer, CURLOPT_HTTPHEADER, fields ?? Self.commonFields)
        curl_slist_free_all(self.fields)
        self.fields = fields
    }

    private static func appendCommonFields(
        to fields: UnsafeMutablePointer<curl_slist>?, without names: [String]
    ) -> UnsafeMutablePointer<curl_slist>? {
        // Not by options, which libcurl formats twice, and not one by one: libcurl's formatting is slow to begin. libcurl
        // looks for an Accept, which therefore comes first.
        let common = [
            ("Accept", "application/json"), ("User-Agent", "weir"), ("Accept-Encoding", ContentDecoder.accepted),
        ].filter { field in !names.contains { $0.utf8.span.matches(0..<$0.utf8.count, field.0) } }
        return curl_slist_append(fields, common.map { "\($0): \($1)" }.joined(separator: "\r\n"))
    }

    private func setConnection() {
        // Signals belong to the process; without them libcurl resolves names on a thread of its own.
        weir_set_long(pointer, CURLOPT_NOSIGNAL, 1)
        // Otherwise a cancelled look-up waits for that thread and blocks the loop: seconds if there is no DNS.
        weir_set_long(pointer, CURLOPT_QUICK_EXIT, 1)
        weir_set_web_protocols(pointer)
        // The only version of HTTP that the client speaks, and the only one that libcurl offers in TLS (ALPN).
        weir_set_long(pointer, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        // Otherwise libcurl removes dot segments, and the upstream gets another path than the caller wrote.
        weir_set_long(pointer, CURLOPT_PATH_AS_IS, 1)
        // The chunked and the content coding are removed by ResponseReader.
        weir_set_long(pointer, CURLOPT_HTTP_TRANSFER_DECODING, 0)
        weir_set_long(pointer, CURLOPT_HTTP_CONTENT_DECODING, 0)
        // libcurl polls the socket after each read: of this size, one read is enough for most answers.
        weir_set_long(pointer, CURLOPT_BUFFERSIZE, 64 << 10)
        policy.apply(to: pointer, isTLS: origin.isTLS)
        weir_set_error_buffer(pointer, errorText)
    }

    /// Gives libcurl the addresses of a host name, so that libcurl does not look the name up; libcurl keeps the addresses.
    func setAddresses(_ addresses: HostAddresses, of name: ConnectionPolicy.Name) {
        let list = addresses.list.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
        for port in name.ports { resolved = curl_slist_append(resolved, "\(name.host):\(port):\(list)") }
        weir_set_list(pointer, CURLOPT_RESOLVE, resolved)
    }

    /// Makes the transfer use a new connection, which closes afterwards if `isLast`.
    func setFreshConnection(isLast: Bool) {
        weir_set_long(pointer, CURLOPT_FRESH_CONNECT, 1)
        if isLast { forbidReuse() }
    }

    /// Makes libcurl close the connection when the transfer ends: libcurl looks at the option then.
    func forbidReuse() { weir_set_long(pointer, CURLOPT_FORBID_REUSE, 1) }

    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        weir_set_private(pointer, context)
        // The head, too, before libcurl 7.88 keeps it: that reads freed memory in a handle's second transfer if a head
        // begins with a folded line.
        weir_set_long(pointer, CURLOPT_HEADER, 1)
        let writer: weir_write_function = { bytes, size, count, context in
            EasyHandle.at(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        weir_set_writer(pointer, writer, context)
        if case .publicOnly = policy.addresses {
            weir_set_opener(pointer, { context, _, address in EasyHandle.at(context).open(address) }, context)
        }
        // The context is not the handle: libcurl closes a connection with the options of the handle that opened it.
        weir_set_closer(
            pointer, { context, socket in MultiHandle.at(context).close(socket) },
            Unmanaged.passUnretained(multi).toOpaque())
        weir_set_before_request(
            pointer,
            { context, remote, _, _, port in
                EasyHandle.at(context).mayUseConnection(to: remote, from: port) ? 0 : 1
            }, context)
        weir_set_debug(
            pointer,
            { _, type, bytes, count, context in
                if type == CURLINFO_TEXT {
                    EasyHandle.at(context).takeNote(UnsafeRawBufferPointer(start: bytes, count: count))
                }
                return 0
            }, context)
    }
}

// The transfer.
extension EasyHandle {
    /// Whether a part of the head of a response, interim or final, has arrived.
    var hasBegun: Bool { transfer.reader.head.hasStarted }

    var hasFinalStatus: Bool { transfer.reader.head.hasFinalStatus }

    /// Opens a socket for a connection to `address`, unless it is refused: here the name has been looked up.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Int(weir_address_bytes(address, &bytes))
        guard let found = ClientAddress(bytes[..<count]), policy.addresses.admits(found) else {
            transfer.hasRefusedAddress = true
            return -1
        }
        return weir_open_socket(address)
    }

    /// Whether a used connection leads to an address that the policy admits: another policy may have opened it.
    private func admits(_ address: UnsafeMutablePointer<CChar>?) -> Bool {
        guard case .publicOnly = policy.addresses, let address else { return true }
        let text = String(cString: address)
        if text == admitted { return true }
        guard ClientAddress(text.utf8.span)?.isPublic == true else { return false }
        admitted = text
        return true
    }

    /// Whether the connection that libcurl has chosen, to this address and from this local port, can be used.
    private func mayUseConnection(to address: UnsafeMutablePointer<CChar>?, from port: Int32) -> Bool {
        if isOnReusedConnection {
            // libcurl would repeat a request on one used connection after the other; the client repeats a request once,
            // on a new connection.
            if transfer.sent > 0 || !admits(address) { return false }
            // libcurl notices by itself that a connection has ended, and takes another one.
            guard multi.checkConnection(to: origin, from: port) else { return true }
            if weir_has_unread_tls(pointer) != 0 {
                transfer.reader.noteSurplus()
                return false
            }
            transfer.isFirstOnUsed = true
        } else {
            if transfer.sent > (transfer.mayRepeat ? 1 : 0) { return false }
            transfer.isNewTLS13 = origin.isTLS && weir_is_tls13(pointer) != 0
        }
        transfer.sent += 1
        transfer.fetch?.request.noteSent?()
        return true
    }

    /// Takes bytes of a head or of a body; returns their number, or 0 to fail.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        transfer.reader.isHeadComplete ? takeBody(bytes) : takeHead(bytes)
    }

    private func takeHead(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch transfer.reader.takeHead(bytes.bindMemory(to: UInt8.self).span) {
        case .line: break
        case .lastLine:
            // From here on libcurl's notes say whether it has dropped bytes that follow a response without a body.
            weir_set_long(pointer, CURLOPT_VERBOSE, 1)
            limitRate()
            // Whoever answers so closes the connection (RFC 9110 §15.5.9), perhaps when the next request is on it.
            if transfer.reader.head.status == 408 { forbidReuse() }
        case .failed: return 0
        }
        return bytes.count
    }

    /// Makes the transfer fail if the rest arrives too slowly; until then, the upstream may think.
    private func limitRate() {
        guard let rate = transfer.fetch?.request.minimumRate, rate > 0 else { return }
        weir_set_long(pointer, CURLOPT_LOW_SPEED_LIMIT, rate)
        weir_set_long(pointer, CURLOPT_LOW_SPEED_TIME, OutgoingRequest.minimumRateSeconds)
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        let reply = transfer.reader.takeBody(bytes)
        if reply.needsTurn { multi.transferNeedsTurn() }
        if reply.hasSurplus { forbidReuse() }
        // libcurl looks for surplus before it offers the last bytes; later notes would be formatted for nothing.
        if reply.isLast { weir_set_long(pointer, CURLOPT_VERBOSE, 0) }
        return reply.isTaken ? bytes.count : 0
    }

    private func takeNote(_ text: UnsafeRawBufferPointer) {
        guard text.starts(with: "Excess found".utf8) else { return }
        transfer.reader.noteSurplus()
        forbidReuse()
    }

    /// Makes libcurl look at the transfer in its next turn, as it does when a transfer is not paused any more.
    func wake() {
        curl_easy_pause(pointer, CURLPAUSE_SEND)
        curl_easy_pause(pointer, CURLPAUSE_CONT)
    }

    /// Whether the transfer got a connection that had been used before.
    var isOnReusedConnection: Bool {
        var count = 0
        weir_get_long(pointer, CURLINFO_NUM_CONNECTS, &count)
        return count == 0
    }

    /// The socket of the transfer's connection if the connection is unused now, so that bytes on it are surplus.
    var idleSocket: curl_socket_t? {
        var socket: curl_socket_t = -1
        weir_get_socket(pointer, CURLINFO_ACTIVESOCKET, &socket)
        return socket >= 0 ? socket : nil
    }

    /// Keeps the error that OpenSSL has met while libcurl ended the connection of `socket`, which is still open.
    func noteTLSError(on socket: curl_socket_t) {
        var text = [CChar](repeating: 0, count: 256)
        weir_get_tls_error(&text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        transfer.tlsError = (String(decoding: bytes, as: UTF8.self), weir_received_bytes(socket))
    }

    var hasSurplus: Bool { transfer.reader.hasSurplus }
}

// The result.
extension EasyHandle {
    func result(_ code: CURLcode) -> Result<IncomingResponse, TransferError> {
        if let error = transfer.reader.error { return .failure(error) }
        guard code == CURLE_OK else { return .failure(error(code)) }
        return transfer.reader.finish().map { response in
            var response = response
            response.isReused = isOnReusedConnection
            response.isFromSuspect = transfer.isToSuspect || hasSurplus
            response.isNotModified = response.status == 304 && transfer.fetch?.request.validators != nil
            return response
        }
    }

    /// Whether the transfer needs another turn of the loop, to decode more of its body.
    var needsTurn: Bool { transfer.reader.needsTurn }

    /// Whether the handle can have another transfer; the caller asks only after a transfer without an error.
    var isReusable: Bool { base != nil && transfer.fetch?.request.content == nil && resolved == nil }

    /// Whether the next transfer from `base` with `policy` can be this handle's.
    func serves(_ policy: ConnectionPolicy, _ base: ParsedBase) -> Bool { self.policy === policy && self.base === base }

    func rest() {
        transfer = .none
        weir_set_list(pointer, CURLOPT_HTTPHEADER, Self.commonFields)
        curl_slist_free_all(fields)
        fields = nil
    }
}
