// Unsafe: owns the steps as raw memory, of which the first `count` are initialised. The names of the steps point into the
// document, into a table or into static strings, all of which outlive the steps.
import JSONText

/// The location of the current value: the steps that lead to it from the root of the document.
///
/// Entering and leaving is cheap; the path is rendered only when something is reported.
package struct LocationStack: ~Copyable {
    /// A step to a member, or to an element.
    private struct Step {
        let name: UnsafeBufferPointer<UInt8>
        /// The document's key, which can differ from the name of the field; nil for the name itself.
        var key: UnsafeBufferPointer<UInt8>?
        /// Whether the name is data: paths have `*` in its place.
        var isData = false
        /// The element's index, or -1 for a member.
        var element: Int
        /// The hash of the path up to here; 0 until it is needed.
        var hash: UInt64 = 0
    }

    private var steps: UnsafeMutablePointer<Step>
    private var count = 0
    private var capacity = 32

    package init() { steps = .allocate(capacity: capacity) }

    deinit { steps.deallocate() }

    /// Enters a member, which the document has under `key`; `name` and `key` must outlive the step.
    ///
    /// `isData` says that the name is the key of a map.
    @inline(__always)
    package mutating func enter(
        _ name: UnsafeBufferPointer<UInt8>, key: UnsafeBufferPointer<UInt8>? = nil, isData: Bool = false
    ) {
        append(Step(name: name, key: key, isData: isData, element: -1))
    }

    /// Enters the current array; `move(toElement:)` chooses the element.
    @inline(__always)
    package mutating func enterElements() {
        append(Step(name: UnsafeBufferPointer(start: nil, count: 0), element: 0))
    }

    @inline(__always)
    package mutating func move(toElement index: Int) {
        precondition(count > 0, "no array has been entered")
        steps[count &- 1].element = index
    }

    @inline(__always)
    package mutating func leave() {
        precondition(count > 0, "nothing has been entered")
        count &-= 1
    }

    @inline(__always)
    private mutating func append(_ step: Step) {
        if count == capacity { grow() }
        (steps + count).initialize(to: step)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        capacity *= 2
        let larger = UnsafeMutablePointer<Step>.allocate(capacity: capacity)
        larger.moveInitialize(from: steps, count: count)
        steps.deallocate()
        steps = larger
    }

    /// Returns a hash of the path pattern: elements of one array hash alike, and members of one map.
    ///
    /// Each step keeps its hash, so that a note deep in a document does not hash the path to it again.
    package mutating func hash() -> UInt64 {
        var start = count
        while start > 0, steps[start - 1].hash == 0 { start -= 1 }
        var hash = start > 0 ? steps[start - 1].hash : 0
        for index in start..<count {
            let step = steps[index]
            let isAny = step.element >= 0 || step.isData
            hash = isAny ? hash &* 31 &+ 1 : (hash ^ Self.hash(of: step.name)) &* 0x9E37_79B9_7F4A_7C15
            steps[index].hash = hash
        }
        return hash
    }

    /// The FNV-1a hash of a name.
    ///
    /// It separates the few hundred locations of a report; a collision only merges two entries.
    package static func hash(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        name.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The path as coding keys.
    package var keys: [RawCodingKey] {
        UnsafeBufferPointer(start: steps, count: count).map { step in
            step.element < 0
                ? RawCodingKey(String(decoding: step.name, as: UTF8.self)) : RawCodingKey(intValue: step.element)
        }
    }

    /// The pattern of the path with the document's keys; nil if they are the names of the fields.
    package var origin: String? {
        let steps = UnsafeBufferPointer(start: steps, count: count)
        let isRenamed = steps.contains { step in step.key.map { !$0.elementsEqual(step.name) } ?? false }
        return isRenamed ? path(indexed: false, withKeys: true) : nil
    }

    /// Returns the path, `hourly.data[12].windSpeed`, or its pattern, `hourly.data[].windSpeed`.
    package func path(indexed: Bool, withKeys: Bool = false) -> String {
        var path = DocumentPath()
        for step in UnsafeBufferPointer(start: steps, count: count) {
            if step.isData {
                path.append(member: "*")
            } else if step.element < 0 {
                path.append(member: withKeys ? step.key ?? step.name : step.name)
            } else if indexed {
                path.append(index: step.element)
            } else {
                path.appendAnyElement()
            }
        }
        return path.text
    }
}
