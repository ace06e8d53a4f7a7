import LenientCoding

/// The file `sample.json` of a sample's folder: which paths it answers, and with what.
struct SampleConfiguration: Record {
    var answers: [SampleAnswer] = []
    /// Fields that all answers send, where they do not say otherwise.
    var headers: JSONValue?
    /// What is said of a path that no answer is for.
    var notFound = SampleError()
    /// How long every answer takes to come, in milliseconds: what a slow upstream feels like.
    var delay = 0

    static let schema = Schema<SampleConfiguration>(.exact) {
        Field(\.headers)
        Field(\.answers)
        Field(\.notFound)
        Field("delayMilliseconds", \.delay, .defaulted, .plausible(0...3_600_000))
    }
}

/// One path and its document, with the place and the clock written into it.
///
/// Of several that suit a request the first one answers.
struct SampleAnswer: Record {
    /// A template such as `/forecast/{key}/{latitude},{longitude}`.
    ///
    /// Its `{latitude}` and `{longitude}`, or the parameters called so, stand in the answer as asked for.
    var path = ""
    /// The parameters that must be there, each with its value; `*` is any.
    var query: JSONValue?
    /// The status that the document comes with.
    var status = 200
    /// The document's file, in the same folder.
    var body = ""
    /// The moment at which the document was written, in unix seconds: its times are moved from there to now.
    ///
    /// Without one they stay.
    var clock: Int?
    /// By how many seconds the times below a key of the root move at a time, so that hours stay whole hours.
    var steps: JSONValue?
    /// Fields to send.
    ///
    /// `{count}` is the number of answers so far, `{elapsed}` the milliseconds this one took, `{expires}` a date a
    /// minute from now, `{reset}` the unix seconds and `{resetTime}` the timestamp of a quarter of an hour from now.
    var headers: JSONValue?
    /// What is said of a place that does not exist; by default what is said of a path that no answer is for.
    var invalidLocation: SampleError?

    static let schema = Schema<SampleAnswer>(.exact) {
        Field(\.path)
        Field(\.query)
        Field(\.status, .defaulted, .plausible(200...599))
        Field(\.body)
        Field(\.clock)
        Field(\.steps)
        Field(\.headers)
        Field(\.invalidLocation)
    }
}

/// An error as the real upstream words it.
struct SampleError: Record {
    var status = 404
    var body = JSONValue.null

    static let schema = Schema<SampleError>(.exact) {
        Field(\.status, .plausible(400...599))
        Field(\.body)
    }
}
