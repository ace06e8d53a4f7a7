/// The steps from the document to the value at hand, kept as they are taken and read only for errors.
struct CodingPath: ~Copyable {
    /// A step into a member or an element.
    enum Step {
        case element(Int)
        case member(any CodingKey)
        /// Into a member, without a box to make and to free: most steps are that.
        case smallMember(SmallKey)

        @inline(__always)
        static func into(_ key: some CodingKey) -> Step {
            if let small = key.small { .smallMember(small) } else { .member(key) }
        }

        /// The key's string; nil for an element.
        var name: String? {
            if case .element = self { nil } else { codingKey.stringValue }
        }

        var codingKey: any CodingKey {
            switch self {
            case .element(let index): PathKey(element: index)
            case .member(let key): key
            case .smallMember(let small): small.key
            }
        }
    }

    private struct HandedOut {
        let parent: Place
        let step: Step
    }

    private var steps: UnsafeMutablePointer<Step>
    private var capacity = 64
    private var handedOut: [HandedOut] = []

    init() {
        steps = .allocate(capacity: capacity)
        steps.initialize(repeating: .element(0), count: capacity)
    }

    deinit {
        steps.deinitialize(count: capacity)
        steps.deallocate()
    }

    /// Steps from `place` into a member.
    @inline(__always)
    mutating func step(from place: Place, into key: some CodingKey) -> Place {
        let depth = depth(of: place)
        if depth >= capacity { grow() }
        put(Step.into(key), at: depth)
        return Place(depth: depth &+ 1)
    }

    /// Steps from `place` into an element.
    @inline(__always)
    mutating func step(from place: Place, intoElement index: Int) -> Place {
        let depth = depth(of: place)
        if depth >= capacity { grow() }
        put(.element(index), at: depth)
        return Place(depth: depth &+ 1)
    }

    /// A place that stays where it is while the path leads elsewhere.
    mutating func handOut(from parent: Place, _ step: Step) -> Place {
        handedOut.append(HandedOut(parent: parent, step: step))
        return Place(handedOut: handedOut.count - 1)
    }

    /// Forgets the steps, keeps the memory.
    mutating func reset() {
        handedOut = []
        for index in 0..<capacity { steps[index] = .element(0) }
    }

    /// How many places have been handed out.
    @inline(__always)
    var handedOutCount: Int { handedOut.count }

    /// Forgets the places handed out since there were `count` of them.
    @inline(__always)
    mutating func takeBack(to count: Int) {
        if handedOut.count > count { handedOut.removeLast(handedOut.count - count) }
    }

    /// The keys that lead to `place`.
    mutating func keys(to place: Place) -> [any CodingKey] { steps(to: place).map(\.codingKey) }

    /// The steps that lead to `place`.
    mutating func steps(to place: Place) -> UnsafeBufferPointer<Step> {
        UnsafeBufferPointer(start: steps, count: depth(of: place))
    }

    /// The number of steps to `place`, which are then the first ones of the path.
    @inline(__always)
    private mutating func depth(of place: Place) -> Int { place.depth ?? restore(place) }

    // Only a large key has something to free: an assignment would look that up at run time.
    @inline(__always)
    private func put(_ step: Step, at depth: Int) {
        if case .member = steps[depth] { (steps + depth).deinitialize(count: 1) }
        (steps + depth).initialize(to: step)
    }

    @inline(never)
    private mutating func restore(_ place: Place) -> Int {
        // A place that was taken back belongs to a decoder that outlived its value.
        guard place.index < handedOut.count else { return 0 }
        let last = handedOut[place.index]
        let depth = depth(of: last.parent)
        if depth >= capacity { grow() }
        steps[depth] = last.step
        return depth + 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Step>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: steps, count: capacity)
        (larger + capacity).initialize(repeating: .element(0), count: capacity)
        steps.deallocate()
        steps = larger
        capacity *= 2
    }
}
