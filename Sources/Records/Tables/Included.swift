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
///   - last: The last field that is included; nil for all.
///   - first: The field behind which those that are included begin; nil for all.
public func Included<Root: Record, Part: Record>(
    _ part: WritableKeyPath<Root, Part>, after first: String? = nil, through last: String? = nil
) -> [FieldLine<Root>] {
    guard let offset = MemoryLayout<Root>.offset(of: part) else {
        // Tables are constants of the program: no input reaches this.
        preconditionFailure("\(Root.self).\(part) is not a stored property")
    }
    let lines = Part.schema.lines
    func index(of name: String?) -> Int? {
        name.map { name in
            guard let index = lines.firstIndex(where: { $0.name == name }) else {
                preconditionFailure("\(Part.self) has no field \(name)")
            }
            return index
        }
    }
    let start = index(of: first).map { $0 + 1 } ?? 0
    let end = index(of: last).map { $0 + 1 } ?? lines.count
    return lines[start..<max(start, end)].map {
        FieldLine(name: $0.name, offset: offset + $0.offset, shape: $0.shape, rules: $0.rules)
    }
}
