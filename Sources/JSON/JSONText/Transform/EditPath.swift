/// A path of an edit: `a.b`, `a[*].b`, `[*].b`, `a.*.b` or `**.b`, in the names of the document.
///
/// A name with a dot, a bracket or a star is quoted as in JMESPath: `"odata.metadata".count`. Paths match whole
/// documents, so `a.b` does not pass through arrays.
struct EditPath: Sendable {
    /// A step from a value to one in it.
    enum Step: Sendable, Hashable {
        /// The member with this key, as UTF-8 without escapes.
        case member([UInt8])
        /// Any member, `*`.
        case anyMember
        /// Any element, `[*]`.
        case anyElement
        /// Any member or element, the end of `a.**`.
        case anything
        /// Any number of steps, also none, `**`.
        case anyDepth

        /// Whether the step can lead into an array.
        var entersArrays: Bool {
            switch self {
            case .member, .anyMember: false
            case .anyElement, .anything, .anyDepth: true
            }
        }
    }

    /// The reason why a text is no path.
    struct SyntaxError: Error {
        let text: String
    }

    /// The path as it is written.
    let text: String
    let steps: [Step]
    /// Whether any number of elements may stand before each step.
    var passesArrays = false

    /// The path `text`, which has no step if it is empty; `[]` may stand for `[*]` where `takesBareBrackets` is true.
    init(_ text: String, takesBareBrackets: Bool = false) throws(SyntaxError) {
        self.text = text
        var steps: [Step] = []
        var rest = Array(text.utf8)[...]
        var isFirst = true
        while !rest.isEmpty {
            if !isFirst {
                guard rest.removeFirst() == UInt8(ascii: ".") else {
                    throw SyntaxError(text: "a dot stands between steps, as in items[*].id")
                }
            }
            if !(isFirst && rest.first == UInt8(ascii: "[")) {
                let step = try Self.member(&rest)
                if step != .anyDepth || steps.last != .anyDepth { steps.append(step) }
            }
            while rest.first == UInt8(ascii: "[") {
                guard let length = Self.bracketLength(rest, takesBareBrackets) else {
                    throw SyntaxError(text: "[*] stands for every element; an edit cannot choose one by its index")
                }
                rest.removeFirst(length)
                steps.append(.anyElement)
            }
            isFirst = false
        }
        // The members of `a.**` are below `a`.
        if steps.last == .anyDepth { steps.append(.anything) }
        self.steps = steps
    }

    /// The path of a field such as `hourly.data.time`, which passes through arrays at every step.
    init(field text: String) {
        self.text = text
        steps = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            .member(Array($0))
        }
        passesArrays = true
    }

    /// The names of the members on the way up to `**`, nil for any member.
    var names: [String?] {
        steps.prefix { $0 != .anyDepth }.compactMap { step in
            if case .member(let name) = step { return .some(String(decoding: name, as: UTF8.self)) }
            return step.entersArrays ? nil : .some(nil)
        }
    }

    /// Takes a name, `*` or `**`.
    private static func member(_ rest: inout ArraySlice<UInt8>) throws(SyntaxError) -> Step {
        if rest.first == UInt8(ascii: "\"") { return .member(try quotedName(&rest)) }
        let name = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
        rest.removeFirst(name.count)
        switch Array(name) {
        case []: throw SyntaxError(text: "a step is empty; a path is a.b, a[*].b, [*].b, a.*.b or **.b")
        case [UInt8]("*".utf8): return .anyMember
        case [UInt8]("**".utf8): return .anyDepth
        case let name where name.contains(UInt8(ascii: "*")) || name.contains(UInt8(ascii: "]")):
            throw SyntaxError(text: "* and ** stand for whole steps; a name with * or a bracket is quoted: \"a*\".b")
        case let name: return .member(name)
        }
    }

    private static func quotedName(_ rest: inout ArraySlice<UInt8>) throws(SyntaxError) -> [UInt8] {
        var name: [UInt8] = []
        rest.removeFirst()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return name }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst(), escaped == UInt8(ascii: "\\") || escaped == UInt8(ascii: "\"")
                else {
                    throw SyntaxError(text: "in a quoted name, only a quote and a backslash follow a backslash")
                }
                name.append(escaped)
            } else {
                name.append(byte)
            }
        }
        throw SyntaxError(text: "a quoted name has no end")
    }

    private static func bracketLength(_ rest: ArraySlice<UInt8>, _ takesBareBrackets: Bool) -> Int? {
        if rest.starts(with: "[*]".utf8) { return 3 }
        return takesBareBrackets && rest.starts(with: "[]".utf8) ? 2 : nil
    }
}
