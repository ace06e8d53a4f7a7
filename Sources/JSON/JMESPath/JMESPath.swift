public import JSONText

/// A compiled JMESPath expression.
///
/// JMESPath 1.0 (https://jmespath.org/specification.html) with `let`, the root `$`, the ternary, arithmetic and functions
/// of the JMESPath community. Values that are only selected keep their text; numbers are compared by their exact value.
///
///     let expression = try JMESPath("features[?properties.mag >= `4.5`].id")
///     let bytes = try parser.withDocument(document) { root in
///         var context = JMESContext(root: .node(root))
///         return try JSONWriter.bytes(expecting: 64) { writer in
///             try expression.write(.node(root), in: &context, to: &writer)
///         }
///     }
public struct JMESPath: Sendable {
    /// The deepest nesting of an expression, and the levels that it can add to values.
    public static let maximumDepth = 256
    /// The longest expression in characters.
    public static let maximumLength = 65_536

    /// The expression as it was written.
    public let text: String
    /// The variables that the caller must bind, without `$`.
    public let variables: Set<String>
    let expression: Expression

    /// Compiles an expression.
    ///
    /// - Parameters:
    ///   - text: The expression.
    ///   - variables: The variables, without `$`, that contexts will bind; others are an error unless `let` binds them.
    ///   - patterns: Compiles the regular expressions of `match` and `replace_pattern`, which are an error without it.
    /// - Throws: `JMESPathError` for what can never work: syntax, unknown functions and variables, wrong arity.
    public init(
        _ text: String, variables: Set<String> = [], patterns: PatternCompiler? = nil
    ) throws(JMESPathError) {
        guard text.unicodeScalars.count <= Self.maximumLength else {
            throw JMESPathError(at: Self.maximumLength, "an expression has at most \(Self.maximumLength) characters")
        }
        var parser = try ExpressionParser(text, variables: variables, patterns: patterns)
        expression = try parser.parse()
        (self.text, self.variables) = (text, parser.usedVariables)
    }

    init(text: String, variables: Set<String>, expression: Expression) {
        (self.text, self.variables, self.expression) = (text, variables, expression)
    }

    /// Returns the value of the expression for `current`, which is null for what is absent.
    public func value(of current: JMESValue, in context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        try expression.value(current, &context)
    }

    /// Writes the value of the expression as compact JSON, without making values that are only written.
    ///
    /// After a failure, the writer is as it was before.
    public func write(
        _ current: JMESValue, in context: inout JMESContext, to writer: inout JSONWriter
    ) throws(JMESFailure) {
        let start = writer.count
        do throws(JMESFailure) {
            try expression.write(current, &context, to: &writer)
        } catch {
            writer.cut(to: start)
            throw error
        }
    }
}

extension JMESPath {
    /// A step of a plain path.
    package enum Step: Hashable, Sendable {
        /// `.name`
        case member(String)
        /// `[0]`
        case index(Int)
        /// `[*]`
        case elements
        /// `[]`
        case flattened
    }

    /// The steps of a path of members, indices, `[*]` and `[]` from the current value; nil for other expressions.
    package var memberPath: [Step]? { expression.memberPath }

    /// The form of the result before there is a document.
    package var result: ExpressionResult { expression.result }
}

extension Expression {
    fileprivate var memberPath: [JMESPath.Step]? {
        switch self {
        case .current: return []
        case .member(let key): return [.member(key.text)]
        case .index(let index): return [.index(index)]
        case .projection(.elements, let next, _): return (next ?? .current).memberPath.map { [.elements] + $0 }
        case .projection(.flattened, let next, _): return (next ?? .current).memberPath.map { [.flattened] + $0 }
        case .sequence(let steps):
            let paths = steps.compactMap(\.memberPath)
            return paths.count == steps.count ? Array(paths.joined()) : nil
        default: return nil
        }
    }
}

/// The reason why an expression is none, with the place.
///
///     do { _ = try JMESPath("lenght(@)") } catch { print(error) }
///     // at character 1: there is no function "lenght"; did you mean "length"?
public struct JMESPathError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public enum Kind: Sendable {
        /// The text does not follow the grammar, or is too long or nested too deeply.
        case syntax
        /// A function has too few or too many arguments.
        case arity
        /// An argument can never have the type that a function takes.
        case type
        /// A value is never allowed, such as the step 0 of a slice.
        case value
        /// There is no function of that name.
        case unknownFunction
        /// No `let` and no caller binds a variable of that name.
        case unknownVariable
    }

    /// The kind.
    public let kind: Kind
    /// The number of characters, which are Unicode scalars, before the place.
    public let offset: Int
    /// The fault at that place, and how to mend the expression.
    public let reason: String
    /// The function or variable that is probably meant.
    public let nearest: String?

    init(_ kind: Kind = .syntax, at offset: Int, _ reason: String, nearest: String? = nil) {
        (self.kind, self.offset, self.reason, self.nearest) = (kind, offset, reason, nearest)
    }

    /// The place, counted from 1, and the reason.
    public var description: String {
        "at character \(offset + 1): \(reason)\(nearest.map { "; did you mean \"\($0)\"?" } ?? "")"
    }
}
