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
