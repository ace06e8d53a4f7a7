import CivilDates

/// What identifies a version of a document, so that a request can ask for it only if there is another one (RFC 9110 §8.8).
public struct Validators: Sendable, Equatable {
    /// A longer entity tag is ignored: a server could refuse the request that carries it.
    private static let longestTag = 1024

    /// The entity tag with its quotes, and with `W/` if it is weak.
    public let entityTag: String?
    /// The time of the last change, as the upstream wrote it, because servers may compare the text (§13.1.3).
    public let lastModified: String?

    /// Reads ETag and Last-Modified; nil if neither has a valid value.
    public init?(_ headers: HeaderFields) {
        entityTag = headers["ETag"].flatMap { Self.isTag($0) ? $0 : nil }
        lastModified = headers["Last-Modified"].flatMap { HTTPDate.parse($0) == nil ? nil : $0 }
        if entityTag == nil, lastModified == nil { return nil }
    }

    /// The fields of a request for another version (§13.1.2, §13.1.3).
    public var conditions: [(name: String, value: String)] {
        [("If-None-Match", entityTag), ("If-Modified-Since", lastModified)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    /// Whether the text is an `entity-tag` (§8.8.3) of ASCII characters.
    private static func isTag(_ text: String) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        guard text.utf8.count <= longestTag, opaque.utf8.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\"")
        else { return false }
        return opaque.dropFirst().dropLast().utf8.allSatisfy { ASCII.isVisible($0) && $0 != ASCII.quote }
    }
}
