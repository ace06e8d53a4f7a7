// Unsafe: a group has the address of its record, so that the fields in it keep their offsets from there.
import JSONText

/// One line of a record's table, made by `Field`, `OtherFields` or `Ignored`.
public struct FieldLine<Root: Record>: Sendable {
    let name: String
    /// The name of the property; empty for lines without one.
    let property: String
    let offset: Int
    let shape: FieldShape
    let rules: [FieldRule]

    /// A line for a stored property.
    ///
    /// The name is the property's own unless it is given.
    @usableFromInline
    init(_ name: String?, _ property: PartialKeyPath<Root>, _ shape: FieldShape, _ rules: [FieldRule]) {
        let propertyName = property.steps.last ?? ""
        let name = name ?? propertyName
        // Tables are constants of the program, so no input reaches the trap.
        guard let offset = MemoryLayout<Root>.offset(of: property) else {
            preconditionFailure("\(Root.self).\(name) is not a stored property")
        }
        self.init(name: name, property: propertyName, offset: offset, shape: shape, rules: rules)
    }

    init(name: String, property: String = "", offset: Int, shape: FieldShape, rules: [FieldRule]) {
        (self.name, self.property, self.offset) = (name, property, offset)
        (self.shape, self.rules) = (shape, rules)
    }

    /// Returns the line with other rules ahead of its own.
    func following(_ others: [FieldRule]) -> FieldLine {
        FieldLine(name: name, property: property, offset: offset, shape: shape, rules: others + rules)
    }
}

/// What a table needs to know about the type of a field.
@usableFromInline
struct FieldShape: Sendable {
    let storage: FieldStorage
    let isOptional: Bool
    /// Whether the line takes the members that no other line knows.
    var takesUnknownKeys = false
    /// Whether the line only names keys that are known and not read.
    var isIgnored = false
    /// The table of the fields in an object that is no record of its own; see ``FieldLine/grouped(_:)``.
    var group: RecordTable?
    let expectation: String
    let elementExpectation: String?
    let members: FieldMembers
    /// Makes the field's access once all rules of the field are known.
    let access: @Sendable (FieldRules) -> FieldAccess
    let schema: @Sendable (inout SchemaComponents) -> JSONValue

    @usableFromInline
    init(
        storage: FieldStorage, isOptional: Bool, expectation: String,
        elementExpectation: String? = nil, members: FieldMembers,
        access: @escaping @Sendable (FieldRules) -> FieldAccess,
        schema: @escaping @Sendable (inout SchemaComponents) -> JSONValue
    ) {
        self.storage = storage
        self.isOptional = isOptional
        self.expectation = expectation
        self.elementExpectation = elementExpectation
        self.members = members
        self.access = access
        self.schema = schema
    }

    /// Whether the line stands for a field of its own.
    var isListed: Bool { !takesUnknownKeys && !isIgnored }

    // Not inlined: its closures are then compiled once for a type, not for each field.
    @inlinable @inline(never)
    static func of<Value: FieldValue>(_ type: Value.Type, isOptional: Bool = false) -> FieldShape {
        FieldShape(
            storage: Value.storage, isOptional: isOptional, expectation: Value.expectation,
            elementExpectation: Value.elementExpectation, members: Value.members,
            access: { Value.access($0, isOptional: isOptional) }, schema: { Value.schema(in: &$0) })
    }
}

/// A required field of `Root`.
///
///     Field(\.latitude, .plausible(-90...90))
@inlinable
public func Field<Root: Record, Value: FieldValue>(
    _ property: WritableKeyPath<Root, Value>, _ rules: FieldRule...
) -> FieldLine<Root> {
    FieldLine(nil, property, .of(Value.self), rules)
}

/// An optional field of `Root`.
///
///     Field(\.regions, .dropInvalid)
@inlinable
public func Field<Root: Record, Value: FieldValue>(
    _ property: WritableKeyPath<Root, Value?>, _ rules: FieldRule...
) -> FieldLine<Root> {
    FieldLine(nil, property, .of(Value.self, isOptional: true), rules)
}

/// A required field of `Root` whose output key differs from the property's name, or which stands in an inner object.
///
///     Field("lat", \.latitude)
///     Field("location.lat", \.latitude)
///
/// A name with dots is a path: it is read from and written to `{"location":{"lat":…}}`. Fields with the same start
/// share the object, which is left out if all of them are absent. `.or` names other keys for the last step.
@inlinable
public func Field<Root: Record, Value: FieldValue>(
    _ name: String, _ property: WritableKeyPath<Root, Value>, _ rules: FieldRule...
) -> FieldLine<Root> {
    FieldLine(name, property, .of(Value.self), rules)
}

/// An optional field of `Root` whose output key differs from the property's name, or which stands in an inner object.
///
///     Field("areas", \.regions, .dropInvalid)
///     Field("source.agency.name", \.title)
@inlinable
public func Field<Root: Record, Value: FieldValue>(
    _ name: String, _ property: WritableKeyPath<Root, Value?>, _ rules: FieldRule...
) -> FieldLine<Root> {
    FieldLine(name, property, .of(Value.self, isOptional: true), rules)
}

/// A field that takes the scalar and array members that no other line knows, under their camelCase keys.
///
///     struct Flags: Record {
///         var units = "us", others: JSONValue = [:]
///         static let schema = Schema<Flags> {
///             Field(\.units)
///             OtherFields(\.others)
///         }
///     }
public func OtherFields<Root: Record>(_ property: WritableKeyPath<Root, JSONValue>) -> FieldLine<Root> {
    var shape = FieldShape.of(JSONValue.self)
    shape.takesUnknownKeys = true
    return FieldLine("", property, shape, [.defaulted])
}

/// Keys that upstreams are known to send and that the record does not read; they are not reported as unexpected.
///
///     struct Notice: Record {
///         var title = ""
///         static let schema = Schema<Notice> {
///             Field(\.title)
///             Ignored("id", "version")
///         }
///     }
///
/// - Parameter group: The object that has the keys, of those with fields whose names are paths; nil for the record itself.
public func Ignored<Root: Record>(_ keys: String..., in group: String? = nil) -> FieldLine<Root> {
    FieldLine(ignoring: group.map { group in keys.map { "\(group).\($0)" } } ?? keys)
}

/// The lines of a part's own table, as lines of the record that holds the part.
///
/// The part is read and written as if its fields were the record's own:
///
///     struct Warning: Record {
///         var alert = Alert(), note: String?
///         static let schema = Schema<Warning> {
///             Included(\.alert, through: "title")
///             Field(\.note)
///             Included(\.alert, after: "title")
///         }
///     }
///
/// - Parameters:
///   - first: The field after which the included ones begin; nil for the first field.
///   - last: The last field to include; nil for the last field.
public func Included<Root: Record, Part: Record>(
    _ part: WritableKeyPath<Root, Part>, after first: String? = nil, through last: String? = nil
) -> [FieldLine<Root>] {
    // Tables are constants of the program, so no input reaches the traps.
    guard let offset = MemoryLayout<Root>.offset(of: part) else {
        preconditionFailure("\(Root.self).\(part) is not a stored property")
    }
    let lines = Part.schema.lines
    func index(after name: String) -> Int {
        guard let index = lines.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("\(Part.self) has no field \(name)")
        }
        return index + 1
    }
    let start = first.map(index) ?? 0
    let end = last.map(index) ?? lines.count
    return lines[start..<max(start, end)].map {
        FieldLine(name: $0.name, offset: offset + $0.offset, shape: $0.shape, rules: $0.rules)
    }
}

/// The lines of a part's own table, of which some are replaced.
///
/// A replaced field has the name, the place and the rules of the part's own, and is read into another property:
///
///     Included(\.alert, replacing: [Field("expires", \.date)])
package func Included<Root: Record, Part: Record>(
    _ part: WritableKeyPath<Root, Part>, replacing others: [FieldLine<Root>]
) -> [FieldLine<Root>] {
    let lines: [FieldLine<Root>] = Included(part)
    let names = Set(lines.map(\.name))
    // Tables are constants of the program, so no input reaches the trap.
    precondition(others.allSatisfy { names.contains($0.name) }, "\(Part.self) lacks a field that \(Root.self) replaces")
    return lines.map { line in
        others.first { $0.name == line.name }.map { $0.following(line.rules) } ?? line
    }
}

// MARK: Fields in objects that are no records

extension FieldLine {
    /// The key of the object that holds a field whose name is a path; nil for a plain name.
    private var group: String? {
        guard shape.isListed, let dot = name.firstIndex(of: ".") else { return nil }
        return String(name[..<dot])
    }

    /// A line that names keys without reading them.
    fileprivate init(ignoring keys: [String]) {
        var shape = FieldShape.of(JSONValue.self, isOptional: true)
        shape.isIgnored = true
        self.init(name: "", offset: 0, shape: shape, rules: [FieldRule { $0.spellings += keys }])
    }

    /// The keys of a line that names keys without reading them.
    var ignoredKeys: [String] { shape.isIgnored ? FieldRules(isRequired: false, rules).spellings : [] }

    /// Returns the lines with one line for all fields in the same object: `location.city` and `location.country` become
    /// `location`, at the place of the first one.
    static func grouped(_ lines: [FieldLine]) -> [FieldLine] {
        if lines.allSatisfy({ $0.group == nil }) { return lines }
        var groups: [String: [FieldLine]] = [:]
        for line in lines {
            guard let group = line.group else { continue }
            let name = String(line.name.dropFirst(group.count + 1))
            let inner = FieldLine(
                name: name, property: line.property, offset: line.offset, shape: line.shape, rules: line.rules)
            groups[group, default: []].append(inner)
        }
        for key in lines.flatMap(\.ignoredKeys) {
            let steps = key.split(separator: ".", maxSplits: 1).map(String.init)
            if steps.count == 2 { groups[steps[0]]?.append(FieldLine(ignoring: [steps[1]])) }
        }
        // Tables are constants of the program, so no input reaches the trap.
        precondition(lines.allSatisfy { groups[$0.name] == nil }, "\(Root.self) has a field and paths into it")
        return lines.compactMap { line in
            guard let group = line.group else { return line }
            return groups.removeValue(forKey: group).map { FieldLine(group: group, of: $0) }
        }
    }

    private init(group name: String, of lines: [FieldLine]) {
        let table = RecordTable(lines)
        let isOptional = table.required.isEmpty
        var shape = FieldShape(
            storage: .composite, isOptional: isOptional, expectation: "an object",
            members: FieldMembers { .fields(table) },
            access: { _ in .group(table, isOptional: isOptional) },
            schema: { $0.schema(of: table, blank: SchemaComponents.written(Root())?[name]) })
        shape.group = table
        self.init(name: name, offset: 0, shape: shape, rules: [])
    }
}

extension FieldAccess {
    /// The access to the fields of an object that is no record of its own.
    ///
    /// It is absent if all of its fields are.
    fileprivate static func group(_ table: RecordTable, isOptional: Bool) -> FieldAccess {
        FieldAccess(
            read: { node, record, reader in reader.fill(record, by: table, from: node) },
            clear: { table.clear($0) },
            write: { record, key, writer, style in
                if !isOptional {
                    writer.write(key)
                    table.write(record, to: &writer, style: style)
                    return true
                }
                var inner = JSONWriter()
                table.write(record, to: &inner, style: style)
                if inner.count <= 2 { return false }
                writer.write(key)
                inner.bytes.withUnsafeBufferPointer { writer.write(raw: $0) }
                return true
            })
    }
}

extension RecordTable {
    /// Sets all optional fields to nil.
    fileprivate func clear(_ record: UnsafeMutableRawPointer) {
        for index in fields.indices {
            withAccess(to: index) { $0.clear(slots[index].address(in: record)) }
        }
    }

    /// Returns the field at an offset, also one in a group; nil if there is none.
    func field(at offset: Int?) -> Field? {
        for (index, field) in fields.enumerated() {
            if let group = field.shape.group {
                if let inner = group.field(at: offset) { return inner }
            } else if Int(slots[index].offset) == offset {
                return field
            }
        }
        return nil
    }
}
