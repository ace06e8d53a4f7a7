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
        let changed = headers.first { $0.name == "Last-Modified" }.flatMap { HTTPDate.parse($0.value) }
        guard conditions.hasVersion(tag, changed: changed) else { return false }
        vary(by: "Accept-Encoding")
        becomeNotModified()
        return true
    }

    /// Makes it the answer for a client that has this version.
    mutating func becomeNotModified() {
        status = .notModified
        headers.removeAll { Self.bodyFields.contains($0.name) }
        body = []
    }

    /// Returns a weak entity tag for `body`: its checksum and its length.
    ///
    /// An attacker gains nothing from equal tags but a stale answer for himself.
    static func entityTag(of body: [UInt8]) -> String {
        "W/\"\(String(weir_checksum(body, body.count), radix: 16))-\(String(body.count, radix: 16))\""
    }
}
