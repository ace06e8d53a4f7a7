/// An element that decodes in any case: as its value, or as the reason why there is none.
///
/// As it never throws, the container that it is decoded from always goes on to the next element.
enum Attempt<Element: Decodable>: Decodable {
    case success(Element)
    case failure(ElementFailure)

    init(from decoder: any Decoder) throws {
        let state = (decoder as? ValueDecoder)?.state
        let mark = state?.repairs.mark()
        do {
            // Through the container, so that the decoder's strategies for dates, data and URLs apply.
            self = .success(try decoder.singleValueContainer().decode(Element.self))
            if let mark { state?.repairs.keep(mark) }
        } catch {
            if let mark { state?.repairs.rollBack(to: mark) }
            self = .failure(ElementFailure(error, path: decoder.codingPath, userInfo: decoder.userInfo))
        }
    }

    /// The value, or what `strategy` puts in its place; nil where that is nothing.
    ///
    /// - Throws: the element's error where the strategy says so.
    func resolved(by strategy: InvalidElementStrategy<Element>?) throws -> Element? {
        switch self {
        case .success(let element): return element
        case .failure(let failure):
            let decision = strategy.map { $0.decision(failure) } ?? InvalidElementStrategy.standardDecision(failure)
            switch decision {
            case .fail: throw failure.error
            case .remove:
                failure.note(.dropped)
                return nil
            case .replace(let element):
                failure.note(.defaulted)
                return element
            }
        }
    }
}

/// Decodes from any value and reads nothing of it.
struct SkippedElement: Decodable {
    init(from decoder: any Decoder) throws {}
}

extension UnkeyedDecodingContainer {
    /// Decodes all elements that are left.
    ///
    /// - Throws: the error of an element that the strategy lets fail, or that the decoder cannot get past.
    mutating func decodeElements<Element: Decodable>(
        _ strategy: InvalidElementStrategy<Element>?, _ add: (Element) -> Void
    ) throws {
        while !isAtEnd {
            let index = currentIndex
            let attempt = attempt(Element.self)
            if currentIndex == index { try skip(attempt, at: index) }
            if let element = try attempt.resolved(by: strategy) { add(element) }
        }
    }

    private mutating func attempt<Element: Decodable>(_ type: Element.Type) -> Attempt<Element> {
        do {
            return try decode(Attempt<Element>.self)
        } catch {
            // A decoder that refuses the value before anything is asked of it: there is no userInfo to be had then.
            let path = codingPath + [RawCodingKey(intValue: currentIndex)]
            return .failure(ElementFailure(error, path: path, userInfo: [:]))
        }
    }

    /// Moves past an element that the container stopped at.
    private mutating func skip<Element>(_ attempt: Attempt<Element>, at index: Int) throws {
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
    /// The values that decoded, and what `strategy` puts in the place of those that did not.
    func resolved<Element>(by strategy: InvalidElementStrategy<Element>?) throws -> [Key: Element]
    where Value == Attempt<Element> {
        var values: [Key: Element] = [:]
        values.reserveCapacity(count)
        for (key, attempt) in self {
            if let value = try attempt.resolved(by: strategy) { values[key] = value }
        }
        return values
    }
}
