import CScan

/// The keys that a transform has met, each with the text `"name":` that is written for it.
///
/// A hash table with a bounded number of keys and probes. It refuses a key that finds no place, for instance because a
/// client has chosen keys that collide; the object of that key then takes the slower `ObjectPlan`.
///
/// Unsafe: reads and writes its entries and text through pointers, because with arrays a transform takes 20 % more
/// instructions. Every slot is below `slotCount`, every entry's text below `textSize`, and every claim below `claimCount`.
struct KeyCache: ~Copyable {
    private struct Entry {
        /// The first and last 8 bytes of the key, which are all of a key of up to 16 bytes.
        var ends = weir_key_ends()
        /// The length of the key; 0 for an empty entry.
        var length: UInt32 = 0
        /// The offset of the text.
        var offset: UInt32 = 0
        /// The slot of the key in camelCase.
        var camel: UInt32 = 0
        /// The last object that has a member of this name.
        var owner: UInt32 = 0
        /// The symbol of the key in an edit.
        var symbol: UInt32 = 0
        /// The last edited object that has the key.
        var editedOwner: UInt32 = 0
    }

    /// The claim of a member that is left out; other claims are a name's slot below the symbol of the key.
    private static let noClaim = -1

    private static let slotCount = 1024
    private static let slotBits = 10
    private static let slotMask = slotCount - 1
    private static let maximumCount = 512
    private static let maximumProbes = 16
    private static let maximumLength = 256
    private static let textSize = 64 << 10

    private let entries: UnsafeMutablePointer<Entry>
    private let text: UnsafeMutablePointer<UInt8>
    private let paths: EditPaths
    private var memo: ClaimMemo
    private var count = 0
    private var textCount = 0
    private var owner: UInt32 = 0
    /// The names that the members of open objects have claimed, outermost object first.
    private var claims: UnsafeMutablePointer<Int>
    private var claimCapacity = 256
    private(set) var claimCount = 0
    /// Whether a key has found no room.
    private var isFull = false

    init(_ paths: EditPaths) {
        self.paths = paths
        memo = ClaimMemo(slotCount: Self.slotCount, paths: paths)
        entries = .allocate(capacity: Self.slotCount)
        entries.initialize(repeating: Entry(), count: Self.slotCount)
        claims = .allocate(capacity: claimCapacity)
        text = .allocate(capacity: Self.textSize + PaddedText.blockLength)
    }

    deinit {
        claims.deallocate()
        entries.deallocate()
        text.deallocate()
    }

    /// Claims the names of an object's members and appends the claims to `claims`; `edited` says that the object is edited.
    ///
    /// Returns false, and claims nothing, if two members have the same name, or if a key is empty, has escapes or finds no
    /// place in the cache.
    mutating func claimNames(
        of object: JSONNode, keepsKeys: Bool, in edited: EditedObject?, _ edits: inout EditWalk
    ) -> Bool {
        guard owner < .max else {
            isFull = true
            return false
        }
        owner += 1
        if claimCapacity - claimCount < object.count { growClaims(by: object.count) }
        let known = edited.map { edited in
            memo.claims(at: edits.positions(at: edited.depth), rule: 1 | (keepsKeys ? 2 : 0) | (edited.isKept ? 4 : 0))
        }
        var next = claims + claimCount
        var key = object.firstChild
        let end = object.next
        while key.index < end {
            let value = key.valueOfKey
            guard key.kind == .string, key.length > 0, let slot = slot(of: key.source + key.offset, key.length)
            else { return false }
            var claim = keepsKeys ? slot : Int(entries[slot].camel)
            if let known, let edited {
                guard entries[slot].editedOwner != owner else { return false }
                entries[slot].editedOwner = owner
                claim = Int(known[slot])
                if claim == ClaimMemo.unknown {
                    guard let new = self.claim(slot, value, in: edited, keepsKeys: keepsKeys, &edits, known) else {
                        return false
                    }
                    claim = new
                }
            }
            if claim != Self.noClaim {
                let name = claim & Self.slotMask
                if entries[name].owner == owner { return false }
                entries[name].owner = owner
            }
            next.pointee = claim
            next += 1
            key = JSONNode(key, index: value.next)
        }
        claimCount += object.count
        return true
    }

    /// Returns the claim of a member; nil if its new name finds no place.
    @inline(never)
    private mutating func claim(
        _ slot: Int, _ value: JSONNode, in edited: EditedObject, keepsKeys: Bool, _ edits: inout EditWalk,
        _ known: UnsafeMutablePointer<Int32>
    ) -> Int? {
        let symbol = Int(entries[slot].symbol)
        let member = edits.member(symbol, value, in: edited)
        var claim = Self.noClaim
        if member.stays {
            var name: Int? = keepsKeys ? slot : Int(entries[slot].camel)
            if let position = member.renaming { name = self.slot(ofNewName: position) }
            guard let name else { return nil }
            claim = symbol << Self.slotBits | name
        }
        if !member.dependsOnValue { known[slot] = Int32(truncatingIfNeeded: claim) }
        return claim
    }

    /// Returns the slot of the name that a path gives; nil if there is none or the name has escapes.
    private mutating func slot(ofNewName position: Int) -> Int? {
        guard let name = paths.newName(at: position), name.isPlain else { return nil }
        return name.bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.flatMap { slot(of: $0, bytes.count) }
        }
    }

    /// The symbol of the key of the claim at `index`, of an edited object.
    @inline(__always)
    func symbol(ofClaim index: Int) -> Int { claims[index] &>> Self.slotBits }

    /// Whether the claim at `index` is for a member that is left out.
    @inline(__always)
    func isNoClaim(at index: Int) -> Bool { claims[index] == Self.noClaim }

    /// Forgets the claims from `count` on.
    mutating func keepClaims(_ count: Int) { claimCount = min(count, claimCount) }

    @inline(never)
    private mutating func growClaims(by count: Int) {
        claimCapacity = 2 * claimCapacity + count
        let larger = UnsafeMutablePointer<Int>.allocate(capacity: claimCapacity)
        larger.update(from: claims, count: claimCount)
        claims.deallocate()
        claims = larger
    }

    /// The name that the claim at `index` is for, in quotes with its colon.
    @inline(__always)
    func name(ofClaim index: Int) -> PaddedText {
        let slot = claims[index] & Self.slotMask
        return PaddedText(start: text + Int(entries[slot].offset), count: Int(entries[slot].length) &+ 3)
    }

    @inline(__always)
    private mutating func slot(of key: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        let ends = weir_ends_of_key(key, length)
        var slot = Self.firstSlot(ends, length)
        for _ in 0..<Self.maximumProbes {
            if holds(key, length, ends, at: slot) { return slot }
            if entries[slot].length == 0 { break }
            slot = (slot &+ 1) % Self.slotCount
        }
        return insert(key, length)
    }

    @inline(__always)
    private func holds(_ key: UnsafePointer<UInt8>, _ length: Int, _ ends: weir_key_ends, at slot: Int) -> Bool {
        let entry = entries + slot
        guard entry.pointee.ends.first == ends.first, entry.pointee.ends.last == ends.last,
            entry.pointee.length == length
        else { return false }
        return length <= 16 || weir_equal_keys(text + Int(entry.pointee.offset) + 1, key, length)
    }

    /// Adds a key and its name in camelCase, if there is room.
    @inline(never)
    private mutating func insert(_ key: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        guard length <= Self.maximumLength else { return nil }
        guard count + 2 <= Self.maximumCount, textCount + 2 * (length + 3) <= Self.textSize else {
            isFull = true
            return nil
        }
        let name = CamelCase.convert(UnsafeBufferPointer(start: key, count: length).span)
        // The name comes first: if there is no place for it, the key must not stay without it.
        guard let camel = place(name, name.count), let slot = place(key, length) else { return nil }
        entries[slot].camel = UInt32(truncatingIfNeeded: camel)
        return slot
    }

    /// Returns the slot of a key, which is taken if it is new, or nil if there is none.
    ///
    /// A new key is its own name in camelCase.
    private mutating func place(_ key: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        let ends = weir_ends_of_key(key, length)
        var slot = Self.firstSlot(ends, length)
        for _ in 0..<Self.maximumProbes {
            if holds(key, length, ends, at: slot) { return slot }
            if entries[slot].length == 0 {
                entries[slot] = Entry(
                    ends: ends, length: UInt32(truncatingIfNeeded: length),
                    offset: UInt32(truncatingIfNeeded: textCount), camel: UInt32(truncatingIfNeeded: slot))
                if !paths.isEmpty {
                    let symbol = paths.symbol(of: Array(UnsafeBufferPointer(start: key, count: length)))
                    entries[slot].symbol = UInt32(truncatingIfNeeded: symbol)
                }
                count += 1
                append(UInt8(ascii: "\""))
                (text + textCount).update(from: key, count: length)
                textCount += length
                append(UInt8(ascii: "\""))
                append(UInt8(ascii: ":"))
                return slot
            }
            slot = (slot + 1) % Self.slotCount
        }
        return nil
    }

    /// Forgets all keys if one has found no room; must not be called while an object is open.
    mutating func makeRoom() {
        // The findings of an edit are counted for each document.
        memo.forget()
        guard isFull else { return }
        entries.update(repeating: Entry(), count: Self.slotCount)
        (count, textCount, owner, isFull) = (0, 0, 0, false)
    }

    private mutating func append(_ byte: UInt8) {
        text[textCount] = byte
        textCount += 1
    }

    @inline(__always)
    private static func firstSlot(_ ends: weir_key_ends, _ length: Int) -> Int {
        let mixed = ends.first ^ (ends.last &<< 23 | ends.last &>> 41) ^ UInt64(truncatingIfNeeded: length)
        // The highest 10 bits of the product depend on all bits of the key.
        return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) &>> 54)
    }
}
