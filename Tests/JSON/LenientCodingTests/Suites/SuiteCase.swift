/// A test case of another library, restated with types and documents of this project.
///
/// A case is checked with LenientDecoder and CompactEncoder in their default settings, and with Foundation's coders.
struct SuiteCase: Sendable {
    /// The test of the other library, such as `LossyArrayTests.testDecodingLossyArrayIgnoresFailableElements`.
    var origin: String
    /// What the other library's test expects, which the check repeats.
    let behaviour: String
    /// Why the library behaves differently; nil if it does not.
    let difference: String?
    let check: @Sendable (SuiteCoder) throws -> Void

    init(
        _ origin: String, _ behaviour: String, differs difference: String? = nil,
        _ check: @escaping @Sendable (SuiteCoder) throws -> Void
    ) {
        self.origin = origin
        self.behaviour = behaviour
        self.difference = difference
        self.check = check
    }

    /// Adds the name of their test class to the names of the tests.
    static func of(_ group: String, _ cases: [SuiteCase]) -> [SuiteCase] {
        cases.map { item in
            var named = item
            named.origin = "\(group).\(item.origin)"
            return named
        }
    }

    /// A case whose document decodes to a model.
    static func decodes<Model: Decodable & Equatable & Sendable>(
        _ origin: String, _ behaviour: String, _ text: String, to model: Model
    ) -> SuiteCase {
        SuiteCase(origin, behaviour) { try expect($0.decode(Model.self, text), is: model) }
    }

    /// A case whose model is the same once it is encoded and decoded.
    static func survives<Model: Codable & Equatable & Sendable>(
        _ origin: String, _ behaviour: String, _ models: Model...
    ) -> SuiteCase {
        SuiteCase(origin, behaviour) { coder in
            for model in models { try expect(coder.roundTrip(model), is: model) }
        }
    }

    /// A case whose model is encoded as a text, with sorted keys.
    static func encodes<Model: Encodable & Sendable>(
        _ origin: String, _ behaviour: String, _ model: Model, as text: String
    ) -> SuiteCase {
        SuiteCase(origin, behaviour) { try expect($0.encode(model), is: text) }
    }

    /// A case whose documents do not decode.
    static func refuses<Model: Decodable & Sendable>(
        _ origin: String, _ behaviour: String, _ type: Model.Type, _ texts: String...
    ) -> SuiteCase {
        SuiteCase(origin, behaviour) { coder in
            for text in texts { try expectDecodingError { try coder.decode(type, text) } }
        }
    }

    /// Returns why the case fails with a coder; nil if it passes.
    func failure(with coder: SuiteCoder) -> String? {
        do {
            try check(coder)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// A library whose test cases are restated.
struct OtherLibrary: Sendable {
    /// The repository, as owner and name.
    let repository: String
    let cases: [SuiteCase]

    /// The name without the owner.
    var name: String { String(repository.drop { $0 != "/" }.dropFirst()) }

    static let all = [
        OtherLibrary(repository: "marksands/BetterCodable", cases: BetterCodableCases.all),
        OtherLibrary(repository: "airbnb/ResilientDecoding", cases: ResilientDecodingCases.all),
        OtherLibrary(repository: "yonaskolb/Codability", cases: CodabilityCases.all),
        OtherLibrary(repository: "CoalescedFetch-School/AnyCodable", cases: AnyCodableCases.all),
        OtherLibrary(repository: "SwiftyLab/MetaCodable", cases: MetaCodableCases.all),
    ]
}

/// The first expectation of a case that is not met.
struct UnmetExpectation: Error, CustomStringConvertible {
    let description: String
}

/// Throws if `value` is not `expected`.
///
/// Cases do not use `#expect`, because a case may differ.
func expect<Value: Equatable>(_ value: Value, is expected: Value) throws {
    guard value == expected else { throw UnmetExpectation(description: "\(value) is not \(expected)") }
}

/// Throws if `condition` is false.
func expect(_ condition: Bool, _ description: String) throws {
    guard condition else { throw UnmetExpectation(description: description) }
}

/// Throws unless `body` throws a decoding error.
func expectDecodingError(_ body: () throws -> some Any) throws {
    do {
        let value = try body()
        throw UnmetExpectation(description: "\(value) is decoded")
    } catch is DecodingError {}
}
