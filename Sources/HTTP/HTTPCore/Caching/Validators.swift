import CivilDates

/// The identity of a version of a document, by which a request can ask for another version only (RFC 9110 §8.8).
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

    /// Whether a response with the validators `other` can be about this version: no kind that both have differs.
    func mayBeOf(_ other: Validators) -> Bool {
        if let entityTag, let tag = other.entityTag { return Self.opaque(entityTag) == Self.opaque(tag) }
        guard let lastModified, let moment = other.lastModified else { return true }
        return HTTPDate.parse(lastModified) == HTTPDate.parse(moment)
    }

    /// The tag without its `W/`, for a weak comparison.
    static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    /// Whether the text is an `entity-tag` (§8.8.3) of ASCII characters.
    private static func isTag(_ text: String) -> Bool {
        let opaque = opaque(text)
        guard text.utf8.count <= longestTag, opaque.utf8.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\"")
        else { return false }
        return opaque.dropFirst().dropLast().utf8.allSatisfy { ASCII.isVisible($0) && $0 != ASCII.quote }
    }
}

extension HeaderFields {
    /// Whether the conditions of this request say that the client has the version with this tag, which was changed at a time
    /// in unix seconds (RFC 9110 §13.2.2).
    ///
    /// If-None-Match goes before If-Modified-Since. Tags are compared weakly (§8.8.3.2).
    public func hasVersion(_ tag: String?, changed: Int?) -> Bool {
        guard bytes("If-None-Match") != nil else {
            guard let changed, let since = self["If-Modified-Since"].flatMap({ HTTPDate.parse($0) }) else {
                return false
            }
            return changed <= since
        }
        // Nearly always the field has one tag, as it was sent.
        if let tag, bytes("If-None-Match")?.elementsEqual(tag.utf8) == true { return true }
        let opaque = tag.map(Validators.opaque)
        var isFound = false
        for line in lines("If-None-Match") {
            forEachElement(of: line.value) {
                let element = bytes.text($0)
                isFound = isFound || element == "*" || Validators.opaque(element) == opaque
            }
        }
        return isFound
    }
}
