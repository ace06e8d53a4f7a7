/// What the field Link of a list says of those after it (RFC 8288): `<https://…?max_id=7>; rel="next", <…>; rel="prev"`.
struct NextPage: Sendable {
    private static let longest = 64

    /// The id that they are asked for with; nil at the end of the list.
    let maxId: String?

    /// Reads a field; nil where it is none, or where its id is none that could be asked for.
    init?(link: String) {
        let links = link.split(separator: ",").filter { $0.contains("max_id=") || $0.contains("rel=") }
        guard !links.isEmpty else { return nil }
        guard let next = links.first(where: { $0.contains("rel=\"next\"") || $0.hasSuffix("rel=next") }) else {
            maxId = nil
            return
        }
        let target = next.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
        let query = target.drop { $0 != "?" }
        guard let id = PercentText.parameter("max_id", of: String(query)), !id.isEmpty, id.utf8.count <= Self.longest,
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        else { return nil }
        maxId = id
    }
}
