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
    /// The decimal number before this one, of any length; nil for 0 and for other texts.
    var predecessor: String? { stepped(by: -1, carryingOver: UInt8(ascii: "0"), as: UInt8(ascii: "9")) }

    /// The decimal number after this one, of any length; nil for other texts.
    var successor: String? {
        stepped(by: 1, carryingOver: UInt8(ascii: "9"), as: UInt8(ascii: "0"))
            ?? (isDecimal ? "1" + String(repeating: "0", count: utf8.count) : nil)
    }

    private var isDecimal: Bool {
        !isEmpty && utf8.allSatisfy { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }
    }

    /// Changes the last digit that is not `full` by `step`, and sets the digits after it, which overflow, to `wrapped`.
    private func stepped(by step: Int, carryingOver full: UInt8, as wrapped: UInt8) -> String? {
        var digits = Array(utf8)
        guard isDecimal, let changing = digits.lastIndex(where: { $0 != full }) else { return nil }
        digits[changing] = UInt8(Int(digits[changing]) + step)
        for index in digits.indices[(changing + 1)...] { digits[index] = wrapped }
        if digits.count > 1, digits[0] == UInt8(ascii: "0") { digits.removeFirst() }
        return String(decoding: digits, as: UTF8.self)
    }
}
