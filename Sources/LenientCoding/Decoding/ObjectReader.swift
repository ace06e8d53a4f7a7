import JSONText

/// Where the reader of an object was last: members are mostly asked for in their order.
struct ObjectCursor {
    var object = UInt32.max
    var ordinal: UInt32 = 0
    var position: UInt32 = 0
}

/// Finds the members of an object.
struct ObjectReader {
    let session: DecodingSession
    let object: UInt32
    let place: Place
    private let shape: UnsafeMutablePointer<ObjectShape>
    /// The members' places in objects that are too large to be walked.
    private let positions: UnsafeMutablePointer<UInt32>?

    /// Objects of up to so many members are walked from where the last member was found.
    private static let walkedCount = 64

    init(_ session: DecodingSession, _ node: JSONNode, _ place: Place, keyType: ObjectIdentifier) {
        self.session = session
        self.place = place
        object = node.position
        shape = session.state.pointee.shapes.shape(node, keyType) { session.codingPath(place) }
        positions = node.count > Self.walkedCount ? session.state.pointee.shapes.positions(node) : nil
        if shape.pointee.index.hasDuplicates { session.noteDuplicates(of: shape, at: object, place) }
    }

    /// What the members are called in coding keys, each name once.
    var names: [String] { session.isLive ? shape.pointee.codingNames() : [] }

    /// The place of the value that the coding key called `name` means; 0 when there is none.
    @inline(__always)
    func find(_ name: String) -> UInt32 {
        guard session.isLive else { return 0 }
        let cursor = session.state.pointee.cursors + place.slot(of: DecodingState.cursorCount)
        let expected = cursor.pointee.object == object ? Int(cursor.pointee.ordinal) &+ 1 : 0
        guard let ordinal = shape.pointee.ordinal(of: name, expected: expected) else { return 0 }
        return position(of: ordinal, cursor)
    }

    @inline(__always)
    private func position(of ordinal: Int, _ cursor: UnsafeMutablePointer<ObjectCursor>) -> UInt32 {
        let ordinal = UInt32(truncatingIfNeeded: ordinal)
        if let positions {
            cursor.pointee = ObjectCursor(object: object, ordinal: ordinal)
            return positions[Int(ordinal)]
        }
        var reached = cursor.pointee
        if reached.object != object || reached.ordinal > ordinal {
            reached = ObjectCursor(object: object, position: session.node(object).firstPosition)
        }
        var key = session.node(reached.position)
        while reached.ordinal < ordinal {
            key = session.node(key.valueOfKey.nextPosition)
            reached.ordinal &+= 1
        }
        reached.position = key.position
        cursor.pointee = reached
        return key.valueOfKey.position
    }
}
