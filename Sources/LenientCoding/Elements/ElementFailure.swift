/// Why and where an element did not decode.
struct ElementFailure {
    /// A `DecodingError`, or an error of the model's own.
    let error: any Error
    /// The coding path to the element.
    let path: [any CodingKey]
    /// What the decoder was given by its caller.
    let userInfo: [CodingUserInfoKey: Any]

    init(_ error: any Error, path: [any CodingKey], userInfo: [CodingUserInfoKey: Any]) {
        self.error = error.isDecoding ? error : Self.placed(error, path)
        self.path = path
        self.userInfo = userInfo
    }

    /// Notes what became of the element, where there is a recorder.
    func note(_ kind: DriftReport.Kind) {
        guard let recorder = userInfo[.driftRecorder] as? DriftRecorder else { return }
        recorder.note(kind, at: path, .of(error, at: path), lastIsElement: true)
    }

    /// Some decoders report numbers that do not fit by errors of their own, which say no place.
    private static func placed(_ error: any Error, _ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: path, debugDescription: "The value could not be read.", underlyingError: error))
    }
}

extension Error {
    fileprivate var isDecoding: Bool { self is DecodingError || self is JSONDecodingError }
}

extension DriftReport.Reason {
    /// Why the value at `path` failed with `error`.
    static func of(_ error: any Error, at path: [any CodingKey]) -> DriftReport.Reason {
        guard let error = error as? DecodingError else { return .invalid }
        switch error {
        case .typeMismatch(_, let context) where context.codingPath.count <= path.count: return .mistyped
        case .valueNotFound(_, let context) where context.codingPath.count <= path.count: return .null
        default: return .invalid
        }
    }
}
