import CScan

extension JSONTransform {
    /// Where the writer goes on, and where its room ends.
    private struct Room {
        var cursor: UnsafeMutablePointer<UInt8>
        var limit: UnsafeMutablePointer<UInt8>

        init(_ writer: inout JSONWriter) {
            cursor = writer.reserve(64)
            limit = writer.buffer + writer.capacity
        }

        /// Accounts for what was written.
        func settle(_ writer: inout JSONWriter) { writer.advance(by: cursor - (writer.buffer + writer.count)) }

        @inline(__always)
        mutating func reserve(_ length: Int, _ writer: inout JSONWriter) {
            if limit - cursor < length { self = Self.larger(self, length, &writer) }
        }

        @inline(never)
        private static func larger(_ room: Room, _ length: Int, _ writer: inout JSONWriter) -> Room {
            room.settle(&writer)
            _ = writer.reserve(length)
            return Room(&writer)
        }

        @inline(__always)
        mutating func append(_ byte: UInt8) {
            cursor.pointee = byte
            cursor += 1
        }

        @inline(__always)
        mutating func append(
            _ start: UnsafePointer<UInt8>, _ length: Int, _ end: UnsafePointer<UInt8>, _ writer: inout JSONWriter
        ) {
            reserve(length &+ 32, &writer)
            weir_copy(cursor, start, length, end)
            cursor += length
        }
    }

    /// Writes what `root` becomes.
    ///
    ///     transform.write(root, to: &writer)  // {"nearestStation":1.2} of {"nearest-station":1.2,"lang":null}
    public mutating func write(_ root: JSONNode, to writer: inout JSONWriter) {
        forgetDocument()
        var room = Room(&writer)
        // The root is the one element of a container that is not written.
        var level = TransformLevel(index: root.index, end: root.next)
        while true {
            if level.index >= level.end {
                guard let outer = levels.popLast() else { break }
                // A comma stands behind every member: the last one gives way to the bracket.
                if room.cursor[-1] == UInt8(ascii: ",") { room.cursor -= 1 }
                room.reserve(32, &writer)
                room.append(level.bracket)
                room.append(UInt8(ascii: ","))
                level = leave(level, to: outer)
                continue
            }
            var value = level.index
            var next = value
            // Of a member that goes if its value is `null`: what has been written of it.
            var nameLength = 0
            switch level.mode {
            case .elements: next = JSONNode(root, index: value).next
            case .slots:
                value &+= 1
                next = JSONNode(root, index: value).next
                let entry = cache.entries + Int(slots.slots[level.slot])
                level.slot &+= 1
                if dropsNulls, JSONNode(root, index: value).isNull {
                    level.index = next
                    continue
                }
                let name = UnsafePointer(cache.text + Int(entry.pointee.offset))
                let length = Int(entry.pointee.length) &+ 3
                room.append(name, length, cache.textEnd, &writer)
                nameLength = dropsNulls ? length : 0
            case .names, .plan:
                let member = member(of: level)
                value = member.value
                next = level.mode == .plan ? level.index + 1 : JSONNode(root, index: value).next
                if dropsNulls, JSONNode(root, index: value).becomesNull {
                    level.index = next
                    continue
                }
                room.settle(&writer)
                write(
                    nameOf: JSONNode(root, index: member.key), keepsKey: level.keepsKeys || member.keepsKey, to: &writer
                )
                room = Room(&writer)
            }
            level.index = next
            let node = JSONNode(root, index: value)
            if node.isContainer {
                room.reserve(32, &writer)
                room.append(node.kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
                levels.append(level)
                level = enter(node, from: level)
            } else {
                Self.append(node, nameLength, &room, &writer)
            }
        }
        room.cursor -= 1
        room.settle(&writer)
    }

    /// Writes a scalar and a comma, or takes back the name before it where the scalar is no number.
    @inline(__always)
    private static func append(
        _ node: JSONNode, _ nameLength: Int, _ room: inout Room, _ writer: inout JSONWriter
    ) {
        let word = node.word
        let kind = word >> 60
        let quotes = kind == 5 || kind == 6 ? 1 : 0
        let length = node.length &+ 2 &* quotes
        room.append(node.source + (node.offset &- quotes), length, node.sourceEnd, &writer)
        if kind == 4, room.cursor[-1] > UInt8(ascii: "9") {
            room.cursor -= length &+ nameLength
            if nameLength > 0 { return }
            for byte in "null".utf8 { room.append(byte) }
        } else if kind == 6 {
            EscapedText.replaceLoneSurrogates(in: room.cursor - length, length)
        }
        room.append(UInt8(ascii: ","))
    }
}

extension JSONNode {
    /// Whether the value is written as `null`: it is that, or a number that is none.
    @inline(__always)
    var becomesNull: Bool {
        kind == .null || kind == .number && source[offset &+ length &- 1] > UInt8(ascii: "9")
    }
}
