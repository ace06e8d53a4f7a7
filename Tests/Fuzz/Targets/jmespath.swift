import JMESPath
import JSONText

/// An expression on the first line, applied to the document behind it, ends within its limits.
///
/// What is written at once is what the value is written as, and is JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func jmespath(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let text = String(validating: parts[0], as: UTF8.self) else { return 0 }
    let expression: JMESPath
    do throws(JMESPathError) {
        expression = try JMESPath(text, variables: ["a", "limit"])
    } catch {
        invariant((0...text.unicodeScalars.count).contains(error.offset), "the error is outside of \(text)")
        return 0
    }
    invariant(expression.variables.isSubset(of: ["a", "limit"]), "\(text) uses other variables")
    let document = parts.count > 1 ? Array(parts[1]) : Array("null".utf8)
    _ = reading(document, leniency: [.notANumber]) { root in
        let (written, failure) = outcome(expression, root) { context, writer throws(JMESFailure) in
            try expression.write(.node(root), in: &context, to: &writer)
        }
        let (made, otherFailure) = outcome(expression, root) { context, writer throws(JMESFailure) in
            try expression.value(of: .node(root), in: &context).write(to: &writer)
        }
        // The two ways differ in what they count.
        if failure?.isLimit == true || otherFailure?.isLimit == true { return }
        invariant(failure?.description == otherFailure?.description, "\(text) fails in one way")
        guard failure == nil else { return invariant(written.isEmpty, "\(text) writes before it fails") }
        invariant(written == made, "\(text) is \(shown(written)) at once, and \(shown(made)) as a value")
        let again = reading(written) { root in
            outcome(expression, root) { _, writer in JMESValue.node(root).write(to: &writer) }
        }
        invariant(again?.bytes == written, "\(text) writes \(shown(written))")
    }
    return 0
}

extension JMESFailure {
    fileprivate var isLimit: Bool { self == .tooMuchWork || self == .tooMuchOutput }
}

private func outcome(
    _ expression: JMESPath, _ root: JSONNode,
    _ body: (inout JMESContext, inout JSONWriter) throws(JMESFailure) -> Void
) -> (bytes: [UInt8], failure: JMESFailure?) {
    var context = JMESContext(root: .node(root), maximumSteps: 200_000, maximumOutput: 4 << 20)
    context.bind("limit", to: .number("3"))
    var writer = JSONWriter()
    do throws(JMESFailure) {
        try body(&context, &writer)
        return (writer.bytes, nil)
    } catch {
        return (writer.bytes, error)
    }
}
