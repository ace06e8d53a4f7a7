import JSONText

/// A text that is being written: how far it is, and what is to be changed in it at the end.
struct EncodingState: ~Copyable {
    /// A change to the text once all is written.
    struct Edit {
        let start: Int
        /// The text from the start to here is left out.
        let end: Int
        /// What is put in there.
        var branch: EncodingBranch?
    }

    let keys: UnsafeMutablePointer<KeyTexts>
    /// Whose text this is; it outlives the state.
    let owner: Unmanaged<EncodingBranch>
    /// Whether dates are seconds since 1970; asking the strategy itself costs counting references.
    let writesSeconds: Bool
    var writer: JSONWriter
    var path = CodingPath()
    /// The depth of the value that is being written.
    var depth = 0
    var edits: [Edit] = []
    private(set) var levels: UnsafeMutablePointer<EncodingLevel>
    private var capacity = 16

    init(_ owner: EncodingBranch, keys: UnsafeMutablePointer<KeyTexts>, capacity bytes: Int) {
        self.keys = keys
        self.owner = .passUnretained(owner)
        if case .secondsSince1970 = owner.session.configuration.dateEncodingStrategy {
            writesSeconds = true
        } else {
            writesSeconds = false
        }
        writer = JSONWriter(capacity: bytes)
        levels = .allocate(capacity: capacity)
        levels.initialize(repeating: EncodingLevel(), count: capacity)
    }

    deinit {
        levels.deinitialize(count: capacity)
        levels.deallocate()
    }

    /// Begins a value one level below `depth`.
    @inline(__always)
    mutating func descend(from depth: Int) {
        if depth &+ 1 == capacity { grow() }
        levels[depth &+ 1] = EncodingLevel()
        self.depth = depth &+ 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<EncodingLevel>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: levels, count: capacity)
        (larger + capacity).initialize(repeating: EncodingLevel(), count: capacity)
        levels.deallocate()
        levels = larger
        capacity *= 2
    }
}
