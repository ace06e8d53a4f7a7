import API
import HTTPCore
import Records
import Synchronization

/// A document in the form that clients want, and that form compressed.
final class DocumentVariant: Sendable {
    let body: [UInt8]
    /// The fields of an answer that do not depend on its age.
    let headers: [(name: String, value: String)]
    /// The entity tag of an answer, the same in every coding.
    let tag: String
    /// The numbers of values that were repaired and dropped.
    let repaired: Int32, dropped: Int32
    /// The repairs, if the form keeps them.
    let drift: DriftReport
    /// Whether an answer has the field Expires.
    let sendsExpires: Bool
    private let compressed = Mutex<[ContentCoding: Compressed]>([:])
    private let uncounted: Atomic<Bool>

    private enum Compressed {
        case body([UInt8])
        /// The coding does not make the body smaller.
        case useless

        var size: Int {
            if case .body(let body) = self { return body.capacity + overhead }
            return 0
        }
    }

    /// The bytes of the objects and of the serialized heads for one coding.
    private static let overhead = 2048

    /// The document in a form; what is kept takes up no spare room.
    ///
    /// `isUncounted` says that the first answer made of this part counts its repairs.
    init(_ document: ShapedDocument, _ form: AnswerForm, isKept: Bool, isUncounted: Bool = false) {
        uncounted = Atomic(isUncounted)
        body = isKept ? document.body.withoutSpareRoom : document.body
        // An answer without content is a 204.
        var headers = body.isEmpty ? [] : [(name: "Content-Type", value: "application/json")]
        if !document.drift.isEmpty { headers.append(("Weir-Drift", document.drift.summary)) }
        headers += document.fields
        if let fields = form.fields { headers += fields(document) }
        self.headers = headers
        (sendsExpires, drift) = (
            form.sendsExpires, form.keepsDrift || form.isExplained ? document.drift : DriftReport()
        )
        tag = Representation.entityTag(of: body)
        var (repaired, dropped) = (Int32(0), Int32(0))
        for (kind, count) in document.drift.counts {
            if kind == .dropped { dropped += Int32(clamping: count) }
            if kind == .coerced || kind == .defaulted { repaired += Int32(clamping: count) }
        }
        (self.repaired, self.dropped) = (repaired, dropped)
    }

    /// Returns true once if the repairs of the part are still to be counted.
    func takeCount() -> Bool { uncounted.exchange(false, ordering: .relaxed) }

    /// The representation of an answer with this body, whose document was changed at `lastModified`, in unix seconds.
    func representation(lastModified: Int?) -> Representation {
        Representation(entityTag: tag, bodyCount: body.count, lastModified: lastModified)
    }

    /// The bytes that it takes up, with the serialized heads.
    var size: Int {
        let texts = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        let repairs = drift.entries.reduce(0) { $0 + 192 + $1.path.utf8.count + $1.example.utf8.count }
        return body.capacity + repairs + 3 * texts + Self.overhead
            + compressed.withLock { $0.values.reduce(0) { $0 + $1.size } }
    }

    /// Returns the body in `coding` if it has been compressed before; `isUseless` if the coding does not make it smaller.
    func compressedBody(_ coding: ContentCoding) -> (body: [UInt8]?, isUseless: Bool) {
        switch compressed.withLock({ $0[coding] }) {
        case .body(let body): (body, false)
        case .useless: (nil, true)
        case nil: (nil, body.count < Representation.smallestCodedBody)
        }
    }

    /// Keeps the result of a compression, nil if it was of no use, and returns the bytes that were added.
    func keep(_ body: [UInt8]?, in coding: ContentCoding) -> Int {
        compressed.withLock { compressed in
            guard compressed[coding] == nil else { return 0 }
            let new = body.map { Compressed.body($0.withoutSpareRoom) } ?? .useless
            compressed[coding] = new
            return new.size
        }
    }
}

extension [UInt8] {
    /// The same bytes in memory of their size, because they are kept for long.
    var withoutSpareRoom: [UInt8] {
        if capacity <= count + count / 8 + 64 { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        bytes += self
        return bytes
    }
}
