/// What to do with an element of an array or a dictionary that does not decode.
///
/// Pass a strategy to `decodeElements` or `decodeValues`, or set one for all these calls in the decoder's `userInfo`:
///
///     decoder.userInfo[.invalidElementStrategy] = InvalidElementStrategy<Any>.remove
///
///     struct Game: Decodable {
///         var scores: [Int], names: [String: String]
///         init(from decoder: any Decoder) throws {
///             let container = try decoder.container(keyedBy: RawCodingKey.self)
///             scores = try container.decodeElements([Int].self, forKey: "scores", invalidElementStrategy: .fallback(0))
///             names = try container.decodeValues("names")  // the strategy in userInfo, or .fail
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

    /// Removes the element: `[1,"x",3]` becomes `[1, 3]`.
    public static var remove: Self { Self(action: .remove) }

    /// Throws the element's error, as the standard library does.
    public static var fail: Self { Self(action: .fail) }

    /// Decides for each element separately.
    ///
    /// `decide` receives the element's error and its coding path and returns the strategy for this element.
    ///
    ///     let strategy = InvalidElementStrategy<Int>.custom { error, path in
    ///         path.last?.intValue == 0 ? .fail : .fallback(-1)
    ///     }
    public static func custom(
        _ decide: @escaping @Sendable (_ error: any Error, _ path: [any CodingKey]) -> InvalidElementStrategy
    ) -> Self {
        Self(action: .custom(decide))
    }

    /// Decides for each element by its error.
    ///
    ///     let strategy = InvalidElementStrategy<Int>.custom { error in error is DecodingError ? .remove : .fail }
    public static func custom(_ decide: @escaping @Sendable (_ error: any Error) -> InvalidElementStrategy) -> Self {
        Self(action: .custom { error, _ in decide(error) })
    }
}

extension InvalidElementStrategy where Element: Sendable {
    /// Replaces the element by `value`: with 0, `[1,"x",3]` becomes `[1, 0, 3]`.
    public static func fallback(_ value: Element) -> Self { Self(action: .fallback { value }) }
}

extension InvalidElementStrategy where Element == Any {
    /// Replaces the element by `value` if it has the element's type, and fails otherwise.
    public static func fallback(_ value: any Sendable) -> Self { Self(action: .fallback { value }) }
}

extension CodingUserInfoKey {
    /// The `InvalidElementStrategy<Any>` for calls without a strategy of their own.
    ///
    ///     decoder.userInfo[.invalidElementStrategy] = InvalidElementStrategy<Any>.remove
    public static let invalidElementStrategy = Self.named("LenientCoding.invalidElementStrategy")
}

extension InvalidElementStrategy {
    /// The decision about one element.
    enum Decision {
        case remove
        case fail
        case replace(Element)
    }

    /// Returns the decision about one element.
    func decision(_ failure: ElementFailure) -> Decision {
        var strategy = self
        // A custom strategy may return another one. After 16 of them the element fails.
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

    /// Returns the decision of the strategy in the decoder's `userInfo`, or `fail` without one.
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
