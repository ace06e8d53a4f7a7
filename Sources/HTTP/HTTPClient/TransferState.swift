import CCurl
import EventLoop
import HTTPCore

// A transfer on its way: in the client's queue, among the active ones, and as its handle sees it.
extension MultiHandle {
    /// A transfer that has not begun.
    struct Waiting {
        let ticket: Ticket
        let deadline: MonotonicTime
        let complete: Completion
        var timer: ShardTimer?

        var request: OutgoingRequest { ticket.request }

        func fail(_ error: TransferError) {
            timer?.cancel()
            complete(.failure(error))
        }
    }

    /// A transfer that libcurl runs.
    final class Active {
        let handle: EasyHandle
        let waiting: Waiting
        let isRetry: Bool
        /// The answer to it that copied another one, because of which it is a retry.
        let copied: AnswerSketch?
        let start: MonotonicTime
        /// Its place among the active transfers; nil if libcurl does not run it.
        var place: Int?
        var firstByteTimer: ShardTimer?
        /// libcurl's result, once it has one; the rest of the body may still have to be decoded.
        var code: CURLcode?

        init(_ handle: EasyHandle, _ waiting: Waiting, isRetry: Bool, copied: AnswerSketch?, start: MonotonicTime) {
            (self.handle, self.waiting, self.start) = (handle, waiting, start)
            (self.isRetry, self.copied) = (isRetry, copied)
        }

        /// Whether it is made again, or will be, on a new connection that libcurl has not begun to make.
        var needsNewConnection: Bool {
            isRetry ? !handle.transfer.isWatched : handle.transfer.isOnOldConnection
        }
    }
}

extension EasyHandle {
    /// What belongs to one transfer.
    struct Transfer {
        var reader: ResponseReader
        var limitsConnect = false
        var isConditional = false
        var minimumRate = 0
        /// Whether the connections of the upstream are not reused.
        var isToSuspect = false
        var noteSent: (@Sendable () -> Void)?
        var hasRefusedAddress = false
        /// How often the request has been sent, and whether the first time was on a used connection.
        var sent = 0, isFirstOnUsed = false
        /// Whether it got a connection that is too old for it.
        var isOnOldConnection = false
        /// When libcurl began to make another connection because the one before has ended; nil once it has one.
        var reconnection: MonotonicTime?
        /// The local port of the latest connection on which the request could be sent.
        var admittedPort: Int32?
        /// Whether libcurl may send the request once more: it has no signature, and no other transfer has sent it.
        var mayRepeat = true
        /// Whether libcurl has named the socket of the transfer.
        ///
        /// Until then a reused socket counts as unused; libcurl never names it if the transfer pauses or ends at once.
        var isWatched = false
        /// The socket of the transfer's connection, if it speaks HTTP/1.
        var socket: UpstreamSocket?
        /// The socket of the transfer's connection, if it speaks HTTP/2 and has had transfers before.
        var sharedSocket: UpstreamSocket?
        /// Whether the answer has arrived, and the connection is watched until it is used again.
        var isSocketUnused = false
        /// Whether the connection is new and speaks TLS 1.3, where a client's certificate is refused after the handshake.
        var isNewTLS13 = false
        /// OpenSSL's error when the connection ended, and the bytes that had arrived on it; 0 if they are not known.
        var tlsError: (text: String, received: Int)?

        static var none: Transfer {
            Transfer(reader: ResponseReader(limits: .init(bytes: 0, fields: 0), maximumBodyBytes: 0, reserveBody: nil))
        }
    }
}
