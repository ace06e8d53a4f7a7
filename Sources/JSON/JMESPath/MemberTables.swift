import JSONText

/// Tables of the members of objects by their keys, so that each `lookup` in one object after the first takes the same time.
///
/// An object is known by its place in memory, which its table keeps alive: a value that `let` binds is never copied.
struct MemberTables {
    /// Objects with so many members need no table.
    static let smallest = 8
    private static let maximum = 8

    private var tables: [(object: JMESValue, members: [Name: JMESValue])] = []
    /// The table that the next one replaces once there are `maximum`.
    private var oldest = 0

    /// Returns the value of a member, or null; nil if the object has no table yet.
    func value(of name: String, in object: JMESValue) -> JMESValue? {
        for table in tables where table.object.isSame(as: object) { return table.members[Name(text: name)] ?? .null }
        return nil
    }

    /// Makes the table of an object, and returns the value of a member, or null.
    mutating func add(_ object: JMESValue, andFind name: String) -> JMESValue {
        var members: [Name: JMESValue] = [:]
        members.reserveCapacity(object.memberCount)
        for member in object.members { members[Name(text: member.key)] = member.value }
        defer {
            if tables.count < Self.maximum {
                tables.append((object, members))
            } else {
                tables[oldest] = (object, members)
                oldest = (oldest + 1) % Self.maximum
            }
        }
        return members[Name(text: name)] ?? .null
    }
}

extension JMESValue {
    /// Whether both are one object of the document, or share the memory of their members.
    fileprivate func isSame(as other: JMESValue) -> Bool {
        switch (self, other) {
        case (.node(let node), .node(let other)): node.isIdentical(to: other)
        case (.object(let members), .object(let others)):
            members.count == others.count
                && members.withUnsafeBufferPointer { members in
                    others.withUnsafeBufferPointer { $0.baseAddress == members.baseAddress }
                }
        default: false
        }
    }
}
