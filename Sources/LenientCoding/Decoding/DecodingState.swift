import JSONText
import Synchronization

/// What the decoders and containers of one decode share.
///
/// They hold its address without counting references: a container is copied for every member that is asked for, and
/// counting took a quarter of the time. A state is therefore never freed but used for the next decode, and tells by
/// its generation those that belong to a decode that has ended.
struct DecodingState: ~Copyable {
    var root: JSONNode?
    var generation: UInt32 = 0
    var configuration = LenientDecoder()
    /// Whether numbers in strings and the like are converted.
    var coerces = true
    /// Whether optional values that do not decode are read as absent.
    var skipsMistyped = true
    /// Whether dates are seconds since 1970; asking the strategy itself costs counting references.
    var readsSeconds = false
    var path = CodingPath()
    var drift = DriftLedger()
    /// Takes what the containers' helpers and the wrappers repair.
    var recorder: DriftRecorder?
    /// What decoders give as their user info, once one was asked.
    var userInfo: [CodingUserInfoKey: Any]?
    var shapes = ShapeCache(.useDefaultKeys, tellsUnknownNames: false)
    /// Whether someone wants to know of members that no coding key means.
    var tellsUnknownMembers = false
    var unknownMembers = UnknownMembers()
    /// The objects whose duplicate keys are noted.
    var reportedObjects: Set<UInt32> = []
    /// Where the readers of objects were last, by their depth.
    let cursors: UnsafeMutablePointer<ObjectCursor>

    static let cursorCount = 64

    init() {
        cursors = .allocate(capacity: Self.cursorCount)
        cursors.initialize(repeating: ObjectCursor(), count: Self.cursorCount)
    }
}

extension DecodingState {
    /// The address of a state.
    // Unchecked: a state is in the hands of one decode or, unused, in the pool.
    private struct Address: @unchecked Sendable {
        let state: UnsafeMutablePointer<DecodingState>
    }

    /// As many as decodes have run at once.
    private static let pool = Mutex<[Address]>([])

    /// A state for the decode of `root`.
    static func take(
        _ root: JSONNode, _ configuration: LenientDecoder, tellsUnknownMembers: Bool
    ) -> UnsafeMutablePointer<DecodingState> {
        let state = pool.withLock { $0.popLast() }?.state ?? make()
        state.pointee.root = root
        state.pointee.configuration = configuration
        state.pointee.coerces = configuration.leniency.contains(.coercion)
        state.pointee.skipsMistyped = configuration.leniency.contains(.mistypedOptionals)
        if case .secondsSince1970 = configuration.dateDecodingStrategy {
            state.pointee.readsSeconds = true
        } else {
            state.pointee.readsSeconds = false
        }
        state.pointee.tellsUnknownMembers = tellsUnknownMembers
        state.pointee.shapes = ShapeCache(
            configuration.keyDecodingStrategy, tellsUnknownNames: tellsUnknownMembers)
        state.pointee.cursors.update(repeating: ObjectCursor(), count: cursorCount)
        return state
    }

    /// Ends the decode: what still refers to the state finds that it has another generation.
    static func giveBack(_ state: UnsafeMutablePointer<DecodingState>) {
        state.pointee.generation &+= 1
        state.pointee.root = nil
        state.pointee.configuration = LenientDecoder()
        state.pointee.drift = DriftLedger()
        state.pointee.recorder = nil
        state.pointee.userInfo = nil
        state.pointee.unknownMembers = UnknownMembers()
        state.pointee.shapes = ShapeCache(.useDefaultKeys, tellsUnknownNames: false)
        state.pointee.reportedObjects = []
        state.pointee.path.reset()
        pool.withLock { $0.append(Address(state: state)) }
    }

    private static func make() -> UnsafeMutablePointer<DecodingState> {
        let state = UnsafeMutablePointer<DecodingState>.allocate(capacity: 1)
        state.initialize(to: DecodingState())
        return state
    }

    /// What was repaired, by the decoder and by whom it lent its recorder.
    var report: DriftReport {
        var ledger = drift
        if let root { unknownMembers.report(to: &ledger, root) }
        var report = ledger.report
        if let noted = recorder?.report { report.merge(noted) }
        return report
    }

    /// The configured user info with a recorder for repairs, unless there is one in it.
    mutating func makeUserInfo() -> [CodingUserInfoKey: Any] {
        if let userInfo { return userInfo }
        var made: [CodingUserInfoKey: Any] = configuration.userInfo
        if made[.driftRecorder] == nil {
            let lent = DriftRecorder()
            recorder = lent
            made[.driftRecorder] = lent
        }
        userInfo = made
        return made
    }
}
