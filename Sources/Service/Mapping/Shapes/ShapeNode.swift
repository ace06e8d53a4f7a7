import JMESPath
import JSONText
public import Records

/// A compiled shape: where its value comes from, and what becomes of the value.
final class ShapeNode: Sendable {
    /// Where the value comes from.
    enum Source: Sendable {
        /// The current value.
        case current
        /// The member at a path, which is looked up without the evaluator.
        case path([String])
        /// The result of an expression.
        case expression(JMESPath)
        /// The array or object that an expression makes, which is written without being made.
        case composition(JMESPath)
        /// Objects made of the elements of several arrays at the same index.
        case columns([NamedExpression])
    }

    /// The form that the value gets.
    enum Content: Sendable {
        /// The value is passed on as it is.
        case open
        /// The same, if it is an object.
        case openObject
        /// The value becomes one scalar.
        case scalar(ScalarRules)
        /// The value becomes an object of the properties; `others` is the shape of its other members.
        case object([Property], others: ShapeNode?)
        /// The value becomes an array.
        case array(Elements)
    }

    /// A column, or a name that `let` gives to a value.
    struct NamedExpression: Sendable {
        let name: String
        let expression: JMESPath
    }

    /// A property of an object; a class for the reason of ``ScalarRules``.
    final class Property: Sendable {
        let name: String
        /// The name as JSON, with its colon.
        let key: [UInt8]
        let node: ShapeNode
        let isRequired: Bool

        init(name: String, key: [UInt8], node: ShapeNode, isRequired: Bool) {
            (self.name, self.key, self.node, self.isRequired) = (name, key, node, isRequired)
        }
    }

    /// The elements of an array.
    struct Elements: Sendable {
        enum Limit: Sendable {
            case none
            case number(Int)
            case expression(JMESPath)
        }

        let node: ShapeNode
        /// An array with fewer elements is no value.
        let minimum: Limit
        /// More elements are left out.
        let limit: Limit
        let areUnique: Bool
        let keepsNulls: Bool
    }

    /// A step of a path in the answer.
    enum Step: Sendable {
        case member(String)
        /// Any element of an array.
        case element
        /// Any key of a map.
        case key
    }

    /// The index of the node in its shape.
    let number: Int
    /// The path in the answer.
    let steps: [Step]
    let source: Source
    /// The expression of the node, or of the nearest node around it that has one.
    let place: String?
    let bindings: [NamedExpression]
    /// The rules `absent` and `map`, which apply before a value is read as an object or an array.
    let replacements: ScalarRules?
    let content: Content
    let keepsNulls: Bool
    /// The JSON text of `default`.
    let fallback: [UInt8]?
    let isOptional: Bool
    /// `title`, `description`, `examples` and `default`.
    let annotations: [JSONValue.Member]

    init(
        number: Int, steps: [Step], source: Source, place: String?, bindings: [NamedExpression],
        replacements: ScalarRules?, content: Content, keepsNulls: Bool, fallback: [UInt8]?, isOptional: Bool,
        annotations: [JSONValue.Member]
    ) {
        (self.number, self.steps, self.source, self.place) = (number, steps, source, place)
        (self.bindings, self.replacements) = (bindings, replacements)
        (self.content, self.keepsNulls, self.fallback) = (content, keepsNulls, fallback)
        (self.isOptional, self.annotations) = (isOptional, annotations)
    }
}

extension ShapeNode.Source {
    /// Whether the value is a member at a path.
    var isPath: Bool { if case .path = self { true } else { false } }
}

extension ShapeNode.Content {
    /// Whether `false` counts as null, so that `condition && value` makes an object or an array conditional.
    var takesFalseAsNull: Bool {
        switch self {
        case .open, .scalar: false
        case .openObject, .object, .array: true
        }
    }
}

extension Shape {
    /// Selects the fields of an answer that `paths` name, in the answer's names and through arrays.
    ///
    /// A path to an object or an array selects everything in it. Below a value that is passed on whole, every path is
    /// accepted, and every key of a map.
    ///
    /// - Throws: `UnknownFields` with all unknown paths.
    public func selection(of paths: [String]) throws(FieldSelection.UnknownFields) -> FieldSelection {
        try FieldSelection(paths, in: root.members)
    }
}

extension ShapeNode {
    /// The members of the value that paths can name.
    fileprivate var members: FieldMembers {
        switch content {
        case .scalar: .none
        case .open, .openObject: .open
        case .array(let elements): elements.node.members
        case .object(let properties, let others): FieldMembers(ObjectNames(properties: properties, rest: others))
        }
    }
}

/// The properties of an object that a shape makes.
private struct ObjectNames: FieldNames {
    let properties: [ShapeNode.Property], rest: ShapeNode?

    var count: Int { properties.count }

    var others: FieldMembers? { rest?.members }

    func name(of index: Int) -> String { properties[index].name }

    func index(of name: String) -> Int? { properties.firstIndex { Name.areEqual($0.name, name) } }

    func members(of index: Int) -> FieldMembers { properties[index].node.members }

    func key(ofOther name: String) -> String { name }
}

extension JMESValue {
    /// Returns the value without the members that are not selected, also in the elements of an array.
    func selected(by part: FieldPart) -> JMESValue {
        switch kind {
        case .object:
            .object(
                members.compactMap { member in
                    switch part.extent(of: member.key) {
                    case .none: nil
                    case .whole: member
                    case .part(let inner): Member(member.key, member.value.selected(by: inner))
                    }
                })
        case .array:
            // Arrays in arrays stay whole, which bounds the recursion.
            .array((elements.map(Array.init) ?? []).map { $0.kind == .object ? $0.selected(by: part) : $0 })
        default: self
        }
    }
}

extension FieldExtent {
    /// Whether nothing is selected.
    var isNone: Bool { if case .none = self { true } else { false } }

    /// The extent of a part of the value, which `part` finds if not everything or nothing is selected.
    func inner(_ part: (FieldPart) -> FieldExtent) -> FieldExtent {
        if case .part(let selected) = self { part(selected) } else { self }
    }
}
