import Settings
import API

extension RouteConfiguration {
    /// Fields of an upstream's response that clients never get.
    private static let privateFields: Set = [
        "age", "alt-svc", "authentication-info", "cache-control", "cache-status", "connection", "content-encoding",
        "content-length", "content-location", "content-range", "content-type", "date", "etag", "expires",
        "keep-alive", "last-modified", "pragma", "retry-after", "set-cookie", "set-cookie2",
        "strict-transport-security",
        "link", "te", "trailer", "transfer-encoding", "upgrade", "vary", "via", "weir-drift", "weir-parts",
        "www-authenticate", "x-request-id",
    ]

    private static func mayPass(_ field: String) -> Bool {
        MappedRequest.isFieldName(field) && !privateFields.contains(field) && !field.hasPrefix("proxy-")
            && !field.hasPrefix("access-control-") && !MappedRequest.reservedFields.contains(field)
    }

    /// Notes the faults that need no expression.
    func check(_ note: SettingNotes<RouteConfiguration>) {
        check(path: path, note)
        if knownName.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]{0,63}/) == nil {
            let name = Quotation.quote(knownName)
            note(\.name, "must be 1 to 64 letters, digits, _ and -, a letter first; here it is \(name)")
        }
        let names = parts?.elements.map(\.name) ?? []
        for (index, field) in (passHeaders ?? []).enumerated() {
            let part = parts == nil ? nil : String(field.prefix { $0 != "." })
            if let part, !names.contains(part) || !field.contains(".") {
                note(\.passHeaders, at: "[\(index)]", "must begin with the name of a part and a point")
            } else if !Self.mayPass(field.dropFirst(part.map { $0.count + 1 } ?? 0).lowercased()) {
                note(
                    \.passHeaders, at: "[\(index)]",
                    "must be the name of a field without framing, caching, cookies and credentials")
            }
        }
        if let next = rules.next {
            let note = note.included(\.rules)[\.next]
            if parts == nil, next.part != nil { note(\.part, "must be left out: there are no parts") }
            if parts != nil, !names.contains(next.part ?? "") {
                note(\.part, "must be the name of a part\(Quotation.hint(next.part ?? "", among: names))")
            }
        }
        for (index, name) in (options ?? []).enumerated() where !MappedShaping.names.contains(name) {
            note(\.options, at: "[\(index)]", "must be one of \(MappedShaping.names.joined(separator: ", "))")
        }
        // These have a meaning for one document alone.
        let ofOne: [(PartialKeyPath<RouteConfiguration>, isSet: Bool)] = [
            (\.fetch, fetch != nil), (\.otherParameters, otherParameters != nil),
        ]
        guard parts != nil else { return }
        for (setting, isSet) in ofOne where isSet { note(setting, "must be left out: there are parts") }
    }

    /// The fields of the response that clients get, in lower case: of a part, or of the only document.
    func passedFields(of part: String? = nil) -> [String] {
        let prefix = part.map { "\($0)." } ?? ""
        return (passHeaders ?? []).filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count).lowercased() }
    }

    private func check(path: String, _ note: SettingNotes<RouteConfiguration>) {
        if !path.hasPrefix("/") || path.hasSuffix("/") { return note(\.path, "must start with / and not end with it") }
        for prefix in ["/-/", PageRoutes.filesPrefix] where path.hasPrefix(prefix) {
            note(\.path, "must not start with \(prefix), which is reserved")
        }
        let template = RouteTemplate(path)
        for segment in template.segments {
            switch segment {
            case .literal(let bytes):
                let text = String(decoding: bytes, as: UTF8.self)
                if text.wholeMatch(of: /[A-Za-z0-9._~!$&'()*+,;=:@-]+/) == nil || text == "." || text == ".." {
                    note(
                        \.path,
                        "has the segment \(Quotation.quote(text)); a segment is a {parameter}, or characters of a path without escapes"
                    )
                } else if text.contains("*") {
                    note(
                        \.path,
                        "has the segment \(Quotation.quote(text)), and no wildcards; a {parameter} is any segment")
                }
            case .parameter(let name):
                if template.parameters.filter({ $0 == name }).count > 1 { note(\.path, "has {\(name)} twice") }
            }
        }
    }

    /// The name, which is the path in camelCase unless it is set: `stationsStationObservation`.
    var knownName: String {
        if let name { return name }
        let words = path.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.enumerated().map { index, word in
            index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
    }
}
