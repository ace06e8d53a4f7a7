import JSONText
public import LenientCoding

/// A tweet or a list of tweets as an upstream gave it, repaired, and not yet in the form that a client wants.
public struct TweetDocument: Sendable {
    let answer: TweetAnswer
    /// What was repaired.
    public let drift: DriftReport
    /// Infinity if it is another tweet, or another author's, than the one that was asked for; else 0.
    let distance: Double
    /// The bytes of the upstream's text.
    let size: Int

    /// Returns the document in the form that `shaping` describes, which depends on nothing else.
    public func shaped(_ shaping: TweetShaping = TweetShaping()) -> ShapedDocument {
        var style = WritingStyle()
        style.dates = shaping.dates
        style.selection = shaping.fields
        let body = JSONWriter.bytes(expecting: size) { answer.write(to: &$0, style: style) }
        return ShapedDocument(body: body, drift: drift, nextMaxId: answer.nextMaxId, distance: distance)
    }
}
