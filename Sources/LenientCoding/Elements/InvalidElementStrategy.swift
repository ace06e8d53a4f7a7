/// What becomes of an element of an array or a dictionary that does not decode.
///
/// A strategy is given to `decodeArray` and `decodeDictionary`, or set for all of them in the decoder's `userInfo`:
///
///     decoder.userInfo[.invalidElementStrategy] = InvalidElementStrategy<Any>.remove
///
///     struct Game: Decodable {
///         var scores: [Int], names: [String: String]
///         init(from decoder: any Decoder) throws {
///             let container = try decoder.container(keyedBy: RawCodingKey.self)
///             scores = try container.decodeArray([Int].self, forKey: "scores", invalidElementStrategy: .fallback(0))
///             names = try container.decodeDictionary("names")  // as userInfo says, else .fail
///         }
///     }
public struct InvalidElementStrategy<Element>: Sendable {
    enum Action: Sendable {
        case remove
        case fail
        case fallback(@Sendable () -> Element)
        case custom(@Sendable (any Error, [any CodingKey]) -> InvalidElementStrategy)
    }

    let action: Action

    /// Leaves the element out.
    ///
    ///     let scores: [Int] = try container.decodeArray("scores", invalidElementStrategy: .remove)
    ///     // of [1,"x",3]: [1, 3]
    public static var remove: Self { Self(action: .remove) }

    /// Fails the array or the dictionary with the element's error, as decoders do by themselves.
    ///
    ///     let scores: [Int] = try container.decodeArray("scores", invalidElementStrategy: .fail)
    ///     // of [1,"x",3]: DecodingError.typeMismatch at scores[1]
    public static var fail: Self { Self(action: .fail) }

    /// Decides element by element.
    ///
    /// `decide` is given why the element did not decode and the coding path to it. What it returns holds for this
    /// element alone.
    ///
    ///     let strategy = InvalidElementStrategy<Int>.custom { error, path in
    ///         path.last?.intValue == 0 ? .fail : .fallback(-1)
    ///     }
    public static func custom(
        _ decide: @escaping @Sendable (_ error: any Error, _ path: [any CodingKey]) -> InvalidElementStrategy
    ) -> Self {
        Self(action: .custom(decide))
    }
}

extension InvalidElementStrategy where Element: Sendable {
    /// Puts `value` in the element's place.
    ///
    ///     let scores: [Int] = try container.decodeArray("scores", invalidElementStrategy: .fallback(0))
    ///     // of [1,"x",3]: [1, 0, 3]
    public static func fallback(_ value: Element) -> Self { Self(action: .fallback { value }) }
}

extension InvalidElementStrategy where Element == Any {
    /// Puts `value` in the element's place where it is of the element's type, and fails where it is not.
    ///
    ///     decoder.userInfo[.invalidElementStrategy] = InvalidElementStrategy<Any>.fallback(0)
    public static func fallback(_ value: any Sendable) -> Self { Self(action: .fallback { value }) }
}

extension CodingUserInfoKey {
    /// The `InvalidElementStrategy<Any>` of calls that are given none.
    ///
    ///     decoder.userInfo[.invalidElementStrategy] = InvalidElementStrategy<Any>.remove
    public static let invalidElementStrategy = Self.named("LenientCoding.invalidElementStrategy")
}

extension InvalidElementStrategy {
    /// What is to be done with one element.
    enum Decision {
        case remove
        case fail
        case replace(Element)
    }

    /// Decides about one element.
    func decision(_ failure: ElementFailure) -> Decision {
        var strategy = self
        // A custom strategy may answer with another one; one that never decides fails.
        for _ in 0..<16 {
            switch strategy.action {
            case .remove: return .remove
            case .fail: return .fail
            case .fallback(let value): return .replace(value())
            case .custom(let decide): strategy = decide(failure.error, failure.path)
            }
        }
        return .fail
    }

    /// Decides about one element as the decoder's `userInfo` says; it fails where that says nothing.
    static func standardDecision(_ failure: ElementFailure) -> Decision {
        let standard = failure.userInfo[.invalidElementStrategy]
        if let typed = standard as? Self { return typed.decision(failure) }
        guard let untyped = standard as? InvalidElementStrategy<Any> else { return .fail }
        switch untyped.decision(failure) {
        case .remove: return .remove
        case .fail: return .fail
        case .replace(let value): return (value as? Element).map(Decision.replace) ?? .fail
        }
    }
}
