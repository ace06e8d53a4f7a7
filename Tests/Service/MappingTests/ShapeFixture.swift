import ContractsSupport
import API
import Foundation
import JMESPath
import JSONText
import Mapping
import Records
import TestSupport

/// A case of `Tests/Fixtures/shapes`: a shape, a document, and the answer with its drift, or an error.
struct ShapeFixture {
    let name: String
    let shape: JSONValue
    let input: [UInt8]
    let parameters: [UInt8]
    let expected: Answer

    /// Returns the cases, sorted by name.
    static func all() throws -> [ShapeFixture] {
        let folder = "Tests/Fixtures/shapes"
        func text(_ file: String) -> String? {
            (try? Checkout.text("\(folder)/\(file)")).map { String($0.dropLast($0.last == "\n" ? 1 : 0)) }
        }
        return try Checkout.names(in: folder).sorted().filter { $0.hasSuffix(".shape.json") }.map { file in
            let name = String(file.dropLast(".shape.json".count))
            return ShapeFixture(
                name: name, shape: JSONValue(parsing: Array((text(file) ?? "").utf8)) ?? .null,
                input: Array((text("\(name).in.json") ?? "").utf8),
                parameters: Array((text("\(name).parameters.json") ?? "{}").utf8),
                expected: Answer(
                    body: text("\(name).out.json") ?? "",
                    drift: text("\(name).out.json") == nil ? "" : text("\(name).drift.json") ?? "[]",
                    error: text("\(name).error.txt")))
        }
    }

    /// The answer of the shape.
    func answer(_ form: Shape.Form = Shape.Form()) -> Answer {
        var parser = JSONParser()
        do {
            return try parser.withDocument(parameters) { values in
                var parameters: [String: JMESValue] = [:]
                for (key, value) in values.members { parameters[key.string ?? ""] = .node(value) }
                let shape = try Shape.compiled(shape, parameters: Set(parameters.keys))
                return Answer { try shape.normalize(input, parameters: parameters, form: form) }
            }
        } catch {
            return Answer(body: "", drift: "", error: "\(error)")
        }
    }
}

/// The faults of a shape, a line for each.
struct ShapeFaults: Error, CustomStringConvertible {
    let description: String
}

extension Shape {
    /// Compiles a shape or throws its faults.
    static func compiled(_ shape: JSONValue, parameters: Set<String> = []) throws -> Shape {
        var faults: [String] = []
        guard let shape = Shape(shape, parameters: parameters, note: { faults.append("\($0): \($1)") }) else {
            throw ShapeFaults(description: faults.joined(separator: "\n"))
        }
        return shape
    }

    /// Compiles a shape that is given as JSON.
    static func compiled(_ text: String, parameters: Set<String> = []) throws -> Shape {
        try compiled(JSONValue(parsing: Array(text.utf8)) ?? .null, parameters: parameters)
    }

    /// Returns the answer of a document as text.
    func answer(_ document: String, _ form: Form = Form()) throws -> String {
        String(decoding: try normalize(Array(document.utf8), form: form).body, as: UTF8.self)
    }
}
