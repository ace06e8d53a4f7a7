/// A key of coding paths that stems from no model: an element's, a superclass's, or one of a dictionary.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    /// The key of an array's element.
    init(element index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    /// The member that `superDecoder()` and `superEncoder()` use.
    static let superclass = PathKey(stringValue: "super")
}
