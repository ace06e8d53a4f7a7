import Configuration
import JMESPath
import Records

/// The rules of a route or of an entry of `fetch`, compiled.
struct FetchRules: Sendable {
    let answer: AnswerRules
    /// The reason in an error; nil for the usual members.
    let error: JMESPath?
    let next: NextPageRule?

    init(answer: AnswerRules, error: JMESPath?, next: NextPageRule? = nil) {
        (self.answer, self.error, self.next) = (answer, error, next)
    }

    /// Compiles the settings; those that are absent are the ones of `instead`.
    init<Settings: Record>(
        _ answer: JSONValue?, _ edit: EditConfiguration?, _ error: String?, _ next: NextConfiguration?,
        _ names: Set<String>, inQuery: Set<String>, instead: FetchRules? = nil,
        places: (
            answer: PartialKeyPath<Settings>, edit: PartialKeyPath<Settings>, error: PartialKeyPath<Settings>
        ), _ note: SettingNotes<Settings>, _ noteNext: SettingNotes<NextConfiguration>
    ) {
        var rules: AnswerRules?
        if let answer {
            rules = AnswerRules(answer: answer, parameters: names) { note(places.answer, at: $0, $1) }
        }
        if let edit {
            if answer != nil { note(places.edit, "must be left out: there is an answer") }
            rules = rules ?? AnswerRules(edit: edit) { note(places.edit, at: $0, $1) }
        }
        self.answer = rules ?? instead?.answer ?? .standard
        var reason = instead?.error
        if let error {
            do throws(JMESPathError) { reason = try JMESPath(error) } catch { note(places.error, "\(error)") }
        }
        self.error = reason
        self.next = next.flatMap { NextPageRule($0, names: names, inQuery: inQuery, noteNext) } ?? instead?.next
    }
}
