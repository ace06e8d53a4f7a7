// Unsafe: a stack of trivial steps whose names point into the document or into static strings, which outlive the steps.
import JSONText

/// The location of the current value: the steps that lead to it from the root of the document.
///
/// Entering and leaving costs a few stores; the path is rendered only when something is reported.
package struct LocationStack: ~Copyable {
    /// A step to a member, whose name must outlive the step, or to an element.
    private struct Step {
        let name: UnsafeBufferPointer<UInt8>
        /// The element's index, or -1 for a member.
        var element: Int
    }

    private var steps = UnsafeMutablePointer<Step>.allocate(capacity: 32)
    private var capacity = 32
    private(set) var count = 0

    package init() {}

    deinit { steps.deallocate() }

    /// A hash of the path pattern: elements of one array hash alike.
    package var hash: UInt64 {
        UnsafeBufferPointer(start: steps, count: count).reduce(0) { hash, step in
            step.element >= 0 ? hash &* 31 &+ 1 : (hash ^ Self.hash(of: step.name)) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    /// FNV-1a.
    ///
    /// It separates the few hundred locations of a report; a collision merges two entries, no more.
    package static func hash(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        name.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    @inline(__always)
    package mutating func enter(_ name: UnsafeBufferPointer<UInt8>) { push(Step(name: name, element: -1)) }

    /// Enters the current array; `move(toElement:)` chooses the element.
    @inline(__always)
    package mutating func enterElements() {
        push(Step(name: UnsafeBufferPointer(start: nil, count: 0), element: 0))
    }

    @inline(__always)
    package mutating func move(toElement index: Int) { steps[count - 1].element = index }

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

    /// Returns the path, `hourly.data[12].windSpeed`, or its pattern, `hourly.data[].windSpeed`.
    package func path(indexed: Bool) -> String {
        var path = DocumentPath()
        for step in UnsafeBufferPointer(start: steps, count: count) {
            if step.element < 0 {
                path.append(member: step.name)
            } else if indexed {
                path.append(index: step.element)
            } else {
                path.appendAnyElement()
            }
        }
        return path.text
    }
}
