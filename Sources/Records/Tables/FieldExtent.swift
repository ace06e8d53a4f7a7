/// How much of a field is selected.
enum FieldExtent {
    case none
    case whole
    case part(FieldPart)

    /// What either selects.
    func union(_ other: FieldExtent) -> FieldExtent {
        switch (self, other) {
        case (.whole, _), (_, .whole): .whole
        case (.none, let extent), (let extent, .none): extent
        case (.part(let left), .part(let right)): .part(left.union(right))
        }
    }

    /// What both select.
    func intersection(_ other: FieldExtent) -> FieldExtent {
        switch (self, other) {
        case (.none, _), (_, .none): .none
        case (.whole, let extent), (let extent, .whole): extent
        case (.part(let left), .part(let right)): .part(left.intersection(right))
        }
    }
}

/// What is selected inside a field that is not selected whole.
@usableFromInline
final class FieldPart: Sendable {
    /// Of a record: the extent of each field of its table; else empty.
    let fields: [FieldExtent]
    /// Of members whose keys are data: the extent of those that were named.
    private let named: [String: FieldExtent]
    /// Whether members that were not named are selected too.
    private let takesUnnamed: Bool

    init(fields: [FieldExtent] = [], named: [String: FieldExtent] = [:], takesUnnamed: Bool = false) {
        self.fields = fields
        self.named = named
        self.takesUnnamed = takesUnnamed
    }

    /// The extent of a member whose key is data.
    func extent(of key: String) -> FieldExtent { named[key] ?? (takesUnnamed ? .whole : .none) }

    func union(_ other: FieldPart) -> FieldPart { merging(other, takesUnnamed || other.takesUnnamed) { $0.union($1) } }

    func intersection(_ other: FieldPart) -> FieldPart {
        merging(other, takesUnnamed && other.takesUnnamed) { $0.intersection($1) }
    }

    private func merging(
        _ other: FieldPart, _ takesUnnamed: Bool, _ merge: (FieldExtent, FieldExtent) -> FieldExtent
    ) -> FieldPart {
        let keys = Set(named.keys).union(other.named.keys)
        return FieldPart(
            fields: zip(fields, other.fields).map(merge),
            named: Dictionary(uniqueKeysWithValues: keys.map { ($0, merge(extent(of: $0), other.extent(of: $0))) }),
            takesUnnamed: takesUnnamed)
    }
}
