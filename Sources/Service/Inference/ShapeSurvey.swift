package import JSONText

/// The survey of several documents of one endpoint: a ``ValueSurvey`` of their roots.
///
///     var survey = ShapeSurvey()
///     try survey.add(bytes, options: JSONOptions())
package struct ShapeSurvey {
    /// The places that a survey of any documents has at most.
    static let maximumPlaces = 20_000

    /// The survey of the documents themselves.
    package let root = ValueSurvey()
    private var places = maximumPlaces

    /// A survey without documents.
    package init() {}

    /// Adds a document, which is read as an upstream's document is.
    /// - Throws: `JSONSyntaxError` if it is not JSON.
    package mutating func add(_ document: [UInt8], options: JSONOptions = JSONOptions()) throws {
        var parser = JSONParser(options: options.forUpstream)
        var places = places
        try parser.withDocument(document) { root.add($0, depth: 0, places: &places) }
        self.places = places
    }
}
