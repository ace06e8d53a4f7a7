import Settings
import API
import JMESPath
import Records

/// The parts of an answer, and which of them need the documents of others.
struct PartsPlan: Sendable {
    struct Part: Sendable {
        let name: String
        let list: FetchList
        let isOptional: Bool
        /// The values for each of which one request is made; nil for one request.
        let each: JMESPath?
        let maximumEach: Int
        /// The numbers of the parts that its templates name.
        let needs: [Int]
    }

    /// The parts in the order of the file.
    let parts: [Part]

    /// Compiles the parts of a route, which has `common`; with a fault, the plan must not be used.
    init(
        _ settings: RouteConfiguration, _ common: FetchList.Common, _ note: SettingNotes<RouteConfiguration>
    ) {
        let elements = settings.parts?.elements ?? []
        let names = elements.map(\.name), parameters = common.parameters.names
        if elements.isEmpty { note(\.parts, "must have a part") }
        parts = elements.enumerated().map { index, element in
            let name = element.name
            func fault(_ detail: String) { note(\.parts, at: ".\(name)", detail) }
            if name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]{0,63}/) == nil {
                fault("must have a name of at most 64 letters, digits and _, no digit first")
            }
            if parameters.contains(name) { fault("has the name of a parameter") }
            if ConfiguredParameters.reserved.contains(name) {
                fault("has a reserved name; reserved are \(ConfiguredParameters.reserved.joined(separator: ", "))")
            }
            let options = Self.options(element, note)
            let own = TemplateNames(parameters: parameters, parts: Set(names))
            var each: JMESPath?
            if let text = options.each {
                do throws(RequestTemplate.Fault) { each = try RequestTemplate.expression(text, own) } catch {
                    note[\.parts, name, 0, of: element.value](\.each, error.detail)
                }
            }
            var (inner, common) = (own, common)
            (inner.hasEach, common.part) = (options.each != nil, index)
            let entries = settings.entries(of: element, note)
            if entries.isEmpty { fault("must have an entry") }
            let list = FetchList(entries, inner, common)
            let used = list.fetches.reduce(each?.usedNames ?? []) { $0.union($1.request.usedNames) }
            return Part(
                name: name, list: list, isOptional: options.optional ?? false, each: each,
                maximumEach: options.maximumEach ?? 20, needs: names.indices.filter { used.contains(names[$0]) })
        }
        if let cycle = Self.cycle(in: parts.map(\.needs)), let first = cycle.first {
            let way = cycle.map { names[$0] }.joined(separator: ", which needs ")
            note(\.parts, at: ".\(names[first])", "needs itself: \(way)")
        }
    }

    /// Returns the settings of a part as a whole, and notes those that are at a wrong place.
    private static func options(
        _ part: (name: String, value: OneOrMany<PartConfiguration>), _ note: SettingNotes<RouteConfiguration>
    ) -> PartConfiguration {
        var options = PartConfiguration()
        for (index, settings) in part.value.elements.enumerated() {
            let note = note[\.parts, part.name, index, of: part.value]
            if part.value.isList {
                let misplaced: [(PartialKeyPath<PartConfiguration>, isSet: Bool)] = [
                    (\.fetch, settings.fetch != nil), (\.optional, settings.optional != nil),
                    (\.each, settings.each != nil), (\.maximumEach, settings.maximumEach != nil),
                ]
                for (setting, isSet) in misplaced where isSet {
                    note(setting, "must stand beside the list: {\"fetch\": […], …}")
                }
                continue
            }
            options = settings
            if settings.fetch != nil, settings.hasEntry {
                note(\.fetch, "must be left out, or be the only description of requests")
            }
            if settings.maximumEach != nil, settings.each == nil {
                note(\.maximumEach, "must be left out, unless there is each")
            }
        }
        return options
    }

    /// Returns the numbers of parts each of which needs the next one, the first and the last being the same; nil for none.
    static func cycle(in needs: [[Int]]) -> [Int]? {
        var left = Set(needs.indices)
        while let free = left.first(where: { !needs[$0].contains(where: left.contains) }) { left.remove(free) }
        // Each part that is left needs one that is left.
        guard var part = left.min() else { return nil }
        var way: [Int] = []
        while true {
            if let start = way.firstIndex(of: part) { return way[start...] + [part] }
            way.append(part)
            part = needs[part].first(where: left.contains) ?? part
        }
    }

    /// The members of the documents of parts that the values of `each` read.
    var readings: [(expression: String, path: [String?])] {
        parts.flatMap { ($0.each?.readings ?? []).map(Self.ofPart) }
    }

    /// Returns a reading of the object of all parts as one of the document of a part.
    static func ofPart(_ reading: (expression: String, path: [String?])) -> (expression: String, path: [String?]) {
        (reading.expression, Array(reading.path.dropFirst()))
    }

    /// Returns the requests of each part that needs no other, and nil for the others.
    /// - Throws: `Fault` if one of them cannot be made.
    func requests(_ values: TemplateValues) throws(RequestTemplate.Fault) -> [PartRequests?] {
        var all: [PartRequests?] = []
        for part in parts {
            let requests = part.needs.isEmpty ? try part.requests(values) : nil
            for request in requests?.all ?? [] { _ = try request.get() }
            all.append(requests)
        }
        return all
    }
}

/// The requests of a part.
struct PartRequests: Sendable {
    /// The requests of the entries of the part, once, or once for each value of `each`.
    let all: [Result<[MappedRequest.Filled], RequestTemplate.Fault>]
    /// The number of values beyond the most that are taken.
    var dropped = 0
}

extension PartsPlan.Part {
    /// Returns the requests with the values of their templates.
    func requests(_ values: TemplateValues) throws(RequestTemplate.Fault) -> PartRequests {
        guard let each else { return PartRequests(all: [.success(try list.requests(values))]) }
        guard let value = try values.value(of: each) else { return PartRequests(all: []) }
        let elements = value.elements.map { Array($0.prefix(maximumEach)) } ?? [value]
        return PartRequests(
            all: elements.map { element in
                Result { () throws(RequestTemplate.Fault) in try list.requests(values.adding("each", element)) }
            },
            dropped: max(0, (value.elements?.count ?? 1) - elements.count))
    }
}
