import Synchronization

/// Takes down what was dropped or replaced while a document was decoded through Codable.
///
/// Put one into a decoder's `userInfo`; the containers' helpers and the wrappers of this module then note there what
/// they repair. One recorder may serve several decoders and threads: it counts what all of them meet. It is bounded as
/// the report is.
///
///     let recorder = DriftRecorder()
///     decoder.userInfo[.driftRecorder] = recorder
///     let forecast = try decoder.decode(Forecast.self, from: data)
///     print(recorder.report.summary)  // dropped=2
public final class DriftRecorder: Sendable {
    private static let maximumNameLength = 64

    private let state = Mutex(DriftLedger())

    /// A recorder with nothing in it.
    ///
    ///     decoder.userInfo[.driftRecorder] = DriftRecorder()
    public init() {}

    /// What was noted so far.
    ///
    ///     print(recorder.report.summary)  // dropped=2
    public var report: DriftReport { state.withLock { $0.report } }

    /// Forgets everything.
    ///
    ///     recorder.reset()
    ///     recorder.report.isEmpty  // true
    public func reset() { state.withLock { $0 = DriftLedger() } }

    /// Notes a repair at `path`.
    ///
    /// Keys with a number count as the elements of an array: they are `[]` in the entry's path. Keys are cut after
    /// 64 characters.
    ///
    ///     recorder.note(.dropped, at: container.codingPath, .mistyped)
    public func note(_ kind: DriftReport.Kind, at path: [any CodingKey], _ reason: DriftReport.Reason) {
        note(kind, at: path, reason, lastIsElement: false)
    }

    /// Notes a repair; where `lastIsElement`, the path's last key stands for any other, as an element's index does.
    package func note(
        _ kind: DriftReport.Kind, at path: [any CodingKey], _ reason: DriftReport.Reason, lastIsElement: Bool
    ) {
        let pattern = Self.pattern(path, lastIsElement: lastIsElement)
        state.withLock {
            $0.note(kind, reason, hash: Self.hash(pattern)) { $0 ? Self.example(path) : pattern }
        }
    }

    /// Notes what was repaired in the value at `path`.
    package func note(_ report: DriftReport, under path: [any CodingKey]) {
        let moved = report.moved(under: Self.pattern(path, lastIsElement: false), example: Self.example(path))
        state.withLock { $0.take(moved, hash: Self.hash) }
    }

    /// Remembers where the account stands, until `forget` or `rollBack`.
    package func mark() -> Int { state.withLock { $0.mark() } }

    /// Lets what was noted since `mark` stand.
    package func forget(_ mark: Int) { state.withLock { $0.forget(mark) } }

    /// Takes back what was noted since `mark`.
    package func rollBack(to mark: Int) { state.withLock { $0.rollBack(to: mark) } }

    private static func hash(_ pattern: String) -> UInt64 {
        var pattern = pattern
        return pattern.withUTF8 { LocationStack.hash(of: $0) }
    }

    private static func pattern(_ path: [any CodingKey], lastIsElement: Bool) -> String {
        var text = ""
        for (index, key) in path.enumerated() {
            if key.intValue != nil || lastIsElement && index == path.count - 1 {
                text += "[]"
            } else {
                append(key.stringValue, to: &text)
            }
        }
        return text
    }

    private static func example(_ path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue { text += "[\(index)]" } else { append(key.stringValue, to: &text) }
        }
        return text
    }

    private static func append(_ name: String, to text: inout String) {
        if !text.isEmpty { text += "." }
        text += name.prefix(maximumNameLength)
    }
}

extension CodingUserInfoKey {
    /// The `DriftRecorder` that notes what a decoder's containers and wrappers repair.
    ///
    ///     decoder.userInfo[.driftRecorder] = recorder
    public static let driftRecorder = Self.named("LenientCoding.driftRecorder")

    /// The key of this name.
    package static func named(_ name: String) -> CodingUserInfoKey {
        // The standard library's initializer gives a key for every name.
        CodingUserInfoKey(rawValue: name).unsafelyUnwrapped
    }
}

extension Decoder {
    /// The recorder that the decoder's caller provided.
    package var driftRecorder: DriftRecorder? { userInfo[.driftRecorder] as? DriftRecorder }
}
