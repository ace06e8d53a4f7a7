/// A response that is serialized once and sent many times, without Date, Age and Connection.
public struct StoredResponse: Sendable {
    /// The status.
    public let status: Status
    /// The content.
    public let body: [UInt8]
    /// What the record of each exchange says about the answer.
    public var note: ExchangeNote
    /// The status line and the fields, without the empty line.
    private let head: [UInt8]

    /// Serializes `response`.
    public init(_ response: Response) {
        (status, body, note) = (response.status, response.body, response.note)
        var head: [UInt8] = []
        response.serializeFields(into: &head, date: [])
        self.head = head
    }

    /// Appends the response to `output`, as `Response.serialize` does; `age` is in seconds.
    public func serialize(
        into output: inout [UInt8], date: [UInt8], age: Int?, version: Version, keepsAlive: Bool, omittingBody: Bool
    ) {
        output += head
        output.append(text: "Date: ")
        output += date
        output.append(text: "\r\n")
        if let age {
            output.append(text: "Age: ")
            output.append(decimal: max(age, 0))
            output.append(text: "\r\n")
        }
        Response.endHead(&output, version, keepsAlive: keepsAlive)
        if !status.forbidsContent, !omittingBody { output += body }
    }
}
