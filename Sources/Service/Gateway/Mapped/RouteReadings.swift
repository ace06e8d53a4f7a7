package import Configuration
import JMESPath
import JSONText
import Mapping
import Routing

extension Configuration {
    /// The expressions and the paths by which each configured route reads documents, by the route's template.
    package var routeReadings: [(route: String, readings: [(expression: String, path: [String?])])] {
        mappedRoutes.map { ($0.description.template.text, $0.readings) }
    }
}

extension MappedFetch {
    /// The members of documents that the rules of the request read.
    var readings: [(expression: String, path: [String?])] {
        rules.readings + (error?.readings ?? []) + (next?.readings ?? [])
    }
}

extension PartsPlan {
    /// The members of the documents of parts that the values of `each` read.
    var readings: [(expression: String, path: [String?])] {
        parts.flatMap { ($0.each?.readings ?? []).map(Self.ofPart) }
    }

    /// Returns a reading of the object of all parts as one of the document of a part.
    static func ofPart(_ reading: (expression: String, path: [String?])) -> (expression: String, path: [String?]) {
        (reading.expression, Array(reading.path.dropFirst()))
    }
}

extension JMESPath {
    /// The expression with each path of the root that it reads.
    var readings: [(expression: String, path: [String?])] {
        var reader = ReadMembers()
        reader.read(self, of: [])
        return reader.paths.map { (text, $0) }
    }
}

extension AnswerRules {
    var readings: [(expression: String, path: [String?])] {
        switch self {
        case .shape(let shape, _): shape.readings
        case .edit(let edit, _): edit.readings
        }
    }
}
