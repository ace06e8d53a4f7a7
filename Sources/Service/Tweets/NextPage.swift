import HTTPCore

/// The next page of a list, as the `Link` header field names it (RFC 8288):
/// `<https://…?max_id=7>; rel="next", <…>; rel="prev"`.
struct NextPage: Sendable {
    private static let longestId = 64

    /// The `maxId` that requests the next page; nil at the end of the list.
    let maxId: String?

    /// Reads a header field; nil if it has no links, or if the id in the next link could not be requested.
    init?(link: String) {
        let links = link.split(separator: ",").filter { $0.contains("max_id=") || $0.contains("rel=") }
        guard !links.isEmpty else { return nil }
        guard let next = links.first(where: { $0.contains("rel=\"next\"") || $0.hasSuffix("rel=next") }) else {
            maxId = nil
            return
        }
        let target = next.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
        guard let id = Self.parameter("max_id", of: target.drop { $0 != "?" }), !id.isEmpty,
            id.utf8.count <= Self.longestId,
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        else { return nil }
        maxId = id
    }

    /// Returns the decoded value of a parameter in a query such as `?max_id=250&q=rain`.
    static func parameter(_ name: String, of query: some StringProtocol) -> String? {
        query.drop { $0 == "?" }.split(separator: "&").first { $0.hasPrefix(name + "=") }
            .map { PercentCoding.decodeLeniently(String($0.dropFirst(name.count + 1))) }
    }
}

extension String {
    /// The decimal number before this one; nil for 0 and for other texts.
    var predecessor: String? { decimal.flatMap { $0 > 0 ? String($0 - 1) : nil } }

    /// The decimal number after this one; nil for other texts.
    var successor: String? { decimal.flatMap { $0 < .max ? String($0 + 1) : nil } }

    /// The number of 64 bits that the text is, without a sign.
    private var decimal: UInt64? {
        utf8.first.flatMap { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 ? UInt64(self) : nil }
    }
}
