/// What stands inside a field, for paths that go on from it.
///
///     let members: FieldMembers = Alert.members  // its fields
public struct FieldMembers: Sendable {
    enum Kind {
        /// Nothing that has a name.
        case none
        /// The fields of a record.
        case fields(RecordTable)
        /// Members whose keys are data.
        case anything
    }

    /// Asked for late: a record may hold records of its own kind.
    private let resolve: @Sendable () -> Kind

    /// What there is.
    var kind: Kind { resolve() }

    /// Nothing that has a name: numbers, strings, dates.
    ///
    ///     let members = FieldMembers.none
    public static let none = FieldMembers { .none }
    /// Members whose keys are data.
    static let anything = FieldMembers { .anything }

    init(_ resolve: @escaping @Sendable () -> Kind) { self.resolve = resolve }
}

extension Record {
    /// The record's fields.
    public static var members: FieldMembers { FieldMembers { .fields(schema.table) } }
}

extension Array where Element: FieldValue {
    /// What stands inside the elements.
    public static var members: FieldMembers { Element.members }
}

extension JSONValue {
    /// Members whose keys are data.
    public static var members: FieldMembers { .anything }
}

extension OpenMap {
    /// Members whose keys are data.
    public static var members: FieldMembers { .anything }
}
