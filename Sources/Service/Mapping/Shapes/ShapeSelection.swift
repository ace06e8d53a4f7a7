import JMESPath
import JSONText
public import Records

extension Shape {
    /// Selects the fields of an answer that `paths` name, in the answer's names and through arrays.
    ///
    /// A path to an object or an array selects everything in it. Below a value that is passed on whole, every path is
    /// accepted, and every key of a map.
    ///
    /// - Throws: `UnknownFields` with all unknown paths.
    public func selection(of paths: [String]) throws(FieldSelection.UnknownFields) -> FieldSelection {
        try FieldSelection(paths, ofNone: FieldPart()) {
            root.extent(of: $0)
        } nearest: {
            root.nearest(to: $0)
        }
    }
}

extension ShapeNode {
    /// Returns the extent that the rest of a path selects in the value; nil if the path does not exist.
    fileprivate func extent(of names: ArraySlice<String>) -> FieldExtent? {
        guard let name = names.first else { return .whole }
        if name.isEmpty { return nil }
        let rest = names.dropFirst()
        switch content {
        case .scalar: return nil
        case .open, .openObject:
            if names.contains("") { return nil }
            return names.reversed().reduce(.whole) { .part(FieldPart(named: [$1: $0])) }
        case .array(let elements): return elements.node.extent(of: names)
        case .object(let properties, let others):
            if let index = properties.firstIndex(where: { Name.areEqual($0.name, name) }) {
                return properties[index].node.extent(of: rest).map { inner in
                    .part(FieldPart(fields: properties.indices.map { $0 == index ? inner : .none }))
                }
            }
            return others?.extent(of: rest).map { inner in
                .part(FieldPart(fields: properties.map { _ in .none }, named: [name: inner]))
            }
        }
    }

    /// Returns the existing path that was most likely meant.
    ///
    /// Each step takes the property itself, else one of similar spelling, else one that lies a step deeper.
    fileprivate func nearest(to names: ArraySlice<String>) -> String? {
        guard let name = names.first else { return nil }
        if case .array(let elements) = content { return elements.node.nearest(to: names) }
        guard case .object(let properties, _) = content else { return nil }
        if let property = properties.first(where: { Name.areEqual($0.name, name) }) {
            return property.node.nearest(to: names.dropFirst()).map { "\(property.name).\($0)" } ?? property.name
        }
        if let near = NearestName.find(name, among: properties.map(\.name)) {
            return nearest(to: [near] + names.dropFirst())
        }
        let outer = properties.first { $0.node.hasProperty(name) }
        return outer.flatMap { nearest(to: [$0.name] + names) }
    }

    private func hasProperty(_ name: String) -> Bool {
        switch content {
        case .array(let elements): elements.node.hasProperty(name)
        case .object(let properties, _): properties.contains { Name.areEqual($0.name, name) }
        default: false
        }
    }
}

extension JMESValue {
    /// Returns the value without the members that are not selected, also in the elements of an array.
    func selected(by part: FieldPart) -> JMESValue {
        switch kind {
        case .object:
            .object(
                members.compactMap { member in
                    switch part.extent(of: member.key) {
                    case .none: nil
                    case .whole: member
                    case .part(let inner): Member(member.key, member.value.selected(by: inner))
                    }
                })
        case .array:
            // Arrays in arrays stay whole, which bounds the recursion.
            .array((elements.map(Array.init) ?? []).map { $0.kind == .object ? $0.selected(by: part) : $0 })
        default: self
        }
    }
}

extension FieldExtent {
    /// Whether nothing is selected.
    var isNone: Bool { if case .none = self { true } else { false } }

    /// The extent of a part of the value, which `part` finds if not everything or nothing is selected.
    func inner(_ part: (FieldPart) -> FieldExtent) -> FieldExtent {
        if case .part(let selected) = self { part(selected) } else { self }
    }
}
