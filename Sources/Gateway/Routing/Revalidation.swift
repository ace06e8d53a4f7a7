import CScan
import CivilDates
import HTTPCore

extension Response {
    /// Fields that describe a body, which a 304 lacks (RFC 9110 §15.4.5).
    private static let bodyFields = ["Content-Type", "Content-Encoding", "Content-Language", "Last-Modified"]

    /// Gives a 200 an entity tag, and makes it a 304 if the client has this version; returns whether it did.
    ///
    /// The tag is weak, because it stands for the content in every coding. If-None-Match goes before If-Modified-Since,
    /// which needs a Last-Modified (RFC 9110 §13.2.2).
    mutating func revalidate(for conditions: HeaderFields) -> Bool {
        guard status == .ok else { return false }
        let tag = Self.entityTag(of: body)
        headers.append(("ETag", tag))
        guard isKnown(tag, conditions) else { return false }
        status = .notModified
        vary(by: "Accept-Encoding")
        headers.removeAll { Self.bodyFields.contains($0.name) }
        body = []
        return true
    }

    /// Whether the client has the version with this tag.
    private func isKnown(_ tag: String, _ conditions: HeaderFields) -> Bool {
        if conditions.bytes("If-None-Match") != nil {
            // Weak comparison (RFC 9110 §8.8.3.2). The digits of our tags have one letter case only.
            return ["*", tag, String(tag.dropFirst(2))].contains { conditions.contains($0, in: "If-None-Match") }
        }
        guard let since = conditions["If-Modified-Since"].flatMap({ HTTPDate.parse($0) }),
            let changed = headers.first(where: { $0.name == "Last-Modified" }).flatMap({ HTTPDate.parse($0.value) })
        else { return false }
        return changed <= since
    }

    /// Returns a weak entity tag for `body`: its checksum and its length.
    ///
    /// An attacker gains nothing from equal tags but a stale answer for himself.
    static func entityTag(of body: [UInt8]) -> String {
        "W/\"\(String(weir_checksum(body, body.count), radix: 16))-\(String(body.count, radix: 16))\""
    }
}
