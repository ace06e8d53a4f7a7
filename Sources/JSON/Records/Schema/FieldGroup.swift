// Unsafe: a group has the address of its record, so that the fields in it keep their offsets from there.
import JSONText

extension FieldLine {
    /// The key of the object that holds a field whose name is a path; nil for a plain name.
    private var group: String? {
        guard shape.isListed, let dot = name.firstIndex(of: ".") else { return nil }
        return String(name[..<dot])
    }

    /// Returns the lines with one line for all fields in the same object: `location.city` and `location.country` become
    /// `location`, at the place of the first one.
    static func grouped(_ lines: [FieldLine]) -> [FieldLine] {
        if lines.allSatisfy({ $0.group == nil }) { return lines }
        var groups: [String: [FieldLine]] = [:]
        for line in lines {
            guard let group = line.group else { continue }
            let name = String(line.name.dropFirst(group.count + 1))
            let inner = FieldLine(name: name, offset: line.offset, shape: line.shape, rules: line.rules)
            groups[group, default: []].append(inner)
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
