package import Configuration
import JSONText
import Mapping
import Routing

extension Configuration {
    /// The expressions and the paths by which each configured route reads documents, by the route's template.
    package var routeReadings: [(route: String, readings: [(expression: String, path: [String?])])] {
        mappedRoutes.map { route in (route.description.template.text, route.fetches.flatMap(\.rules.readings)) }
    }
}

extension AnswerRules {
    fileprivate var readings: [(expression: String, path: [String?])] {
        switch self {
        case .shape(let shape, _): shape.readings
        case .edit(let edit, _): edit.readings
        }
    }
}
