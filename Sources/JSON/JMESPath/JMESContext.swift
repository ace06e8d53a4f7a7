package import JSONText

/// The root, the variables and the limits of expressions.
///
/// Make one for an answer and pass it to every expression of the answer: the limits hold for all of them together.
///
///     var context = JMESContext(root: .node(root))
///     context.bind("limit", to: .number("10"))
///     let value = try expression.value(of: .node(root), in: &context)
public struct JMESContext {
    /// The value of `$`.
    public let root: JMESValue
    /// The bindings of variables, the innermost last.
    private var bindings: [(name: String, value: JMESValue)] = []
    /// The objects in which `lookup` looked last.
    private var tables = MemberTables()
    private var steps: Int
    /// The number of steps left at which the deadline is looked at next.
    private var nextCheck: Int
    /// The bytes that may still be made.
    package private(set) var output: Int
    private let isExpired: (() -> Bool)?

    private static let stepsBetweenChecks = 1024

    /// A context.
    ///
    /// - Parameters:
    ///   - root: The value of `$`.
    ///   - maximumSteps: The number of steps. One takes up to 50 ns: it evaluates an operator, or reads some members or
    ///     bytes. A function takes as many as its arguments and its result need.
    ///   - maximumOutput: The bytes that all made values and texts may take, also those that are dropped again.
    ///   - isExpired: Whether to stop, asked every 1024 steps.
    public init(
        root: JMESValue, maximumSteps: Int = 20_000_000, maximumOutput: Int = 128 << 20, isExpired: (() -> Bool)? = nil
    ) {
        (self.root, steps, output, self.isExpired) = (root, maximumSteps, maximumOutput, isExpired)
        nextCheck = steps - Self.stepsBetweenChecks
    }

    /// Binds a variable, given without `$`; it hides an outer one of that name until `unbind`.
    public mutating func bind(_ name: String, to value: JMESValue) { bindings.append((name, value)) }

    /// Removes the innermost `count` bindings.
    public mutating func unbind(_ count: Int = 1) { bindings.removeLast(min(count, bindings.count)) }

    /// Returns the innermost value that is bound to a name; nil if there is none.
    public subscript(name: String) -> JMESValue? { bindings.last { $0.name == name }?.value }

    /// The document that `$` is, whose reading may have to stop; nil for a computed value.
    package var document: JSONNode? { if case .node(let node) = root { node } else { nil } }

    /// The number of bindings.
    var bindingCount: Int { bindings.count }

    /// The steps that are left; none, or fewer, if they are used up.
    package var remainingSteps: Int { steps }

    /// Returns the member of an object whose key is a text, or a number in its shortest form, or the element of an array at that
    /// place; null for null and others.
    mutating func member(of object: JMESValue, at key: JMESValue) throws(JMESFailure) -> JMESValue {
        if key.isNull { return .null }
        guard let name = key.key else {
            throw .type("lookup()", takes: "a string or a number as the key", not: key)
        }
        try work(4 + name.utf8.count / 16)
        if let count = object.elements?.count {
            guard let index = Int(name), -count..<count ~= index else { return .null }
            try work((index < 0 ? index + count : index) / 8)
            return object.element(at: index)
        }
        if let value = tables.value(of: name, in: object) { return value }
        let count = object.memberCount
        if count <= MemberTables.smallest { return object[name] ?? .null }
        try make(bytes: 128 * count)
        try work(8 * count)
        return tables.add(object, andFind: name)
    }

    /// Counts steps.
    @inline(__always)
    package mutating func work(_ count: Int = 1) throws(JMESFailure) {
        steps &-= count
        if steps < nextCheck { try check() }
    }

    /// Counts bytes of values or text that are made, and the steps that this takes.
    @inline(__always)
    mutating func make(bytes: Int) throws(JMESFailure) {
        output &-= bytes
        if output < 0 { throw .tooMuchOutput }
        try work(bytes >> 7)
    }

    /// Counts a value that is put into an array or object.
    @inline(__always)
    mutating func makeElement() throws(JMESFailure) {
        try make(bytes: 32)
        try work()
    }

    @inline(never)
    private mutating func check() throws(JMESFailure) {
        if steps < 0 { throw .tooMuchWork }
        if isExpired?() == true { throw .expired }
        nextCheck = steps - Self.stepsBetweenChecks
    }
}

/// The reason why an expression has no value for a document.
public enum JMESFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A value has a type that a function or operator does not take; `isAbsence` if the value is null or absent.
    case invalidType(String, isAbsence: Bool = false)
    /// A value of the right type is not allowed, such as the divisor 0.
    case invalidValue(String)
    /// The expression takes more steps than the context allows.
    case tooMuchWork
    /// The expression makes more values or text than the context allows.
    case tooMuchOutput
    /// The deadline has passed.
    case expired

    /// Whether something that the expression needs is null or absent.
    public var isAbsence: Bool {
        if case .invalidType(_, isAbsence: true) = self { true } else { false }
    }

    /// The reason as text.
    public var description: String {
        switch self {
        case .invalidType(let reason, _), .invalidValue(let reason): reason
        case .tooMuchWork: "the expression takes too many steps"
        case .tooMuchOutput: "the expression makes too many values"
        case .expired: "the deadline has passed"
        }
    }

    /// An element of another type than `taker` takes, which is no absence: the array is there.
    static func element(_ taker: String, takes expected: String, not value: JMESValue) -> JMESFailure {
        .invalidType(type(taker, takes: expected, not: value).description)
    }

    /// A value of another type than `taker` takes.
    static func type(_ taker: String, takes expected: String, not value: JMESValue) -> JMESFailure {
        let kind = value.kind
        let found = kind == .null ? "null" : "\(kind == .array || kind == .object ? "an" : "a") \(kind.rawValue)"
        return .invalidType("\(taker) takes \(expected), not \(found)", isAbsence: kind == .null)
    }
}
