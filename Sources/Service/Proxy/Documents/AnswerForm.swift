package import API

/// The form in which a client wants a document, and what an answer in this form has beside the document.
package final class AnswerForm: Sendable {
    /// Equal keys make equal answers of one document.
    let key: FormKey
    /// The parts of the answer beside the document; answers with such parts are not kept.
    let explanation: Explanation
    /// Whether the answer has the field Expires.
    let sendsExpires: Bool
    /// Whether the answer depends on the request's target alone, so that the next request with it needs no reading.
    let dependsOnTargetAlone: Bool
    /// Whether the repairs are kept with the document, for the report of an answer of which the document is a part.
    let keepsDrift: Bool
    /// The function that a script calls with the document (JSONP); such answers are made for each request.
    let callback: String?
    /// Makes header fields from a document; nil for none.
    let fields: (@Sendable (ShapedDocument) -> [(name: String, value: String)])?

    /// A form, identified by all of the request that the answer depends on, beside what the upstream is asked for.
    package init(
        _ key: FormKey, explanation: Explanation = .none, sendsExpires: Bool = false, dependsOnTargetAlone: Bool = true,
        keepsDrift: Bool = false, callback: String? = nil,
        fields: (@Sendable (ShapedDocument) -> [(name: String, value: String)])? = nil
    ) {
        (self.key, self.explanation, self.sendsExpires) = (key, explanation, sendsExpires)
        (self.dependsOnTargetAlone, self.keepsDrift) = (dependsOnTargetAlone, keepsDrift)
        (self.callback, self.fields) = (callback, fields)
    }

    var isExplained: Bool { explanation != .none }
}

/// The identity of a form: a value whose texts are compared by their bytes.
///
/// The value is the structure that a route reads from its parameters, and `Hashable` takes all of its properties: none can be
/// forgotten. Caches hold keys of the forms of all routes; `FormOf` has the value of one.
// Unchecked: a class with subclasses cannot be checked; this one and `FormOf`, the only subclass, have constants alone.
package class FormKey: Hashable, @unchecked Sendable {
    private let hash: Int
    /// The bytes that it takes up.
    final let bytes: Int

    fileprivate init(hash: Int, bytes: Int) { (self.hash, self.bytes) = (hash, bytes) }

    fileprivate func isEqual(to other: FormKey) -> Bool { false }

    package static func == (left: FormKey, right: FormKey) -> Bool {
        left === right || left.hash == right.hash && left.isEqual(to: right)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// The identity of a form of one route.
package final class FormOf<Value: Hashable & Sendable>: FormKey, @unchecked Sendable {
    package let value: Value

    /// The key of `value`, whose texts have this number of bytes.
    package init(_ value: Value, textBytes: Int = 0) {
        self.value = value
        super.init(hash: value.hashValue, bytes: MemoryLayout<Value>.size + 48 + textBytes)
    }

    override fileprivate func isEqual(to other: FormKey) -> Bool { (other as? FormOf<Value>)?.value == value }
}
