import JSONText

/// Where the reader of an object was last: members are mostly asked for in their order.
struct ObjectCursor {
    var object = UInt32.max
    var ordinal: UInt32 = 0
    var position: UInt32 = 0
}

/// Finds the members of an object.
// Copied for every member that is asked for: four words, and no references to count.
struct ObjectReader {
    let session: DecodingSession
    let object: UInt32
    let place: Place
    private let generation: UInt32
    private let shape: UnsafeMutablePointer<ObjectShape>

    /// A member up to so many members behind the last one is walked to.
    private static let walkedCount: UInt32 = 64

    /// Reads `node` with keys of type `Key`.
    init<Key: CodingKey>(_ session: DecodingSession, _ node: JSONNode, _ place: Place, _ keys: Key.Type) {
        self.session = session
        self.place = place
        object = node.position
        shape = session.state.pointee.shapes.shape(node, ObjectIdentifier(keys)) { session.codingPath(place) }
        generation = shape.pointee.generation
        if shape.pointee.index.hasDuplicates { session.noteDuplicates(of: shape, at: object, place) }
        if session.state.pointee.tellsUnknownMembers {
            let unknown = shape.pointee.unknownNames {
                Key(stringValue: $0) != nil || Key(stringValue: $1) != nil
            }
            session.noteUnknown(unknown, at: object, place)
        }
    }

    /// What the members are called, converted and as they are spelled, each name once.
    func names(_ keyType: ObjectIdentifier) -> [(converted: String, spelled: String)] {
        session.isLive ? validShape(keyType).pointee.codingNames() : []
    }

    /// The object's shape, made again where it had to make room for others.
    @inline(__always)
    private func validShape(_ keyType: @autoclosure () -> ObjectIdentifier) -> UnsafeMutablePointer<ObjectShape> {
        shape.pointee.generation == generation ? shape : madeAgain(keyType())
    }

    @inline(never)
    private func madeAgain(_ keyType: ObjectIdentifier) -> UnsafeMutablePointer<ObjectShape> {
        session.state.pointee.shapes.shape(session.node(object), keyType) { session.codingPath(place) }
    }

    /// The place of the value that `key` means; 0 when there is none.
    @inline(__always)
    func find(_ key: some CodingKey, _ keyType: @autoclosure () -> ObjectIdentifier) -> UInt32 {
        guard session.isLive else { return 0 }
        let cursor = session.state.pointee.cursors + place.slot(of: DecodingState.cursorCount)
        let ordinal = validShape(keyType()).pointee.ordinal(of: key) {
            cursor.pointee.object == object ? Int(cursor.pointee.ordinal) &+ 1 : 0
        }
        return ordinal < 0 ? 0 : position(of: UInt32(truncatingIfNeeded: ordinal), cursor)
    }

    @inline(__always)
    private func position(of ordinal: UInt32, _ cursor: UnsafeMutablePointer<ObjectCursor>) -> UInt32 {
        var reached = cursor.pointee
        if reached.object != object || reached.ordinal > ordinal {
            reached = ObjectCursor(object: object, position: session.node(object).firstPosition)
        }
        if ordinal &- reached.ordinal > Self.walkedCount { return farPosition(of: ordinal, cursor) }
        var key = session.node(reached.position)
        while reached.ordinal < ordinal {
            key = session.node(key.valueOfKey.nextPosition)
            reached.ordinal &+= 1
        }
        reached.position = key.position
        cursor.pointee = reached
        return key.valueOfKey.position
    }

    @inline(never)
    private func farPosition(of ordinal: UInt32, _ cursor: UnsafeMutablePointer<ObjectCursor>) -> UInt32 {
        let key = session.state.pointee.shapes.keyPositions(session.node(object))[Int(ordinal)]
        cursor.pointee = ObjectCursor(object: object, ordinal: ordinal, position: key)
        return session.node(key).valueOfKey.position
    }
}
