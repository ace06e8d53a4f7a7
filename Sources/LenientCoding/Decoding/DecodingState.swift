import JSONText

/// What the decoders and containers of one decode share.
///
/// A type may keep its decoder after `init(from:)`. `end()` takes the document away, which is only valid until then, and
/// from there on every use of a kept decoder throws.
final class DecodingState {
    let configuration: LenientDecoder
    /// Whether scalars of another kind are converted.
    let coerces: Bool
    /// Whether optional values that do not decode are absent.
    let skipsMistyped: Bool

    /// The shapes of the objects so far, by the types of the coding keys that read them.
    @exclusivity(unchecked) var shapes: [(keys: any CodingKey.Type, shapes: [ObjectShape])] = []

    private var document: JSONNode?
    /// What is repaired.
    ///
    /// One value, so that it is accessed once for each value that may be left out.
    @exclusivity(unchecked) var repairs: Repairs
    /// Whether `repairs` takes the members that no coding key stands for.
    let reportsUnknownMembers: Bool
    private var madeUserInfo: [CodingUserInfoKey: Any]?

    init(_ document: JSONNode, _ configuration: LenientDecoder, reportsUnknownMembers: Bool) {
        self.document = document
        self.configuration = configuration
        coerces = configuration.leniency.contains(.coercion)
        skipsMistyped = configuration.leniency.contains(.mistypedOptionals)
        self.reportsUnknownMembers = reportsUnknownMembers
        repairs = Repairs()
    }

    /// Ends the decode.
    func end() { document = nil }

    var isLive: Bool { document != nil }

    /// The root of the document.
    ///
    /// - Throws: `DecodingError` once the decode has ended.
    var root: JSONNode {
        get throws {
            guard let document else { throw Self.outlived }
            return document
        }
    }

    static var outlived: DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: [],
                debugDescription: "The decoding has ended. A decoder must not be used after init(from:) returns."))
    }

    /// The configured user info, with a recorder added if it has none.
    var userInfo: [CodingUserInfoKey: Any] {
        guard isLive else { return [:] }
        if let madeUserInfo { return madeUserInfo }
        var userInfo: [CodingUserInfoKey: Any] = configuration.userInfo
        if userInfo[.driftRecorder] == nil {
            let recorder = DriftRecorder()
            repairs.recorder = recorder
            userInfo[.driftRecorder] = recorder
        }
        madeUserInfo = userInfo
        return userInfo
    }

    /// Notes a repair of the value at `path`.
    func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, at path: CodingPath) {
        repairs.drift.note(kind, reason, at: path)
    }
}
