import JMESPath
import JSONText

/// Returns what an expression makes of a document, as JSON, or `error: ` with the reason.
func search(_ expression: String, _ document: String, variables: [String: JMESValue] = [:]) -> String {
    do {
        let expression = try JMESPath(expression, variables: Set(variables.keys))
        var parser = JSONParser()
        return try parser.withDocument(Array(document.utf8)) { root in
            var context = JMESContext(root: .node(root))
            for (name, value) in variables { context.bind(name, to: value) }
            let bytes = try JSONWriter.bytes(expecting: 64) { writer in
                try expression.write(.node(root), in: &context, to: &writer)
            }
            var writer = JSONWriter()
            try expression.value(of: .node(root), in: &context).write(to: &writer)
            guard writer.bytes == bytes else {
                return "written at once: \(String(decoding: bytes, as: UTF8.self)), as a value: "
                    + String(decoding: writer.bytes, as: UTF8.self)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    } catch {
        return "error: \(error)"
    }
}
