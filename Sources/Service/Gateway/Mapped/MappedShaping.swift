import Contracts
import Records
import Routing

/// The parameters `fields`, `dates` and `explain` of a configured route.
struct MappedShaping: Sendable {
    private let fields: Parameter<[String]>
    private let dates: Parameter<DateForm>?
    private let explain: Parameter<Explanation>

    init(_ rules: AnswerRules, showsUpstream: Bool) {
        explain = ShapingParameters.explain(showsUpstream: showsUpstream)
        fields = Parameter(
            ShapingParameters.fieldsName,
            .paths { paths in rules.unknown(paths) }, orElse: "all", "The fields to keep, by their names in the answer."
        )
        dates = rules.hasDates ? ShapingParameters.dates(orElse: "as the route writes them") : nil
    }

    var specs: [ParameterSpec] { [fields.spec] + (dates.map { [$0.spec] } ?? []) + [explain.spec] }

    func read(_ parameters: inout Parameters) -> MappedForm {
        var form = MappedForm()
        form.fields = parameters.read(fields)
        form.dates = dates.flatMap { parameters.read($0) }
        form.explanation = parameters.read(explain) ?? .none
        return form
    }
}
