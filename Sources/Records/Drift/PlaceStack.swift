/// The way from the document to the value at hand.
///
/// Going down and up costs a few stores; a path is spelled only where something has to be told.
package struct PlaceStack: ~Copyable {
    /// A step to a member, by a name that outlives the step, or to an element.
    private struct Step {
        let name: UnsafeBufferPointer<UInt8>
        /// The element's index, or -1 for a member.
        var element: Int
    }

    /// The longest key of a document that a path shows, in bytes.
    private static let maximumNameBytes = 64

    private var steps = UnsafeMutablePointer<Step>.allocate(capacity: 32)
    private var capacity = 32
    private(set) var count = 0

    package init() {}

    deinit { steps.deallocate() }

    /// Tells this place from others, elements of one array counted as equal.
    package var hash: UInt64 {
        UnsafeBufferPointer(start: steps, count: count).reduce(0) { hash, step in
            step.element >= 0 ? hash &* 31 &+ 1 : (hash ^ Self.hash(of: step.name)) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    /// FNV-1a: a place is told apart from a few hundred others, not from an adversary's.
    package static func hash(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        name.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    @inline(__always)
    package mutating func enter(_ name: UnsafeBufferPointer<UInt8>) { push(Step(name: name, element: -1)) }

    /// Goes to the elements of the array at hand.
    @inline(__always)
    package mutating func enterElements() {
        push(Step(name: UnsafeBufferPointer(start: nil, count: 0), element: 0))
    }

    @inline(__always)
    package mutating func go(toElement index: Int) { steps[count - 1].element = index }

    @inline(__always)
    package mutating func leave() { count -= 1 }

    @inline(__always)
    private mutating func push(_ step: Step) {
        if count == capacity { grow() }
        (steps + count).initialize(to: step)
        count += 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Step>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: steps, count: count)
        steps.deallocate()
        steps = larger
        capacity *= 2
    }

    /// The path, `hourly.data[12].windSpeed`, or for any element `hourly.data[].windSpeed`.
    package func path(indexed: Bool) -> String {
        var path = ""
        for index in 0..<count {
            let step = steps[index]
            if step.element >= 0 {
                path += indexed ? "[\(step.element)]" : "[]"
            } else {
                path += (path.isEmpty ? "" : ".") + Self.shown(step.name)
            }
        }
        return path
    }

    private static func shown(_ name: UnsafeBufferPointer<UInt8>) -> String {
        if name.count <= maximumNameBytes { return String(decoding: name, as: UTF8.self) }
        var end = maximumNameBytes
        while end > 0, name[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: name[..<end], as: UTF8.self)
    }
}
