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
    private struct Place: Hashable {
        let kind: DriftReport.Kind
        let reason: DriftReport.Reason
        let path: String
    }

    private struct State {
        var report = DriftReport()
        var indices: [Place: Int] = [:]
    }

    private static let maximumNameLength = 64

    private let state = Mutex(State())

    /// A recorder with nothing in it.
    public init() {}

    /// What was noted so far.
    public var report: DriftReport { state.withLock { $0.report } }

    /// Forgets everything.
    public func reset() { state.withLock { $0 = State() } }

    /// Notes a repair at `path`.
    ///
    /// Keys with a number count as the elements of an array: they are `[]` in the entry's path. Keys are cut after
    /// 64 characters.
    public func note(_ kind: DriftReport.Kind, at path: [any CodingKey], _ reason: DriftReport.Reason) {
        note(kind, at: path, reason, lastIsElement: false)
    }

    /// Notes a repair; where `lastIsElement`, the path's last key stands for any other, as an element's index does.
    func note(
        _ kind: DriftReport.Kind, at path: [any CodingKey], _ reason: DriftReport.Reason, lastIsElement: Bool
    ) {
        let pattern = Self.pattern(path, lastIsElement: lastIsElement)
        let place = Place(kind: kind, reason: reason, path: pattern)
        state.withLock { state in
            if let index = state.indices[place] {
                state.report.entries[index].count += 1
            } else if state.report.entries.count < DriftReport.maximumEntries {
                state.indices[place] = state.report.entries.count
                let entry = DriftReport.Entry(
                    kind: kind, path: pattern, reason: reason, count: 1, example: Self.example(path))
                state.report.entries.append(entry)
            } else {
                state.report.unlisted += 1
            }
        }
    }

    /// Notes what was repaired in the value at `path`.
    func note(_ report: DriftReport, under path: [any CodingKey]) {
        let moved = report.moved(under: Self.pattern(path, lastIsElement: false), example: Self.example(path))
        state.withLock { $0.report.merge(moved) }
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
    public static let driftRecorder = Self.named("LenientCoding.driftRecorder")

    /// The key of this name.
    static func named(_ name: String) -> CodingUserInfoKey {
        // The standard library's initializer gives a key for every name.
        CodingUserInfoKey(rawValue: name).unsafelyUnwrapped
    }
}

extension Decoder {
    /// The recorder that the decoder's caller provided.
    var driftRecorder: DriftRecorder? { userInfo[.driftRecorder] as? DriftRecorder }
}
