import JSONText

/// A path such as `hourly.data.temperature`, followed through the tables of records.
enum FieldPath {
    /// What `names` select inside a field, of which they are the way on; nil when they lead nowhere.
    static func extent(of names: ArraySlice<String>, in members: FieldMembers.Kind) -> FieldExtent? {
        guard let name = names.first else { return .whole }
        if name.isEmpty { return nil }
        let rest = names.dropFirst()
        switch members {
        case .none: return nil
        case .anything: return extent(of: rest, in: .anything).map { .part(FieldPart(named: [name: $0])) }
        case .fields(let table):
            if let index = table.index(of: name) {
                return extent(of: rest, in: table.fields[index].shape.members.kind).map { .part(table.part(index, $0)) }
            }
            if !table.takesOthers { return nil }
            return extent(of: rest, in: .anything).map { .part(table.part(CamelCase.convert(name), $0)) }
        }
    }

    /// The path that was most likely meant by one that leads nowhere: at each step the field itself, one spelled alike, or
    /// one a step further in.
    static func nearest(to names: ArraySlice<String>, in members: FieldMembers.Kind) -> String? {
        guard let name = names.first, case .fields(let table) = members else { return nil }
        let rest = names.dropFirst()
        if let index = table.index(of: name) {
            let field = table.fields[index]
            return nearest(to: rest, in: field.shape.members.kind).map { "\(field.name).\($0)" } ?? field.name
        }
        if let near = NearestName.find(name, among: table.fields.map(\.name)) {
            return nearest(to: [near] + rest, in: members)
        }
        let outer = table.fields.first { field in
            guard case .fields(let inner) = field.shape.members.kind else { return false }
            return inner.index(of: name) != nil
        }
        return outer.flatMap { nearest(to: [$0.name] + names, in: members) }
    }
}

extension RecordTable {
    fileprivate func index(of name: String) -> Int? {
        fields.firstIndex { $0.name == name } ?? fields.firstIndex { $0.rules.spellings.contains(name) }
    }

    /// A part with nothing but the listed field.
    fileprivate func part(_ index: Int, _ extent: FieldExtent) -> FieldPart {
        FieldPart(
            fields: fields.indices.map { $0 == index ? extent : .none },
            // In another spelling a field may stand among the other members.
            named: !takesOthers ? [:] : [fields[index].name: extent])
    }

    /// A part with nothing but the member of that key, which no field is for.
    fileprivate func part(_ key: String, _ extent: FieldExtent) -> FieldPart {
        FieldPart(fields: fields.map { _ in .none }, named: [key: extent])
    }
}
