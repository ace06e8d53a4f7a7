import CScan
import CivilDates

/// The content of a response with its validators, which decide what a client gets (RFC 9110 §8.8, §12.5.3, §13).
///
/// The same rules hold for documents, pages, metrics and problems. The caller compresses the content:
///
///     let representation = Representation(of: response)
///     let selection = representation.selection(for: request.headers)
///     response.send(selection, of: representation, codedBody: selection.coding.flatMap { compress(response.body, $0) })
public struct Representation: Sendable, Hashable {
    /// A smaller body fits into one packet and is sent without a content coding.
    public static let smallestCodedBody = 1024

    /// The answer to one client.
    public enum Selection: Sendable, Hashable {
        /// The client has the representation: a 304.
        case notModified
        /// The content in a coding, or as it is.
        case content(ContentCoding?)

        /// The coding that the content is needed in; nil for none.
        public var coding: ContentCoding? {
            if case .content(let coding) = self { coding } else { nil }
        }
    }

    /// The entity tag; nil if the representation has no validators.
    public let entityTag: String?
    /// The time of the last change in unix seconds, if it is known.
    public let lastModified: Int?
    /// Whether the content is large enough for a coding.
    private let isCodable: Bool

    /// The representation of a document, with the time of its last change in unix seconds.
    public init(_ body: [UInt8], lastModified: Int?) {
        (entityTag, self.lastModified) = (Self.entityTag(of: body), lastModified)
        isCodable = body.count >= Self.smallestCodedBody
    }

    /// The representation whose entity tag and size are known.
    public init(entityTag: String, bodyCount: Int, lastModified: Int?) {
        (self.entityTag, self.lastModified) = (entityTag, lastModified)
        isCodable = bodyCount >= Self.smallestCodedBody
    }

    /// The representation in a response: with validators if that is a 200, since conditions do not count for another
    /// status (RFC 9110 §13.2.1).
    public init(of response: Response) {
        let isWhole = response.status == .ok
        let changed = isWhole ? response.headers.first { $0.name == "Last-Modified" } : nil
        entityTag = isWhole ? Self.entityTag(of: response.body) : nil
        lastModified = changed.flatMap { HTTPDate.parse($0.value) }
        isCodable = response.body.count >= Self.smallestCodedBody
    }

    /// The answer to a client whose request has these fields.
    public func selection(for request: HeaderFields) -> Selection {
        if isKnown(to: request) { return .notModified }
        return .content(isCodable ? AcceptEncoding(request).preferred : nil)
    }

    /// Whether the client has the representation, as the conditions of its request say; allocates only for a list of tags.
    public func isKnown(to request: HeaderFields) -> Bool {
        entityTag != nil && request.hasVersion(entityTag, changed: lastModified)
    }

    /// Whether Accept-Encoding can change the answer, and Vary names it.
    ///
    /// An entity tag stands for the content in every coding, so a short body with a tag varies like a long one.
    var isNegotiated: Bool { isCodable || entityTag != nil }

    /// Returns a weak entity tag for `body`: its checksum and its length.
    ///
    /// An attacker gains nothing from equal tags but a stale answer for himself.
    public static func entityTag(of body: [UInt8]) -> String {
        "W/\"\(String(weir_checksum(body, body.count), radix: 16))-\(String(body.count, radix: 16))\""
    }
}

extension Response {
    /// Fields that describe a body, which a 304 lacks (RFC 9110 §15.4.5).
    private static let bodyFields = ["Content-Type", "Content-Encoding", "Content-Language", "Last-Modified"]

    /// Becomes the selected answer: adds ETag, Vary and Content-Encoding, and takes `codedBody` as the content.
    ///
    /// Without `codedBody` the content stays as it is: the coding did not make it smaller.
    public mutating func send(
        _ selection: Representation.Selection, of representation: Representation, codedBody: [UInt8]? = nil
    ) {
        if let tag = representation.entityTag { headers.append(("ETag", tag)) }
        if representation.isNegotiated { vary(by: "Accept-Encoding") }
        switch selection {
        case .notModified:
            status = .notModified
            headers.removeAll { Self.bodyFields.contains($0.name) }
            body = []
        case .content(let coding):
            guard let coding, let codedBody else { return }
            headers.append(("Content-Encoding", coding.rawValue))
            body = codedBody
        }
    }

    /// Adds a name to the field Vary (RFC 9110 §12.5.5).
    public mutating func vary(by name: String) {
        guard let index = headers.firstIndex(where: { $0.name == "Vary" }) else {
            return headers.append(("Vary", name))
        }
        headers[index].value += ", " + name
    }
}

/// A content coding for answers, with its name in Content-Encoding.
public enum ContentCoding: String, Sendable {
    /// RFC 1952.
    case gzip
    /// RFC 7932.
    case brotli = "br"
}

/// The content codings that a client accepts: the field Accept-Encoding (RFC 9110 §12.5.3).
public struct AcceptEncoding: Sendable {
    /// The weights of the codings in thousandths, by their names in lower case.
    private let weights: [String: Int]

    /// Reads all lines of the field; an element with a malformed weight counts as refused.
    public init(_ headers: HeaderFields) {
        let elements = headers.values("Accept-Encoding").flatMap { $0.lowercased().split(separator: ",") }
        weights = Dictionary(elements.map(Self.element), uniquingKeysWith: max)
    }

    /// The accepted coding with the greatest weight, brotli among equals; nil if the unencoded content weighs more.
    public var preferred: ContentCoding? {
        let gzip = [weights["gzip"], weights["x-gzip"]].compactMap(\.self).max() ?? weights["*"] ?? 0
        // A client that accepts anything may not know brotli.
        let brotli = weights["br"] ?? 0
        let best = max(gzip, brotli)
        guard best > 0, best >= weights["identity"] ?? weights["*"] ?? 0 else { return nil }
        return brotli == best ? .brotli : .gzip
    }

    private static func element(_ text: Substring) -> (coding: String, weight: Int) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
        return (String(parts[0]), weight.map { Self.weight($0.dropFirst(2)) } ?? 1000)
    }

    /// The thousandths of a qvalue (RFC 9110 §12.4.2), or 0 if it is malformed.
    private static func weight(_ text: Substring) -> Int {
        let digits = Array(text.utf8)
        guard 1...5 ~= digits.count, digits.count == 1 || digits[1] == UInt8(ascii: ".") else { return 0 }
        var weight = 0
        for index in [0, 2, 3, 4] {
            let digit = index < digits.count ? digits[index] : ASCII.zero
            guard ASCII.isDigit(digit) else { return 0 }
            weight = weight * 10 + Int(digit - ASCII.zero)
        }
        return weight <= 1000 ? weight : 0
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let last = text.lastIndex(where: { !isBlank($0) }) else { return "" }
        return text[...last].drop(while: isBlank)
    }
}
