import JSONText

/// The state that the decoders and containers of one decode share.
///
/// A type may keep its decoder after `init(from:)` returns. The document is only valid until the decode ends: `end()`
/// removes it, and every later use of a decoder throws.
final class DecodingState {
    let configuration: LenientDecoder
    /// Whether scalars of another type are converted.
    let coerces: Bool
    /// Whether optional values that do not decode become nil.
    let skipsMistyped: Bool
    /// Whether U+FFFD replaces lone surrogates.
    let readsLoneSurrogates: Bool
    /// How coding keys match members without a custom strategy.
    let keyMatching: KeyMatching
    /// The scalars that were requested in vain: they keep their type in the requests that follow.
    @exclusivity(unchecked) var refused: Set<UInt32> = []
    // Unchecked here and in the key tables, because Swift would check each access to a property of a class, which took 8 %
    // of an encoding. No method calls out while it accesses one of them.
    @exclusivity(unchecked) private var tables: [KeyTable] = []
    @exclusivity(unchecked) var collections = CollectionTypes { $0 as? any DirectlyDecodable.Type }
    /// The positions of the members' values of the objects that are being read.
    @exclusivity(unchecked) var positions: [UInt32] = []

    private var document: JSONNode?
    /// The repairs so far: one value, so that marking it before an optional value takes one access.
    @exclusivity(unchecked) var repairs = Repairs()
    /// Whether members that no coding key matches are reported.
    let reportsUnknownMembers: Bool
    private var madeUserInfo: [CodingUserInfoKey: Any]?

    init(_ document: JSONNode, _ configuration: LenientDecoder, reportsUnknownMembers: Bool) {
        self.document = document
        self.configuration = configuration
        coerces = configuration.leniency.contains(.coercion)
        skipsMistyped = configuration.leniency.contains(.mistypedOptionals)
        readsLoneSurrogates = configuration.leniency.contains(.loneSurrogates)
        self.reportsUnknownMembers = reportsUnknownMembers
        if case .convertFromSnakeCase = configuration.keyDecodingStrategy {
            keyMatching = configuration.leniency.contains(.similarKeys) ? .similar : .converted
        } else {
            keyMatching = .exact
        }
    }

    /// Returns the shape of `object`, which is read with a type of coding keys.
    func shape(of object: JSONNode, readWith type: any CodingKey.Type) -> ObjectShape {
        // A document is read with few types of coding keys, so a linear search is enough.
        for index in tables.indices where tables[index].type == type { return tables[index].shape(of: object) }
        let table = KeyTable(type, keyMatching)
        tables.append(table)
        return table.shape(of: object)
    }

    /// Ends the decode and invalidates its decoders.
    func end() {
        document = nil
        // The repairs refer to decoders, which refer to the state; the shapes refer to their table.
        repairs = Repairs()
        for table in tables { table.removeShapes() }
    }

    var isLive: Bool { document != nil }

    /// The root of the document.
    ///
    /// - Throws: `DecodingError` after the decode has ended.
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

    /// The configured user info, with a recorder added if it contains none.
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
    func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, at path: ValueDecoder) {
        repairs.drift.note(kind, reason, at: path)
    }
}
