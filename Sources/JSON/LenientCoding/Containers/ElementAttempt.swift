/// The result of decoding an element: its value, or the reason why it does not decode.
///
/// Decoding an attempt never throws, so the container always advances to the next element.
enum ElementAttempt<Element: Decodable>: Decodable {
    case success(Element)
    case failure(ElementFailure)

    init(from decoder: any Decoder) throws {
        let state = (decoder as? ValueDecoder)?.state
        let mark = state?.repairs.mark()
        do {
            // The container applies the decoder's strategies for dates, data and URLs.
            self = .success(try decoder.decodeDeclared(Element.self))
            if let mark { state?.repairs.keep(mark) }
        } catch {
            if let mark { state?.repairs.rollBack(to: mark) }
            self = .failure(ElementFailure(error, path: decoder.codingPath, userInfo: decoder.userInfo))
        }
    }

    /// Returns the value or its replacement; nil if the strategy removes the element, after a call of `onRemoval`.
    ///
    /// - Throws: the element's error if the strategy is `fail`.
    func resolved(
        by strategy: InvalidElementStrategy<Element>?, _ onRemoval: (any Error) -> Void
    ) throws -> Element? {
        switch self {
        case .success(let element): return element
        case .failure(let failure):
            let decision = strategy.map { $0.decision(failure) } ?? InvalidElementStrategy.standardDecision(failure)
            switch decision {
            case .fail: throw failure.error
            case .remove:
                failure.note(.dropped)
                onRemoval(failure.error)
                return nil
            case .replace(let element):
                failure.note(.defaulted)
                return element
            }
        }
    }
}

/// The error of an element that does not decode, and its place.
struct ElementFailure {
    /// A `DecodingError`, a `JSONDecodingError`, or a `DecodingError` around any other error.
    let error: any Error
    /// The coding path of the element.
    let path: [any CodingKey]
    /// The user info of the decoder.
    let userInfo: [CodingUserInfoKey: Any]

    init(_ error: any Error, path: [any CodingKey], userInfo: [CodingUserInfoKey: Any]) {
        self.error = error is DecodingError || error is JSONDecodingError ? error : Self.wrapped(error, path)
        self.path = path
        self.userInfo = userInfo
    }

    /// Notes a repair of the element if the decoder has a recorder.
    func note(_ kind: DriftReport.Kind) {
        guard let recorder = userInfo[.driftRecorder] as? DriftRecorder else { return }
        recorder.note(kind, at: path, .of(error, at: path), lastIsElement: true)
    }

    /// Adds the coding path, which errors of other types do not have.
    private static func wrapped(_ error: any Error, _ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: path, debugDescription: "The value could not be read.", underlyingError: error))
    }
}

extension DriftReport.Reason {
    /// Returns the reason in the report for a value at `path` that failed with `error`.
    static func of(_ error: any Error, at path: [any CodingKey]) -> DriftReport.Reason {
        guard let error = error as? DecodingError else { return .invalid }
        switch error {
        case .typeMismatch(_, let context) where context.codingPath.count <= path.count: return .mistyped
        case .valueNotFound(_, let context) where context.codingPath.count <= path.count: return .null
        default: return .invalid
        }
    }
}

/// Decodes from any value and ignores it.
private struct SkippedElement: Decodable {
    init(from decoder: any Decoder) throws {}
}

extension UnkeyedDecodingContainer {
    /// Decodes the remaining elements.
    ///
    /// - Throws: the error of an element if the strategy is `fail` or the decoder cannot advance past the element.
    mutating func collectElements<Element: Decodable>(
        _ strategy: InvalidElementStrategy<Element>?, _ onRemoval: (any Error) -> Void = { _ in }
    ) throws -> [Element] {
        var elements: [Element] = []
        while !isAtEnd {
            let index = currentIndex
            let attempt = attempt(Element.self)
            if currentIndex == index { try skip(attempt, at: index) }
            if let element = try attempt.resolved(by: strategy, onRemoval) { elements.append(element) }
        }
        return elements
    }

    private mutating func attempt<Element: Decodable>(_ type: Element.Type) -> ElementAttempt<Element> {
        do {
            return try decode(ElementAttempt<Element>.self)
        } catch {
            // Some decoders throw before they call init(from:), so that the user info is not known.
            let path = codingPath + [RawCodingKey(intValue: currentIndex)]
            return .failure(ElementFailure(error, path: path, userInfo: [:]))
        }
    }

    /// Moves past an element at which the container did not advance.
    private mutating func skip<Element>(_ attempt: ElementAttempt<Element>, at index: Int) throws {
        let error: any Error
        if case .failure(let failure) = attempt {
            error = failure.error
        } else {
            error = DecodingError.dataCorruptedError(in: self, debugDescription: "The container does not advance.")
        }
        do {
            _ = try decode(SkippedElement.self)
        } catch _ {
            throw error
        }
        if currentIndex == index { throw error }
    }
}

extension Dictionary {
    /// Returns the values that decoded and the replacements of the others.
    ///
    /// - Throws: the error of a value if the strategy is `fail`.
    func resolved<Element>(
        by strategy: InvalidElementStrategy<Element>?, _ onRemoval: (any Error) -> Void = { _ in }
    ) throws -> [Key: Element]
    where Value == ElementAttempt<Element> {
        var values: [Key: Element] = [:]
        values.reserveCapacity(count)
        for (key, attempt) in self {
            if let value = try attempt.resolved(by: strategy, onRemoval) { values[key] = value }
        }
        return values
    }
}
