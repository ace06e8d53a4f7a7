import JSONText

/// One decode: what its decoders and containers share.
///
/// A decoder that a type kept keeps the session too, which then only says that it has ended.
final class DecodingSession {
    let root: JSONNode
    let configuration: LenientDecoder
    /// Whether numbers in strings and the like are converted.
    let coerces: Bool
    /// Whether optional values that do not decode are read as absent.
    let skipsMistyped: Bool
    let drift = DecodingDrift()
    let shapes: ShapeCache
    /// False once the document is gone.
    private(set) var isLive = true
    /// Where the readers of objects were last, by their depth.
    let cursors: UnsafeMutablePointer<ObjectCursor>
    static let cursorCount = 64
    // Held by address: a path is read and written at every value, and checks of exclusive access would cost more.
    private let path: UnsafeMutablePointer<CodingPath>
    /// The objects whose duplicate keys are noted.
    private var reportedObjects: Set<UInt32> = []
    private(set) lazy var userInfo: [CodingUserInfoKey: Any] = configuration.userInfo

    init(_ root: JSONNode, _ configuration: LenientDecoder) {
        self.root = root
        self.configuration = configuration
        coerces = configuration.leniency.contains(.coercion)
        skipsMistyped = configuration.leniency.contains(.mistypedOptionals)
        shapes = ShapeCache(configuration.keyDecodingStrategy)
        cursors = .allocate(capacity: Self.cursorCount)
        cursors.initialize(repeating: ObjectCursor(), count: Self.cursorCount)
        path = .allocate(capacity: 1)
        path.initialize(to: CodingPath())
    }

    deinit {
        cursors.deallocate()
        path.deinitialize(count: 1)
        path.deallocate()
    }

    func end() { isLive = false }

    /// The value at `position`; to be called only while the session is live.
    @inline(__always)
    func node(_ position: UInt32) -> JSONNode { root.node(at: position) }

    /// Throws once the document is gone.
    @inline(__always)
    func checkLiveness() throws {
        if !isLive { throw outlived }
    }

    private var outlived: any Error {
        DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "A decoder was used after the decoding it belongs to had ended."))
    }
}

extension DecodingSession {
    /// Steps from `place` into a member.
    @inline(__always)
    func step(from place: Place, into key: some CodingKey) -> Place { path.pointee.step(from: place, into: key) }

    /// Steps from `place` into an element.
    @inline(__always)
    func step(from place: Place, intoElement index: Int) -> Place {
        path.pointee.step(from: place, intoElement: index)
    }

    /// A place in a member that stays where it is while the path leads elsewhere.
    func handOut(from place: Place, _ key: any CodingKey) -> Place {
        path.pointee.handOut(from: place, CodingPath.Step(key: key))
    }

    /// A place in an element that stays where it is while the path leads elsewhere.
    func handOut(from place: Place, element index: Int) -> Place {
        path.pointee.handOut(from: place, CodingPath.Step(index: index))
    }

    /// The coding path to `place`.
    func codingPath(_ place: Place) -> [any CodingKey] { path.pointee.keys(to: place) }

    /// How many places are handed out.
    @inline(__always)
    var handedOutCount: Int { path.pointee.handedOutCount }

    /// Forgets the places handed out since there were `count` of them: their containers are gone.
    @inline(__always)
    func takeBack(to count: Int) { path.pointee.takeBack(to: count) }

    /// Notes a repair of the value at `place`.
    @inline(never)
    func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, _ place: Place) {
        drift.note(kind, reason, path.pointee.steps(to: place))
    }
}

extension DecodingSession {
    /// Notes the members of the object at `position` that stand more than once in it, unless that is done already.
    @inline(never)
    func noteDuplicates(of shape: ObjectShape, at position: UInt32, _ place: Place) {
        guard reportedObjects.insert(position).inserted else { return }
        for (ordinal, name) in shape.names.enumerated() where shape.isOverridden(ordinal) {
            note(.duplicateKey, .duplicate, step(from: place, into: PathKey(stringValue: name)))
        }
    }
}
