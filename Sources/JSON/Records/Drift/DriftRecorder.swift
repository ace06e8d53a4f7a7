package import JSONText
import Synchronization

/// Notes the repairs that are made while a document is decoded through Codable.
///
/// Put a recorder into the `userInfo` of any decoder: the container helpers and the wrappers of this library then note
/// their repairs in it. Several decoders and threads may share a recorder; it is bounded as a report is.
///
///     let recorder = DriftRecorder()
///     decoder.userInfo[.driftRecorder] = recorder
///     let forecast = try decoder.decode(Forecast.self, from: data)
///     print(recorder.report.summary)  // dropped=2
public final class DriftRecorder: Sendable {
    private let ledger = Mutex(DriftLedger())

    /// An empty recorder.
    public init() {}

    /// The repairs so far.
    public var report: DriftReport { ledger.withLock { $0.report } }

    /// Removes all repairs.
    public func reset() { ledger.withLock { $0 = DriftLedger() } }

    /// Notes a repair at `path`.
    ///
    /// Keys that have a number count as elements of an array: they are `[]` in the entry's path. Keys are cut after
    /// 64 bytes.
    ///
    ///     recorder.note(.dropped, at: container.codingPath, .mistyped)
    public func note(_ kind: DriftReport.Kind, at path: [any CodingKey], _ reason: DriftReport.Reason) {
        note(kind, at: path, reason, lastIsElement: false)
    }

    /// Notes a repair.
    ///
    /// If `lastIsElement` is true, the path's last key counts as an element: of a dictionary, for one.
    package func note(
        _ kind: DriftReport.Kind, at path: [any CodingKey], _ reason: DriftReport.Reason, lastIsElement: Bool
    ) {
        let pattern = Self.pattern(path, lastIsElement: lastIsElement)
        ledger.withLock {
            $0.note(kind, reason, hash: Self.hash(pattern)) { $0 ? DocumentPath(path).text : pattern }
        }
    }

    /// Notes the repairs of the value at `path`.
    package func note(_ report: DriftReport, under path: [any CodingKey]) {
        let moved = report.moved(under: Self.pattern(path, lastIsElement: false), example: DocumentPath(path).text)
        ledger.withLock { $0.take(moved, hash: Self.hash) }
    }

    /// See ``DriftLedger/mark()``.
    package func mark() -> Int { ledger.withLock { $0.mark() } }

    /// See ``DriftLedger/forget(_:)``.
    package func forget(_ mark: Int) { ledger.withLock { $0.forget(mark) } }

    /// See ``DriftLedger/rollBack(to:)``.
    package func rollBack(to mark: Int) { ledger.withLock { $0.rollBack(to: mark) } }

    private static func hash(_ pattern: String) -> UInt64 {
        var pattern = pattern
        return pattern.withUTF8 { LocationStack.hash(of: $0) }
    }

    private static func pattern(_ path: [any CodingKey], lastIsElement: Bool) -> String {
        var pattern = DocumentPath(path.dropLast(lastIsElement ? 1 : 0), indexed: false)
        if lastIsElement, !path.isEmpty { pattern.appendAnyElement() }
        return pattern.text
    }
}

extension DocumentPath {
    /// The path of the value at a coding path, or its pattern.
    package init(_ codingPath: some Collection<any CodingKey>, indexed: Bool = true) {
        self.init()
        for key in codingPath {
            switch key.intValue {
            case nil: append(member: key.stringValue)
            case let index? where indexed: append(index: index)
            default: appendAnyElement()
            }
        }
    }
}

extension CodingUserInfoKey {
    /// The `DriftRecorder` in which the container helpers and the wrappers note their repairs.
    ///
    ///     decoder.userInfo[.driftRecorder] = recorder
    public static let driftRecorder = Self.named("LenientCoding.driftRecorder")

    /// The key of the given name.
    package static func named(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else {
            preconditionFailure("Unreachable: the standard library makes a key of every name.")
        }
        return key
    }
}

extension Decoder {
    /// The recorder in the decoder's `userInfo`.
    package var driftRecorder: DriftRecorder? { userInfo[.driftRecorder] as? DriftRecorder }
}
